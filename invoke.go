package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// invoker calls a Go func. It borrows the arguments, as many as the signature has parameters, and stores an owned value in
// *result.
type invoker func(args []abi.Any, result *abi.Any) error

// none is the result type of funcs without a result.
type none struct{}

// finishCall converts the result of a func into the owned value *result, or returns its error.
func finishCall[R any](s *signature, r R, err error, result *abi.Any) error {
	switch {
	case err != nil:
		return err
	case s.result == nil || s.hidden != 0:
		*result = abi.None()
		return nil
	case s.result.plain != noPlain:
		*result = abi.Any{TypeIndex: s.result.plain, Bits: *(*uint64)(unsafe.Pointer(&r))}
		return nil
	}
	if err := store(s.result, r, result); err != nil {
		return s.returned(err)
	}
	return nil
}

// argument converts argument i of a call. It must stay small enough to be inlined.
func argument[T any](s *signature, args []abi.Any, i int) (T, error) {
	if c := s.params[i]; args[i].TypeIndex == c.plain {
		return *(*T)(unsafe.Pointer(&args[i].Bits)), nil
	}
	return otherArgument[T](s, args, i)
}

func otherArgument[T any](s *signature, args []abi.Any, i int) (T, error) {
	value, err := loadOther[T](s.params[i], &args[i])
	if err != nil {
		err = s.argumentError(i, err)
	}
	return value, err
}

// TypedFunc is a Go func whose types the compiler knows at the registration, so that calls need no reflection. It is made by
// Func0 to Func4 (the func returns a result), TryFunc0 to TryFunc4 (a result and an error), Proc0 to Proc4 (nothing) and
// TryProc0 to TryProc4 (an error), and can be passed wherever this package takes a func:
//
//	selfsame.MustRegisterFunc("geo.hypot", selfsame.Func2(math.Hypot))
//	selfsame.Method("norm", selfsame.Func1((*Point).Norm), "Distance from the origin.")
//
// A func that is not typed works the same. A call of it takes hardly longer if its parameters are only numbers and
// objects, and longer otherwise. RATIONALE.md, "Why there are typed funcs, and why others are called through registers"
type TypedFunc struct {
	fn     any
	invoke func(s *signature) invoker
}

// typedFunc returns the func value in a TypedFunc, or fn itself.
func typedFunc(fn any) (reflect.Value, *TypedFunc) {
	if t, ok := fn.(*TypedFunc); ok && t != nil {
		return reflect.ValueOf(t.fn), t
	}
	return reflect.ValueOf(fn), nil
}
