package call

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Bound funcs of up to two parameters are made without reflection when the types of the parameters are those below, or
// have their kinds. Go calls a func that takes an int64 exactly as one that takes a named type of that kind, and a func
// that takes an unsafe.Pointer as one that takes a *Handle. So one closure for each combination of kinds, under another
// type, serves all func types.

// shapeOfKind returns the kind that stands for the type of a parameter or result: convert.FastInt64, convert.FastFloat64, convert.FastString,
// convert.FastBool or convert.FastHandle, which stands for all pointers. It returns convert.NoFastPath when there is none.
func shapeOfKind(c *convert.Conv) convert.FastKind {
	switch c.Fast {
	case convert.FastInt64, convert.FastFloat64, convert.FastString, convert.FastBool, convert.FastHandle:
		return c.Fast
	case convert.FastBorrowed:
		return convert.FastHandle
	}
	return convert.NoFastPath
}

// shapedFunc returns the value of a func of the signature, which calls f; nil when it takes reflection.
func shapedFunc(f *handles.State, sig *Signature) unsafe.Pointer {
	if sig.Reshapes() {
		return nil
	}
	switch len(sig.Params) {
	case 1:
		switch shapeOfKind(sig.Params[0]) {
		case convert.FastInt64:
			return shape1[int64](f, sig)
		case convert.FastFloat64:
			return shape1[float64](f, sig)
		case convert.FastString:
			return shape1[string](f, sig)
		case convert.FastHandle:
			return shape1[unsafe.Pointer](f, sig)
		}
	case 2:
		switch shapeOfKind(sig.Params[0]) {
		case convert.FastInt64:
			return shape2[int64](f, sig)
		case convert.FastFloat64:
			return shape2[float64](f, sig)
		case convert.FastString:
			return shape2[string](f, sig)
		case convert.FastHandle:
			return shape2[unsafe.Pointer](f, sig)
		}
	}
	return nil
}

// shape1 does shapedFunc's work for a parameter of type A.
func shape1[A any](f *handles.State, sig *Signature) unsafe.Pointer {
	if sig.Result == nil {
		if sig.fails {
			return valueOf(func(a A) error { return proc1(f, sig, a) })
		}
		return valueOf(func(a A) { mustDo(proc1(f, sig, a)) })
	}
	switch shapeOfKind(sig.Result) {
	case convert.FastInt64:
		return returning1[A, int64](f, sig)
	case convert.FastFloat64:
		return returning1[A, float64](f, sig)
	case convert.FastString:
		return returning1[A, string](f, sig)
	case convert.FastBool:
		return returning1[A, bool](f, sig)
	case convert.FastHandle:
		return returning1[A, unsafe.Pointer](f, sig)
	}
	return nil
}

func returning1[A, R any](f *handles.State, sig *Signature) unsafe.Pointer {
	if sig.fails {
		return valueOf(func(a A) (R, error) { return call1[A, R](f, sig, a) })
	}
	return valueOf(func(a A) R { return mustGet(call1[A, R](f, sig, a)) })
}

// shape2 does shapedFunc's work for two parameters, the first of type A.
func shape2[A any](f *handles.State, sig *Signature) unsafe.Pointer {
	switch shapeOfKind(sig.Params[1]) {
	case convert.FastInt64:
		return shape2Of[A, int64](f, sig)
	case convert.FastFloat64:
		return shape2Of[A, float64](f, sig)
	case convert.FastString:
		return shape2Of[A, string](f, sig)
	case convert.FastHandle:
		return shape2Of[A, unsafe.Pointer](f, sig)
	}
	return nil
}

func shape2Of[A, B any](f *handles.State, sig *Signature) unsafe.Pointer {
	if sig.Result == nil {
		if sig.fails {
			return valueOf(func(a A, b B) error { return proc2(f, sig, a, b) })
		}
		return valueOf(func(a A, b B) { mustDo(proc2(f, sig, a, b)) })
	}
	switch shapeOfKind(sig.Result) {
	case convert.FastInt64:
		return returning2[A, B, int64](f, sig)
	case convert.FastFloat64:
		return returning2[A, B, float64](f, sig)
	case convert.FastString:
		return returning2[A, B, string](f, sig)
	case convert.FastBool:
		return returning2[A, B, bool](f, sig)
	case convert.FastHandle:
		return returning2[A, B, unsafe.Pointer](f, sig)
	}
	return nil
}

