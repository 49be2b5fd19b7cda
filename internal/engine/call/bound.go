package call

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// bindTo reads the signature of the func type F, or fails when F cannot be bound. It panics when f is nil or released.
func bindTo[F any](f *handles.State) (*Signature, error) {
	values.FunctionObject(f)
	return bindable(reflect.TypeFor[F]())
}

// bindReshaped binds for Bind1 to Bind4 a func that has a context or is variadic. It returns err, the error of the
// func's signature, when that is not nil.
func bindReshaped[F any](f *handles.State, err error) (F, error) {
	if err != nil {
		var none F
		return none, err
	}
	return BindFunc[F](f)
}

// callByFrame calls f for Bind1 to Bind4 when an argument needs an argument frame. The signature has one to four parameters;
// further arguments, of type none, are ignored.
func callByFrame[R, A, B, C, D any](f *handles.State, sig *Signature, a A, b B, c C, d D) (result R, err error) {
	frame, params := values.NewFrame(f), sig.Params
	err = convert.Put(frame, 0, params[0], a)
	if err == nil && len(params) > 1 {
		err = convert.Put(frame, 1, params[1], b)
	}
	if err == nil && len(params) > 2 {
		err = convert.Put(frame, 2, params[2], c)
	}
	if err == nil && len(params) > 3 {
		err = convert.Put(frame, 3, params[3], d)
	}
	if err != nil {
		frame.Abandon()
		return result, err
	}
	if err = frame.Run(f, len(params)); err != nil {
		return result, err
	}
	return take[R](sig, frame)
}

// CheckOwns refuses result types that would point into an object that has no owner after the call.
func CheckOwns(c *convert.Conv) error {
	if c != nil && c.Borrows {
		return fault.New("TypeError", "expected a result type that owns its value, got %s; use *Handle", c.GoType)
	}
	return nil
}

// bindable returns the signature of a func type that a Function can be bound to. Its errors name Bind as the function
// called.
func bindable(t reflect.Type) (*Signature, error) {
	sig, err := bindSignature(t)
	if err != nil {
		return nil, fault.New("TypeError", "selfsame: Bind: %s", fault.Reason(err))
	}
	return sig, nil
}

func bindSignature(t reflect.Type) (*Signature, error) {
	sig, err := SignatureOf("", t, SignatureOptions{})
	if err != nil {
		return nil, err
	}
	for i, c := range sig.Params {
		if c.OnlyParameter != "" {
			return nil, fault.New("TypeError", "parameter %d: %s %s", i, c.GoType, c.OnlyParameter)
		}
	}
	if sig.Result != nil && sig.Result.OnlyResult != "" {
		return nil, fault.New("TypeError", "result: %s %s", sig.Result.GoType, sig.Result.OnlyResult)
	}
	return sig, CheckOwns(sig.Result)
}

func checkBindable(t reflect.Type) error {
	_, err := bindSignature(t)
	return err
}

// Bind0 makes the func that Bind0 of the public package returns.
func Bind0[F ~func() (R, error), R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil {
		return nil, err
	}
	return func() (result R, err error) {
		v := bridge.Call2(values.FunctionObject(f), 0, abi.Any{}, abi.Any{})
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}, nil
}

// Bind1 makes the func that Bind1 of the public package returns.
func Bind1[F ~func(A) (R, error), A, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.Reshapes() {
		return bindReshaped[F](f, err)
	}
	return func(a A) (R, error) { return call1[A, R](f, sig, a) }, nil
}

// Bind2 makes the func that Bind2 of the public package returns.
func Bind2[F ~func(A, B) (R, error), A, B, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.Reshapes() {
		return bindReshaped[F](f, err)
	}
	return func(a A, b B) (R, error) { return call2[A, B, R](f, sig, a, b) }, nil
}

