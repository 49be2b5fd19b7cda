package selfsame_test

import (
	"github.com/selfsame-ffi/selfsame/gen/overlay"
)

// Each func below gives a func a type of its own that has an adapter, as those that selfsame-ffi build writes, so that tests
// can call the same func by reflection and by an adapter.

// adapter0 adapts a func type of 0 parameters.
func adapter0[F any](then func(F, overlay.AdaptedCall) error) {
	overlay.Adapter(func(fn F, call overlay.AdaptedCall) error {
		return then(fn, call)
	})
}

func finish[R any](c overlay.AdaptedCall, r R, err error) error {
	if err != nil {
		return err
	}
	return overlay.AdaptedResult(c, r)
}

func finishWithout(c overlay.AdaptedCall, err error) error {
	if err != nil {
		return err
	}
	return c.NoResult()
}

func adaptedFunc0[R any](fn func() R) any {
	type adapted func() R
	adapter0(func(fn adapted, call overlay.AdaptedCall) error {
		return overlay.AdaptedResult(call, fn())
	})
	return adapted(fn)
}

func adaptedTryFunc0[R any](fn func() (R, error)) any {
	type adapted func() (R, error)
	adapter0(func(fn adapted, call overlay.AdaptedCall) error {
		r, err := fn()
		return finish(call, r, err)
	})
	return adapted(fn)
}

func adaptedProc0(fn func()) any {
	type adapted func()
	adapter0(func(fn adapted, call overlay.AdaptedCall) error {
		fn()
		return call.NoResult()
	})
	return adapted(fn)
}

func adaptedTryProc0(fn func() error) any {
	type adapted func() error
	adapter0(func(fn adapted, call overlay.AdaptedCall) error {
		return finishWithout(call, fn())
	})
	return adapted(fn)
}

// adapter1 adapts a func type of one parameter.
func adapter1[F, A any](then func(F, A, overlay.AdaptedCall) error) {
	overlay.Adapter(func(fn F, call overlay.AdaptedCall) error {
		a, err := overlay.AdaptedArgument[A](call, 0)
		if err != nil {
			return err
		}
		return then(fn, a, call)
	})
}

func adaptedFunc1[A, R any](fn func(A) R) any {
	type adapted func(A) R
	adapter1(func(fn adapted, a A, call overlay.AdaptedCall) error {
		return overlay.AdaptedResult(call, fn(a))
	})
	return adapted(fn)
}

func adaptedTryFunc1[A, R any](fn func(A) (R, error)) any {
	type adapted func(A) (R, error)
	adapter1(func(fn adapted, a A, call overlay.AdaptedCall) error {
		r, err := fn(a)
		return finish(call, r, err)
	})
	return adapted(fn)
}

func adaptedProc1[A any](fn func(A)) any {
	type adapted func(A)
	adapter1(func(fn adapted, a A, call overlay.AdaptedCall) error {
		fn(a)
		return call.NoResult()
	})
	return adapted(fn)
}

func adaptedTryProc1[A any](fn func(A) error) any {
	type adapted func(A) error
	adapter1(func(fn adapted, a A, call overlay.AdaptedCall) error {
		return finishWithout(call, fn(a))
	})
	return adapted(fn)
}

// adapter2 adapts a func type of 2 parameters.
func adapter2[F, A, B any](then func(F, A, B, overlay.AdaptedCall) error) {
	overlay.Adapter(func(fn F, call overlay.AdaptedCall) error {
		a, err := overlay.AdaptedArgument[A](call, 0)
		if err != nil {
			return err
		}
		b, err := overlay.AdaptedArgument[B](call, 1)
		if err != nil {
			return err
		}
		return then(fn, a, b, call)
	})
}

func adaptedFunc2[A, B, R any](fn func(A, B) R) any {
	type adapted func(A, B) R
	adapter2(func(fn adapted, a A, b B, call overlay.AdaptedCall) error {
		return overlay.AdaptedResult(call, fn(a, b))
	})
	return adapted(fn)
}

func adaptedTryFunc2[A, B, R any](fn func(A, B) (R, error)) any {
	type adapted func(A, B) (R, error)
	adapter2(func(fn adapted, a A, b B, call overlay.AdaptedCall) error {
		r, err := fn(a, b)
		return finish(call, r, err)
	})
	return adapted(fn)
}

