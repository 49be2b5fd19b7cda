package python

import (
	"reflect"
	"slices"
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
	var made T
	var w words
	if w.set(o, nil) {
		made, err = direct[T](services.value, &w, o, nil)
	} else {
		made, err = result[T](services.value, o)
	}
	if of, isAny := any(&made).(*any); isAny && Is(err, "BufferError") { // an array of objects, of texts or of records
		*of, err = o, nil
	}
	return made, err
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

// plainResult calls a service and returns its result with Go's own containers.
func plainResult[R any](service *selfsame.Function, args []any) (made R, err error) {
	frame, err := call.CallWith((*handles.State)(unsafe.Pointer(service)), args)
	if err != nil {
		return made, inCallersTerms(err, service, args)
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
	if err, ok := elementsInto(&made, &value); ok {
		return made, err
	}
	err = c.From(&value, unsafe.Pointer(&made))
	if m, ok := err.(*convert.Mismatch); ok {
		err = fault.New("TypeError", "python: expected %s for a Go %s, got %s", convert.TypeWords(c.Name()), reflect.TypeFor[R](), m.Words())
	}
	return made, err
}

func init() {
	convert.PythonHandle = convert.ToGo
	convert.HandleOf = func(value any) (any, bool) {
		objects, _, ok := asObjects(reflect.TypeOf(value))
		if !ok {
			return nil, false
		}
		return asType(value, objects), true
	}
}

// asType returns a value as one of a type with the same layout in memory.
func asType(value any, t reflect.Type) any {
	copied := reflect.New(reflect.TypeOf(value))
	copied.Elem().Set(reflect.ValueOf(value))
	return reflect.NewAt(t, copied.UnsafePointer()).Elem().Interface()
}

// elementsInto copies the elements of a Tensor into a slice of a type that has another conversion than slices of numbers; ok is false
// for other values and types.
func elementsInto(slice any, v *abi.Any) (err error, ok bool) {
	if v.TypeIndex != abi.IndexTensor {
		return nil, false
	}
	switch slice := slice.(type) {
	case *[]byte:
		return copyElements(slice, v), true
	case *[]complex64:
		return copyElements(slice, v), true
	case *[]complex128:
		return copyElements(slice, v), true
	}
	return nil, false
}

func copyElements[E selfsame.TensorElement](to *[]E, v *abi.Any) error {
	tensor, err := convert.Load[*selfsame.Tensor](convert.MustFor(reflect.TypeFor[*selfsame.Tensor]()), v)
	if err != nil {
		return err
	}
	elements, err := selfsame.ReadOnlyElements[E](tensor)
	*to = slices.Clone(elements)
	return err
}

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
	case reflect.Func:
		return callback(arg, t)
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
		copied.Elem().Set(withCallbacks(reflect.ValueOf(arg)))
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

// withCallbacks returns a container whose funcs, where their static type is any, are what callback makes of them.
func withCallbacks(v reflect.Value) reflect.Value {
	if v.Type().Elem().Kind() != reflect.Interface {
		return v
	}
	of := func(e reflect.Value) reflect.Value {
		switch inner := e.Elem(); inner.Kind() {
		case reflect.Slice, reflect.Map:
			return withCallbacks(inner)
		case reflect.Func:
			return reflect.ValueOf(callback(inner.Interface(), inner.Type()))
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
