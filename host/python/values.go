package python

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// As returns the Go value of a Python object. It takes a result as it comes, with its error, which it passes on:
//
//	root, err := python.As[float64](math.CallMethod("sqrt", 2))
//
// T is a type that the documentation of package selfsame lists, such as int, string, []float64, map[string]int, time.Time, a
// struct or a *selfsame.Tensor, with Go's own containers. *Object is the object itself, as is a handle of a class (see
// [Cast]). For any it is nil, a bool, an int64, a float64, a string, a []byte, a []any, a map, a time, a handle, and an *Object for what has no counterpart. None is a nil slice,
// map or pointer. As fails with a TypeError when the object cannot be converted.
func As[T any](o *Object, err error) (T, error) {
	var none T
	if err != nil {
		return none, err
	}
	if number, ok := numberOf(o); ok && reflect.TypeFor[T]().Kind() != reflect.Pointer {
		return quickly[T](number)
	}
	if same, ok := any(o).(T); ok && reflect.TypeFor[T]() == reflect.TypeFor[*Object]() {
		return same, nil
	}
	if kind := reflect.TypeFor[T]().Kind(); o == services.none && (kind == reflect.Slice || kind == reflect.Map) {
		return none, nil
	}
	if _, containers, ok := asObjects(reflect.TypeFor[T]()); ok {
		return result[T](services.keptIn, o, containers)
	}
	var w words
	if w.set(o, nil) {
		return direct[T](services.value, &w, o, nil)
	}
	return result[T](services.value, o)
}

// CallAs calls an object as [Object.Call] does, and returns the result as a Go value, as [As] does. It makes no handle of
// the result, and is faster.
func CallAs[T any](o *Object, args ...any) (T, error) {
	var w words
	if w.set(o, args) {
		return direct[T](services.callValue, &w, o, args)
	}
	if _, ok := lastKeywords(args); ok {
		return As[T](o.Call(args...))
	}
	return result[T](services.callValue, arguments([]any{o}, args)...)
}

// CallMethodAs calls a method as [Object.CallMethod] does, and returns the result as [CallAs] does.
func CallMethodAs[T any](o *Object, name string, args ...any) (T, error) {
	var w words
	if w.setNamed(o, name, args) {
		return direct[T](services.callMethodValue, &w, o, args)
	}
	return As[T](o.CallMethod(name, args...))
}

// plainResult calls a function and returns its result with Go's own containers.
func plainResult[R any](f *selfsame.Function, args []any) (made R, err error) {
	frame, err := call.CallWith((*handles.State)(unsafe.Pointer(f)), args)
	if err != nil {
		return made, err
	}
	value := frame.Result
	values.PutFrame(frame)
	return goValue[R](value)
}

// goValue returns an owned value, which it takes over, with Go's own containers.
func goValue[R any](value abi.Any) (made R, err error) {
	defer func() { values.Release(value) }()
	t := reflect.TypeFor[R]()
	if objects, _, ok := asObjects(t); ok {
		t = objects
	}
	c, err := convert.ForPlain(t)
	if err == nil {
		err = call.CheckOwns(c)
	}
	if err != nil {
		return made, fault.New("TypeError", "python: %s", fault.Reason(err))
	}
	err = c.From(&value, unsafe.Pointer(&made))
	if m, ok := err.(*convert.Mismatch); ok {
		err = fault.New("TypeError", "python: expected %s for a Go %s, got %s", convert.TypeWords(c.Name()), reflect.TypeFor[R](), m.Words())
	}
	return made, err
}

func init() { convert.PythonHandle = convert.ToGo }

// argument returns an argument of a call of Python: containers become Python's own.
func argument(arg any) any {
	if arg == any(None) {
		return nil
	}
	switch arg.(type) {
	case nil, int, int64, float64, bool, string, []byte, *Object:
		return arg
	}
	t := reflect.TypeOf(arg)
	switch t.Kind() {
	case reflect.Pointer:
		if reflect.ValueOf(arg).IsNil() {
			return nil
		}
	case reflect.Slice, reflect.Map, reflect.Array:
		objects, _, ok := asObjects(t)
		if !ok {
			objects = t
		}
		c, err := convert.ForPlain(objects)
		if err != nil {
			return arg // the call says what is wrong
		}
		copied := reflect.New(t)
		copied.Elem().Set(withHandles(reflect.ValueOf(arg)))
		made := convert.Typed{Conv: convert.PlainResult(c), At: copied.UnsafePointer()}
		if t.Kind() == reflect.Array {
			if tuple, err := object(services.newTuple, made); err == nil {
				return tuple
			}
		}
		return made
	}
	return arg
}

// withHandles returns a container whose elements, where their static type is any, are handles of package python's own type.
func withHandles(v reflect.Value) reflect.Value {
	element := v.Type().Elem()
	if element.Kind() != reflect.Interface {
		return v
	}
	of := func(e reflect.Value) reflect.Value {
		inner := e.Elem()
		switch {
		case !inner.IsValid():
		case inner.Kind() == reflect.Pointer && isObjectStruct(inner.Type().Elem()):
			return reflect.ValueOf((*Object)(inner.UnsafePointer()))
		case inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map:
			return withHandles(inner)
		}
		return e
	}
	switch v.Kind() {
	case reflect.Slice:
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			made.Index(i).Set(of(v.Index(i)))
		}
		return made
	case reflect.Map:
		made := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			made.SetMapIndex(key, of(value))
		}
		return made
	}
	return v
}

// None is Python's None where nil means that an option is not given.
var None = new(Object)
