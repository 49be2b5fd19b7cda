package python

import (
	"iter"
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
// struct or a *selfsame.Tensor, with Go's own containers; *Object is the object itself. For any it is nil, a bool, an int64, a
// float64, a string, a []byte, a []any, a map, a time, a handle, and an *Object for what has no counterpart. As fails with a
// TypeError when the object cannot be converted.
func As[T any](o *Object, err error) (T, error) {
	var none T
	if err != nil {
		return none, err
	}
	if same, ok := any(o).(T); ok && reflect.TypeFor[T]() == reflect.TypeFor[*Object]() {
		return same, nil
	}
	return result[T](services.value, o)
}

// CallAs calls an object as [Object.Call] does, and returns the result as a Go value, as [As] does. It makes no handle of
// the result, and is faster.
func CallAs[T any](o *Object, args ...any) (T, error) {
	if _, ok := lastKeywords(args); ok {
		return As[T](o.Call(args...))
	}
	return result[T](services.callValue, arguments([]any{o}, args)...)
}

// plainResult calls a function and returns its result with Go's own containers.
func plainResult[R any](f *selfsame.Function, args []any) (made R, err error) {
	c, err := convert.ForPlain(reflect.TypeFor[R]())
	if err == nil {
		err = call.CheckOwns(c)
	}
	if err != nil {
		return made, fault.New("TypeError", "python: %s", fault.Reason(err))
	}
	frame, err := call.CallWith((*handles.State)(unsafe.Pointer(f)), args)
	if err != nil {
		return made, err
	}
	value := frame.Result
	values.PutFrame(frame)
	if at, isAny := any(&made).(*any); isAny {
		err = anyOf(&value, at)
	} else {
		err = c.From(&value, unsafe.Pointer(&made))
	}
	values.Release(value)
	if m, ok := err.(*convert.Mismatch); ok {
		err = fault.New("TypeError", "python: expected %s for a Go %s, got %s", convert.TypeWords(c.Name()), reflect.TypeFor[R](), m.Words())
	}
	return made, err
}

// anyOf stores the Go value of a borrowed value: an *Object for a Python object without a counterpart in Go.
func anyOf(v *abi.Any, at *any) (err error) {
	if err = convert.PlainAny(v, at); err != nil && v.TypeIndex == abi.IndexOpaquePyObject {
		*at, err = convert.ToGo(v)
	}
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
	case reflect.Slice, reflect.Map, reflect.Array:
		c, err := convert.ForPlain(t)
		if err != nil {
			return arg // the call says what is wrong
		}
		copied := reflect.New(t)
		copied.Elem().Set(reflect.ValueOf(arg))
		return convert.Typed{Conv: convert.PlainResult(c), At: copied.UnsafePointer()}
	}
	return arg
}

// None is Python's None where nil means that an option is not given.
var None = new(Object)

// Cast returns a handle as one of a Go type for a class: a struct that embeds [Object], or another such struct, and has no other
// field. Packages that selfsame-ffi bind --go --python writes use it. It takes a result with its error, as [As] does. Python's
// None becomes nil. It does not look at the object's class, and panics with a TypeError when T is another type.
func Cast[T any](o *Object, err error) (*T, error) {
	if !isObjectStruct(reflect.TypeFor[T]()) {
		panic(fault.New("TypeError", "python: Cast: expected a struct whose only field is an embedded python.Object or another such "+
			"struct, got %s", reflect.TypeFor[T]()))
	}
	if err != nil || o == services.none {
		return nil, err
	}
	return (*T)(unsafe.Pointer(o)), nil
}

func isObjectStruct(t reflect.Type) bool {
	for t != reflect.TypeFor[Object]() {
		if t.Kind() != reflect.Struct || t.NumField() != 1 || !t.Field(0).Anonymous {
			return false
		}
		t = t.Field(0).Type
	}
	return true
}

// Done returns the error of a call whose result is of no use.
func Done(_ *Object, err error) error { return err }

// Iterate iterates over an object as [Object.All] does, with elements as [As] makes them. It takes a result with its error,
// which is then the only one that the loop sees.
func Iterate[T any](o *Object, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err != nil {
			yield(*new(T), err)
			return
		}
		for element, err := range o.All() {
			if made, err := As[T](element, err); !yield(made, err) || err != nil {
				return
			}
		}
	}
}
