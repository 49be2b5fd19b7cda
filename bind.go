package selfsame

import (
	"reflect"
	"runtime"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// none is the result type of funcs without a result.
type none struct{}

// bindTo reads the signature of the func type F, or fails when F cannot be bound. It panics when f is nil or released.
func bindTo[F any](f *Function) (*signature, error) {
	f.nativeObject()
	return bindable(reflect.TypeFor[F]())
}

// Bind0 is [Bind] for a func of no parameters; see [Bind2].
func Bind0[F ~func() (R, error), R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	return func() (result R, err error) {
		v := bridge.Call2(f.nativeObject(), 0, abi.Any{}, abi.Any{})
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}, nil
}

// Bind1 is [Bind] for a func of one parameter; see [Bind2].
func Bind1[F ~func(A) (R, error), A, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	return func(a A) (R, error) { return call1[A, R](f, sig, a) }, nil
}

// Bind2 is [Bind] for a func of two parameters. Calls of the result use no reflection, and numbers and handles among the
// arguments cost no allocation:
//
//	hypot, err := selfsame.Bind2[func(x, y float64) (float64, error)](f)
//
// The result keeps f alive. It may be called from any goroutine; it panics when f or an argument is a released handle.
//
// RATIONALE.md, "Why a bound func passes its arguments as words"
func Bind2[F ~func(A, B) (R, error), A, B, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	return func(a A, b B) (R, error) { return call2[A, B, R](f, sig, a, b) }, nil
}

// Bind3 is [Bind] for a func of three parameters; see [Bind2].
func Bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	c1, c2, c3 := sig.params[0], sig.params[1], sig.params[2]
	return func(a A, b B, c C) (result R, err error) {
		v1, held1, ok1 := direct(c1, a)
		v2, held2, ok2 := direct(c2, b)
		v3, held3, ok3 := direct(c3, c)
		if ok1 && ok2 && ok3 {
			v := bridge.Call4(f.nativeObject(), 3, v1, v2, v3, abi.Any{})
			runtime.KeepAlive(held1)
			runtime.KeepAlive(held2)
			runtime.KeepAlive(held3)
			runtime.KeepAlive(f)
			return taken[R](sig, v)
		}
		return callByFrame[R](f, sig, a, b, c, none{})
	}, nil
}

// Bind4 is [Bind] for a func of four parameters; see [Bind2].
func Bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	c1, c2, c3, c4 := sig.params[0], sig.params[1], sig.params[2], sig.params[3]
	return func(a A, b B, c C, d D) (result R, err error) {
		v1, held1, ok1 := direct(c1, a)
		v2, held2, ok2 := direct(c2, b)
		v3, held3, ok3 := direct(c3, c)
		v4, held4, ok4 := direct(c4, d)
		if ok1 && ok2 && ok3 && ok4 {
			v := bridge.Call4(f.nativeObject(), 4, v1, v2, v3, v4)
			runtime.KeepAlive(held1)
			runtime.KeepAlive(held2)
			runtime.KeepAlive(held3)
			runtime.KeepAlive(held4)
			runtime.KeepAlive(f)
			return taken[R](sig, v)
		}
		return callByFrame[R](f, sig, a, b, c, d)
	}, nil
}

// bindAdapted is Bind for Bind1 to Bind4, when the func has a context or is variadic; or the error err of its signature.
func bindAdapted[F any](f *Function, err error) (F, error) {
	if err != nil {
		var none F
		return none, err
	}
	return Bind[F](f)
}

// callByFrame calls f for Bind1 to Bind4 when an argument needs an argument frame. The signature has one to four parameters;
// further arguments, of type none, are ignored.
func callByFrame[R, A, B, C, D any](f *Function, sig *signature, a A, b B, c C, d D) (result R, err error) {
	frame, params := f.newFrame(), sig.params
	err = put(frame, 0, params[0], a)
	if err == nil && len(params) > 1 {
		err = put(frame, 1, params[1], b)
	}
	if err == nil && len(params) > 2 {
		err = put(frame, 2, params[2], c)
	}
	if err == nil && len(params) > 3 {
		err = put(frame, 3, params[3], d)
	}
	if err != nil {
		frame.abandon()
		return result, err
	}
	if err = frame.run(f, len(params)); err != nil {
		return result, err
	}
	return take[R](sig, frame)
}
