package selfsame

import "reflect"

// bindTo checks that a func type can be bound to a function. It panics when the function is nil or released.
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
	r := sig.result
	return func() (result R, err error) {
		frame := f.newFrame()
		if err = frame.run(f, 0); err != nil {
			return result, err
		}
		return take[R](r, frame)
	}, nil
}

// Bind1 is [Bind] for a func of one parameter; see [Bind2].
func Bind1[F ~func(A) (R, error), A, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	c1, r := sig.params[0], sig.result
	return func(a A) (result R, err error) {
		frame := f.newFrame()
		if err = put(frame, 0, c1, a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(f, 1); err != nil {
			return result, err
		}
		return take[R](r, frame)
	}, nil
}

// Bind2 is [Bind] for a func of two parameters, which calls without reflection and without memory for arguments:
//
//	hypot, err := selfsame.Bind2[func(x, y float64) (float64, error)](f)
func Bind2[F ~func(A, B) (R, error), A, B, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	c1, c2, r := sig.params[0], sig.params[1], sig.result
	return func(a A, b B) (result R, err error) {
		frame := f.newFrame()
		if err = put(frame, 0, c1, a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, c2, b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(f, 2); err != nil {
			return result, err
		}
		return take[R](r, frame)
	}, nil
}

// Bind3 is [Bind] for a func of three parameters; see [Bind2].
func Bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	c1, c2, c3, r := sig.params[0], sig.params[1], sig.params[2], sig.result
	return func(a A, b B, c C) (result R, err error) {
		frame := f.newFrame()
		if err = put(frame, 0, c1, a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, c2, b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 2, c3, c); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(f, 3); err != nil {
			return result, err
		}
		return take[R](r, frame)
	}, nil
}

// Bind4 is [Bind] for a func of four parameters; see [Bind2].
func Bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *Function) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	c1, c2, c3, c4, r := sig.params[0], sig.params[1], sig.params[2], sig.params[3], sig.result
	return func(a A, b B, c C, d D) (result R, err error) {
		frame := f.newFrame()
		if err = put(frame, 0, c1, a); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 1, c2, b); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 2, c3, c); err != nil {
			frame.abandon()
			return result, err
		}
		if err = put(frame, 3, c4, d); err != nil {
			frame.abandon()
			return result, err
		}
		if err = frame.run(f, 4); err != nil {
			return result, err
		}
		return take[R](r, frame)
	}, nil
}