func adaptedProc2[A, B any](fn func(A, B)) any {
	type adapted func(A, B)
	adapter2(func(fn adapted, a A, b B, call overlay.AdaptedCall) error {
		fn(a, b)
		return call.NoResult()
	})
	return adapted(fn)
}

func adaptedTryProc2[A, B any](fn func(A, B) error) any {
	type adapted func(A, B) error
	adapter2(func(fn adapted, a A, b B, call overlay.AdaptedCall) error {
		return finishWithout(call, fn(a, b))
	})
	return adapted(fn)
}

// adapter3 adapts a func type of 3 parameters.
func adapter3[F, A, B, C any](then func(F, A, B, C, overlay.AdaptedCall) error) {
	overlay.Adapter(func(fn F, call overlay.AdaptedCall) error {
		a, err := overlay.AdaptedArgument[A](call, 0)
		if err != nil {
			return err
		}
		b, err := overlay.AdaptedArgument[B](call, 1)
		if err != nil {
			return err
		}
		c, err := overlay.AdaptedArgument[C](call, 2)
		if err != nil {
			return err
		}
		return then(fn, a, b, c, call)
	})
}

func adaptedFunc3[A, B, C, R any](fn func(A, B, C) R) any {
	type adapted func(A, B, C) R
	adapter3(func(fn adapted, a A, b B, c C, call overlay.AdaptedCall) error {
		return overlay.AdaptedResult(call, fn(a, b, c))
	})
	return adapted(fn)
}

func adaptedTryFunc3[A, B, C, R any](fn func(A, B, C) (R, error)) any {
	type adapted func(A, B, C) (R, error)
	adapter3(func(fn adapted, a A, b B, c C, call overlay.AdaptedCall) error {
		r, err := fn(a, b, c)
		return finish(call, r, err)
	})
	return adapted(fn)
}

func adaptedProc3[A, B, C any](fn func(A, B, C)) any {
	type adapted func(A, B, C)
	adapter3(func(fn adapted, a A, b B, c C, call overlay.AdaptedCall) error {
		fn(a, b, c)
		return call.NoResult()
	})
	return adapted(fn)
}

func adaptedTryProc3[A, B, C any](fn func(A, B, C) error) any {
	type adapted func(A, B, C) error
	adapter3(func(fn adapted, a A, b B, c C, call overlay.AdaptedCall) error {
		return finishWithout(call, fn(a, b, c))
	})
	return adapted(fn)
}

// adapter4 adapts a func type of 4 parameters.
func adapter4[F, A, B, C, D any](then func(F, A, B, C, D, overlay.AdaptedCall) error) {
	overlay.Adapter(func(fn F, call overlay.AdaptedCall) error {
		a, err := overlay.AdaptedArgument[A](call, 0)
		if err != nil {
			return err
		}
		b, err := overlay.AdaptedArgument[B](call, 1)
		if err != nil {
			return err
		}
		c, err := overlay.AdaptedArgument[C](call, 2)
		if err != nil {
			return err
		}
		d, err := overlay.AdaptedArgument[D](call, 3)
		if err != nil {
			return err
		}
		return then(fn, a, b, c, d, call)
	})
}

func adaptedFunc4[A, B, C, D, R any](fn func(A, B, C, D) R) any {
	type adapted func(A, B, C, D) R
	adapter4(func(fn adapted, a A, b B, c C, d D, call overlay.AdaptedCall) error {
		return overlay.AdaptedResult(call, fn(a, b, c, d))
	})
	return adapted(fn)
}

func adaptedTryFunc4[A, B, C, D, R any](fn func(A, B, C, D) (R, error)) any {
	type adapted func(A, B, C, D) (R, error)
	adapter4(func(fn adapted, a A, b B, c C, d D, call overlay.AdaptedCall) error {
		r, err := fn(a, b, c, d)
		return finish(call, r, err)
	})
	return adapted(fn)
}

func adaptedProc4[A, B, C, D any](fn func(A, B, C, D)) any {
	type adapted func(A, B, C, D)
	adapter4(func(fn adapted, a A, b B, c C, d D, call overlay.AdaptedCall) error {
		fn(a, b, c, d)
		return call.NoResult()
	})
	return adapted(fn)
}

func adaptedTryProc4[A, B, C, D any](fn func(A, B, C, D) error) any {
	type adapted func(A, B, C, D) error
	adapter4(func(fn adapted, a A, b B, c C, d D, call overlay.AdaptedCall) error {
		return finishWithout(call, fn(a, b, c, d))
	})
	return adapted(fn)
}
