package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
)

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

// Func0 wraps a func of no parameters that returns a result.
func Func0[R any](fn func() R) *TypedFunc {
	return typed0(fn, func() (R, error) { return fn(), nil })
}

// TryFunc0 wraps a func of no parameters that returns a result and an error.
func TryFunc0[R any](fn func() (R, error)) *TypedFunc { return typed0(fn, fn) }

// Proc0 wraps a func of no parameters that returns nothing.
func Proc0(fn func()) *TypedFunc {
	return typed0(fn, func() (none, error) { fn(); return none{}, nil })
}

// TryProc0 wraps a func of no parameters that returns an error.
func TryProc0(fn func() error) *TypedFunc {
	return typed0(fn, func() (none, error) { return none{}, fn() })
}

func typed0[R any](fn any, call func() (R, error)) *TypedFunc {
	return &TypedFunc{fn: fn, invoke: func(s *signature) invoker {
		return func(args []abi.Any, result *abi.Any) error {
			r, err := call()
			return finishCall(s, r, err, result)
		}
	}}
}

// Func1 wraps a func of one parameter that returns a result.
func Func1[A, R any](fn func(A) R) *TypedFunc {
	return typed1(fn, func(a A) (R, error) { return fn(a), nil })
}

// TryFunc1 wraps a func of one parameter that returns a result and an error.
func TryFunc1[A, R any](fn func(A) (R, error)) *TypedFunc { return typed1(fn, fn) }

// Proc1 wraps a func of one parameter that returns nothing.
func Proc1[A any](fn func(A)) *TypedFunc {
	return typed1(fn, func(a A) (none, error) { fn(a); return none{}, nil })
}

// TryProc1 wraps a func of one parameter that returns an error.
func TryProc1[A any](fn func(A) error) *TypedFunc {
	return typed1(fn, func(a A) (none, error) { return none{}, fn(a) })
}

func typed1[A, R any](fn any, call func(A) (R, error)) *TypedFunc {
	return &TypedFunc{fn: fn, invoke: func(s *signature) invoker {
		return func(args []abi.Any, result *abi.Any) error {
			a, err := argument[A](s, args, 0)
			if err != nil {
				return err
			}
			r, err := call(a)
			return finishCall(s, r, err, result)
		}
	}}
}

// Func2 wraps a func of two parameters that returns a result.
func Func2[A, B, R any](fn func(A, B) R) *TypedFunc {
	return typed2(fn, func(a A, b B) (R, error) { return fn(a, b), nil })
}

// TryFunc2 wraps a func of two parameters that returns a result and an error.
func TryFunc2[A, B, R any](fn func(A, B) (R, error)) *TypedFunc { return typed2(fn, fn) }

// Proc2 wraps a func of two parameters that returns nothing.
func Proc2[A, B any](fn func(A, B)) *TypedFunc {
	return typed2(fn, func(a A, b B) (none, error) { fn(a, b); return none{}, nil })
}

// TryProc2 wraps a func of two parameters that returns an error.
func TryProc2[A, B any](fn func(A, B) error) *TypedFunc {
	return typed2(fn, func(a A, b B) (none, error) { return none{}, fn(a, b) })
}

func typed2[A, B, R any](fn any, call func(A, B) (R, error)) *TypedFunc {
	return &TypedFunc{fn: fn, invoke: func(s *signature) invoker {
		return func(args []abi.Any, result *abi.Any) error {
			a, err := argument[A](s, args, 0)
			if err != nil {
				return err
			}
			b, err := argument[B](s, args, 1)
			if err != nil {
				return err
			}
			r, err := call(a, b)
			return finishCall(s, r, err, result)
		}
	}}
}

// Func3 wraps a func of three parameters that returns a result.
func Func3[A, B, C, R any](fn func(A, B, C) R) *TypedFunc {
	return typed3(fn, func(a A, b B, c C) (R, error) { return fn(a, b, c), nil })
}

// TryFunc3 wraps a func of three parameters that returns a result and an error.
func TryFunc3[A, B, C, R any](fn func(A, B, C) (R, error)) *TypedFunc { return typed3(fn, fn) }

// Proc3 wraps a func of three parameters that returns nothing.
func Proc3[A, B, C any](fn func(A, B, C)) *TypedFunc {
	return typed3(fn, func(a A, b B, c C) (none, error) { fn(a, b, c); return none{}, nil })
}

// TryProc3 wraps a func of three parameters that returns an error.
func TryProc3[A, B, C any](fn func(A, B, C) error) *TypedFunc {
	return typed3(fn, func(a A, b B, c C) (none, error) { return none{}, fn(a, b, c) })
}

func typed3[A, B, C, R any](fn any, call func(A, B, C) (R, error)) *TypedFunc {
	return &TypedFunc{fn: fn, invoke: func(s *signature) invoker {
		return func(args []abi.Any, result *abi.Any) error {
			a, err := argument[A](s, args, 0)
			if err != nil {
				return err
			}
			b, err := argument[B](s, args, 1)
			if err != nil {
				return err
			}
			c, err := argument[C](s, args, 2)
			if err != nil {
				return err
			}
			r, err := call(a, b, c)
			return finishCall(s, r, err, result)
		}
	}}
}

// Func4 wraps a func of four parameters that returns a result.
func Func4[A, B, C, D, R any](fn func(A, B, C, D) R) *TypedFunc {
	return typed4(fn, func(a A, b B, c C, d D) (R, error) { return fn(a, b, c, d), nil })
}

// TryFunc4 wraps a func of four parameters that returns a result and an error.
func TryFunc4[A, B, C, D, R any](fn func(A, B, C, D) (R, error)) *TypedFunc { return typed4(fn, fn) }

// Proc4 wraps a func of four parameters that returns nothing.
func Proc4[A, B, C, D any](fn func(A, B, C, D)) *TypedFunc {
	return typed4(fn, func(a A, b B, c C, d D) (none, error) { fn(a, b, c, d); return none{}, nil })
}

// TryProc4 wraps a func of four parameters that returns an error.
func TryProc4[A, B, C, D any](fn func(A, B, C, D) error) *TypedFunc {
	return typed4(fn, func(a A, b B, c C, d D) (none, error) { return none{}, fn(a, b, c, d) })
}

func typed4[A, B, C, D, R any](fn any, call func(A, B, C, D) (R, error)) *TypedFunc {
	return &TypedFunc{fn: fn, invoke: func(s *signature) invoker {
		return func(args []abi.Any, result *abi.Any) error {
			a, err := argument[A](s, args, 0)
			if err != nil {
				return err
			}
			b, err := argument[B](s, args, 1)
			if err != nil {
				return err
			}
			c, err := argument[C](s, args, 2)
			if err != nil {
				return err
			}
			d, err := argument[D](s, args, 3)
			if err != nil {
				return err
			}
			r, err := call(a, b, c, d)
			return finishCall(s, r, err, result)
		}
	}}
}
