package selfsame

import "reflect"

// binding is a function that typed Go funcs call.
type binding struct {
	function *Function
	sig      *signature
}

// newBinding checks that a func type can be bound.
func newBinding[F any](f *Function) (*binding, error) {
	t := reflect.TypeFor[F]()
	sig, err := bindable(t)
	if err != nil {
		return nil, err
	}
	f.nativeObject() // panics now when f is nil or released
	return &binding{function: f, sig: sig}, nil
}

// Bind0 is [Bind] for a func of no parameters; see [Bind2].
func Bind0[F ~func() (R, error), R any](f *Function) (F, error) {
	to, err := newBinding[F](f)
	if err != nil {
		return nil, err
	}
	return func() (result R, err error) {
		frame := to.function.newFrame()
		if err = frame.run(to.function, 0); err != nil {
			return result, err
		}
		return take[R](to.sig.result, frame)
	}, nil
}

// Bind1 is [Bind] for a func of one parameter; see [Bind2].
func Bind1[F ~func(A) (R, error), A, R any](f *Function) (F, error) {
	to, err := newBinding[F](f)
	if err != nil {
		return nil, err
	}
	return func(a A) (result R, err error) {
		frame := to.function.newFrame()
		if err = put(frame, 0, to.sig.params[0], a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(to.function, 1); err != nil {
			return result, err
		}
		return take[R](to.sig.result, frame)
	}, nil
}

// Bind2 is [Bind] for a func of two parameters, which calls without reflection and without memory for arguments:
//
//	hypot, err := selfsame.Bind2[func(x, y float64) (float64, error)](f)
func Bind2[F ~func(A, B) (R, error), A, B, R any](f *Function) (F, error) {
	to, err := newBinding[F](f)
	if err != nil {
		return nil, err
	}
	return func(a A, b B) (result R, err error) {
		frame := to.function.newFrame()
		if err = put(frame, 0, to.sig.params[0], a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, to.sig.params[1], b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(to.function, 2); err != nil {
			return result, err
		}
		return take[R](to.sig.result, frame)
	}, nil
}

// Bind3 is [Bind] for a func of three parameters; see [Bind2].
func Bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *Function) (F, error) {
	to, err := newBinding[F](f)
	if err != nil {
		return nil, err
	}
	return func(a A, b B, c C) (result R, err error) {
		frame := to.function.newFrame()
		if err = put(frame, 0, to.sig.params[0], a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, to.sig.params[1], b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 2, to.sig.params[2], c); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(to.function, 3); err != nil {
			return result, err
		}
		return take[R](to.sig.result, frame)
	}, nil
}

// Bind4 is [Bind] for a func of four parameters; see [Bind2].
func Bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *Function) (F, error) {
	to, err := newBinding[F](f)
	if err != nil {
		return nil, err
	}
	return func(a A, b B, c C, d D) (result R, err error) {
		frame := to.function.newFrame()
		if err = put(frame, 0, to.sig.params[0], a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, to.sig.params[1], b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 2, to.sig.params[2], c); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 3, to.sig.params[3], d); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(to.function, 4); err != nil {
			return result, err
		}
		return take[R](to.sig.result, frame)
	}, nil
}