// Bind3 makes the func that Bind3 of the public package returns.
func Bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.Reshapes() {
		return bindReshaped[F](f, err)
	}
	c1, c2, c3 := sig.Params[0], sig.Params[1], sig.Params[2]
	return func(a A, b B, c C) (result R, err error) {
		v1, held1, ok1 := convert.Direct(c1, a)
		v2, held2, ok2 := convert.Direct(c2, b)
		v3, held3, ok3 := convert.Direct(c3, c)
		if ok1 && ok2 && ok3 {
			v := bridge.Call4(values.FunctionObject(f), 3, v1, v2, v3, abi.Any{})
			runtime.KeepAlive(held1)
			runtime.KeepAlive(held2)
			runtime.KeepAlive(held3)
			runtime.KeepAlive(f)
			return taken[R](sig, v)
		}
		return callByFrame[R](f, sig, a, b, c, none{})
	}, nil
}

// Bind4 makes the func that Bind4 of the public package returns.
func Bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *handles.State) (F, error) {
	sig, err := bindTo[F](f)
	if err != nil || sig.Reshapes() {
		return bindReshaped[F](f, err)
	}
	c1, c2, c3, c4 := sig.Params[0], sig.Params[1], sig.Params[2], sig.Params[3]
	return func(a A, b B, c C, d D) (result R, err error) {
		v1, held1, ok1 := convert.Direct(c1, a)
		v2, held2, ok2 := convert.Direct(c2, b)
		v3, held3, ok3 := convert.Direct(c3, c)
		v4, held4, ok4 := convert.Direct(c4, d)
		if ok1 && ok2 && ok3 && ok4 {
			v := bridge.Call4(values.FunctionObject(f), 4, v1, v2, v3, v4)
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

// BindFunc makes the func that Bind of the public package returns.
func BindFunc[F any](f *handles.State) (F, error) {
	var out F
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		return out, fault.New("TypeError", "selfsame: Bind: expected a func type, got %s", t)
	}
	sig, err := bindable(t)
	if err != nil {
		return out, err
	}
	bindAt(f, t, sig, unsafe.Pointer(&out))
	return out, nil
}

// taken consumes the owned result of a call of a func of the signature, and returns its Go value or the error of the call.
func taken[T any](s *Signature, result abi.Any) (value T, err error) {
	c := s.Result
	switch {
	case result.TypeIndex == bridge.Failed:
		return value, fault.Take(result.Pointer())
	case result.TypeIndex == abi.IndexInt && c.Fast == convert.FastInt64,
		result.TypeIndex == abi.IndexFloat && c.Fast == convert.FastFloat64:
		*(*uint64)(unsafe.Pointer(&value)) = result.Bits
		return value, nil
	case result.TypeIndex == abi.IndexBool && c.Fast == convert.FastBool:
		*(*bool)(unsafe.Pointer(&value)) = result.Bits != 0
		return value, nil
	case c.Nilable && result.TypeIndex == abi.IndexNone:
		return value, nil
	case c.Fast == convert.FastHandle && result.IsObject() && c.HandleOf.IsInstance(result.TypeIndex):
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.FetchOwned(result.Pointer()))
		return value, nil
	}
	frame := values.Frames.Get().(*values.Frame) // take needs the result in memory
	frame.Result = result
	return take[T](s, frame)
}

// take consumes the owned result in the frame, puts the frame back into the pool and returns the result's Go value.
func take[T any](s *Signature, f *values.Frame) (value T, err error) {
	c := s.Result
	if c.Fast == convert.FastHandle && f.Result.IsObject() && c.HandleOf.IsInstance(f.Result.TypeIndex) {
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.FetchOwned(f.Result.Pointer()))
		values.PutFrame(f)
		return value, nil
	}
	value, err = convert.Load[T](c, &f.Result) // reads it in the frame: a copy would go to the heap
	result := f.Result
	values.PutFrame(f)
	values.Release(result)
	return value, s.resultError(err)
}

// none stands for a parameter that a func does not have.
type none struct{}
