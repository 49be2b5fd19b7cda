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
