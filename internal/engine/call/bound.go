package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// bindTo reads the signature of the func type F, or fails when F cannot be bound. It panics when f is nil or released.
func bindTo[F any](f *handles.State) (*signature, error) {
	functionObject(f)
	return bindable(reflect.TypeFor[F]())
}

// bindAdapted binds for Bind1 to Bind4 a func that has a context or is variadic. It returns err, the error of the
// func's signature, when that is not nil.
func bindAdapted[F any](f *handles.State, err error) (F, error) {
	if err != nil {
		var none F
		return none, err
	}
	return bindFunc[F](f)
}

// callByFrame calls f for Bind1 to Bind4 when an argument needs an argument frame. The signature has one to four parameters;
// further arguments, of type none, are ignored.
func callByFrame[R, A, B, C, D any](f *handles.State, sig *signature, a A, b B, c C, d D) (result R, err error) {
	frame, params := newFrame(f), sig.params
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

// checkOwns refuses result types that would point into an object that has no owner after the call.
func checkOwns(c *conv) error {
	if c != nil && c.borrows {
		return newError("TypeError", "expected a result type that owns its value, got %s; use *Handle", c.goType)
	}
	return nil
}

// bindable returns the signature of a func type that a Function can be bound to. Its errors name Bind as the function
// called.
func bindable(t reflect.Type) (*signature, error) {
	sig, err := bindSignature(t)
	if err != nil {
		return nil, newError("TypeError", "selfsame: Bind: %s", reason(err))
	}
	return sig, nil
}

func bindSignature(t reflect.Type) (*signature, error) {
	sig, err := signatureOf("", t, signatureOptions{})
	if err != nil {
		return nil, err
	}
	for i, c := range sig.params {
		if c.onlyParameter != "" {
			return nil, newError("TypeError", "parameter %d: %s %s", i, c.goType, c.onlyParameter)
		}
	}
	if sig.result != nil && sig.result.onlyResult != "" {
		return nil, newError("TypeError", "result: %s %s", sig.result.goType, sig.result.onlyResult)
	}
	return sig, checkOwns(sig.result)
}

func checkBindable(t reflect.Type) error {
	_, err := bindSignature(t)
	return err
}

// bind0 makes the func that Bind0 of the public package returns.
func bind0[F ~func() (R, error), R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	return func() (result R, err error) {
		v := bridge.Call2(functionObject(f), 0, abi.Any{}, abi.Any{})
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}, nil
}

// bind1 makes the func that Bind1 of the public package returns.
func bind1[F ~func(A) (R, error), A, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	return func(a A) (R, error) { return call1[A, R](f, sig, a) }, nil
}

// bind2 makes the func that Bind2 of the public package returns.
func bind2[F ~func(A, B) (R, error), A, B, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.adapted() {
		return bindAdapted[F](f, err)
	}
	return func(a A, b B) (R, error) { return call2[A, B, R](f, sig, a, b) }, nil
}

// bind3 makes the func that Bind3 of the public package returns.
func bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *handles.State) (F, error) {
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
			v := bridge.Call4(functionObject(f), 3, v1, v2, v3, abi.Any{})
			runtime.KeepAlive(held1)
			runtime.KeepAlive(held2)
			runtime.KeepAlive(held3)
			runtime.KeepAlive(f)
			return taken[R](sig, v)
		}
		return callByFrame[R](f, sig, a, b, c, none{})
	}, nil
}

// bind4 makes the func that Bind4 of the public package returns.
func bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *handles.State) (F, error) {
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
			v := bridge.Call4(functionObject(f), 4, v1, v2, v3, v4)
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

// bindFunc makes the func that Bind of the public package returns.
func bindFunc[F any](f *handles.State) (F, error) {
	var out F
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		return out, newError("TypeError", "selfsame: Bind: expected a func type, got %s", t)
	}
	sig, err := bindable(t)
	if err != nil {
		return out, err
	}
	bindAt(f, t, sig, unsafe.Pointer(&out))
	return out, nil
}

// taken consumes the owned result of a call of a func of the signature, and returns its Go value or the error of the call.
func taken[T any](s *signature, result abi.Any) (value T, err error) {
	c := s.result
	switch {
	case result.TypeIndex == bridge.Failed:
		return value, takeError(result.Pointer())
	case result.TypeIndex == abi.IndexInt && c.fast == fastInt64,
		result.TypeIndex == abi.IndexFloat && c.fast == fastFloat64:
		*(*uint64)(unsafe.Pointer(&value)) = result.Bits
		return value, nil
	case result.TypeIndex == abi.IndexBool && c.fast == fastBool:
		*(*bool)(unsafe.Pointer(&value)) = result.Bits != 0
		return value, nil
	case c.fast == fastHandle && result.IsObject() && c.handleOf.isInstance(result.TypeIndex):
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Adopt(result.Pointer()))
		return value, nil
	}
	frame := outFrames.Get().(*outFrame) // take needs the result in memory
	frame.Result = result
	return take[T](s, frame)
}

// take consumes the owned result in the frame, puts the frame back into the pool and returns the result's Go value.
func take[T any](s *signature, f *outFrame) (value T, err error) {
	c := s.result
	if c.fast == fastHandle && f.Result.IsObject() && c.handleOf.isInstance(f.Result.TypeIndex) {
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Adopt(f.Result.Pointer()))
		putFrame(f)
		return value, nil
	}
	value, err = load[T](c, &f.Result) // reads it in the frame: a copy would go to the heap
	result := f.Result
	putFrame(f)
	releaseValue(result)
	return value, s.resultError(err)
}

// none stands for a parameter that a func does not have.
type none struct{}