func returning2[A, B, R any](f *handles.State, sig *Signature) unsafe.Pointer {
	if sig.fails {
		return valueOf(func(a A, b B) (R, error) { return call2[A, B, R](f, sig, a, b) })
	}
	return valueOf(func(a A, b B) R { return mustGet(call2[A, B, R](f, sig, a, b)) })
}

// valueOf returns a func value as what it is, a pointer to the closure.
func valueOf[F any](fn F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&fn)) }

// mustGet and mustDo raise the error of a func whose type has no error.
func mustGet[R any](r R, err error) R {
	mustDo(err)
	return r
}

func mustDo(err error) {
	if err != nil {
		raiseOrReport(err)
	}
}

// call1 calls f with one argument.
func call1[A, R any](f *handles.State, sig *Signature, a A) (result R, err error) {
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	if ok1 {
		v := bridge.Call2(values.FunctionObject(f), 1, v1, abi.Any{})
		runtime.KeepAlive(held1)
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}
	frame, err := framed1(f, sig, a)
	if err == nil {
		err = frame.Run(f, 1)
	}
	if err != nil {
		return result, err
	}
	return take[R](sig, frame)
}

// call2 calls f with two arguments.
func call2[A, B, R any](f *handles.State, sig *Signature, a A, b B) (result R, err error) {
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	v2, held2, ok2 := convert.Direct(sig.Params[1], b)
	if ok1 && ok2 {
		v := bridge.Call2(values.FunctionObject(f), 2, v1, v2)
		runtime.KeepAlive(held1)
		runtime.KeepAlive(held2)
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}
	frame, err := framed2(f, sig, a, b)
	if err == nil {
		err = frame.Run(f, 2)
	}
	if err != nil {
		return result, err
	}
	return take[R](sig, frame)
}

// proc1 does call1's work for a func without a result.
func proc1[A any](f *handles.State, sig *Signature, a A) error {
	frame, err := framed1(f, sig, a)
	if err != nil {
		return err
	}
	return runProc(f, frame, 1)
}

// proc2 does call2's work for a func without a result.
func proc2[A, B any](f *handles.State, sig *Signature, a A, b B) error {
	frame, err := framed2(f, sig, a, b)
	if err != nil {
		return err
	}
	return runProc(f, frame, 2)
}

// framed1 returns an argument frame with the argument in it.
func framed1[A any](f *handles.State, sig *Signature, a A) (*values.Frame, error) {
	frame := values.NewFrame(f)
	if err := convert.Put(frame, 0, sig.Params[0], a); err != nil {
		frame.Abandon()
		return nil, err
	}
	return frame, nil
}

// framed2 does framed1's work for two arguments.
func framed2[A, B any](f *handles.State, sig *Signature, a A, b B) (*values.Frame, error) {
	frame, err := framed1(f, sig, a)
	if err != nil {
		return nil, err
	}
	if err := convert.Put(frame, 1, sig.Params[1], b); err != nil {
		frame.Abandon()
		return nil, err
	}
	return frame, nil
}

func runProc(f *handles.State, frame *values.Frame, n int) error {
	if err := frame.Run(f, n); err != nil {
		return err
	}
	result := frame.Result
	values.PutFrame(frame)
	values.Release(result)
	return nil
}

// bindAt stores at dst a func of type t, of the signature, that calls f.
func bindAt(f *handles.State, t reflect.Type, sig *Signature, dst unsafe.Pointer) {
	if fn := shapedFunc(f, sig); fn != nil {
		*(*unsafe.Pointer)(dst) = fn
		return
	}
	reflect.NewAt(t, dst).Elem().Set(bindByReflection(f, t, sig))
}
