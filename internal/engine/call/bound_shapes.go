package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Bound funcs of up to two parameters are made without reflection when the types of the parameters are those below, or
// have their kinds. Go calls a func that takes an int64 exactly as one that takes a named type of that kind, and a func
// that takes an unsafe.Pointer as one that takes a *Handle. So one closure for each combination of kinds, under another
// type, serves all func types.

// shapeOfKind returns the kind that stands for the type of a parameter or result: fastInt64, fastFloat64, fastString,
// fastBool or fastHandle, which stands for all pointers. It returns noFastPath when there is none.
func shapeOfKind(c *conv) fastKind {
	switch c.fast {
	case fastInt64, fastFloat64, fastString, fastBool, fastHandle:
		return c.fast
	case fastBorrowed:
		return fastHandle
	}
	return noFastPath
}

// shapedFunc returns the value of a func of the signature, which calls f; nil when it takes reflection.
func shapedFunc(f *handles.State, sig *signature) unsafe.Pointer {
	if sig.adapted() {
		return nil
	}
	switch len(sig.params) {
	case 1:
		switch shapeOfKind(sig.params[0]) {
		case fastInt64:
			return shape1[int64](f, sig)
		case fastFloat64:
			return shape1[float64](f, sig)
		case fastString:
			return shape1[string](f, sig)
		case fastHandle:
			return shape1[unsafe.Pointer](f, sig)
		}
	case 2:
		switch shapeOfKind(sig.params[0]) {
		case fastInt64:
			return shape2[int64](f, sig)
		case fastFloat64:
			return shape2[float64](f, sig)
		case fastString:
			return shape2[string](f, sig)
		case fastHandle:
			return shape2[unsafe.Pointer](f, sig)
		}
	}
	return nil
}

// shape1 does shapedFunc's work for a parameter of type A.
func shape1[A any](f *handles.State, sig *signature) unsafe.Pointer {
	if sig.result == nil {
		if sig.fails {
			return valueOf(func(a A) error { return proc1(f, sig, a) })
		}
		return valueOf(func(a A) { mustDo(proc1(f, sig, a)) })
	}
	switch shapeOfKind(sig.result) {
	case fastInt64:
		return returning1[A, int64](f, sig)
	case fastFloat64:
		return returning1[A, float64](f, sig)
	case fastString:
		return returning1[A, string](f, sig)
	case fastBool:
		return returning1[A, bool](f, sig)
	case fastHandle:
		return returning1[A, unsafe.Pointer](f, sig)
	}
	return nil
}

func returning1[A, R any](f *handles.State, sig *signature) unsafe.Pointer {
	if sig.fails {
		return valueOf(func(a A) (R, error) { return call1[A, R](f, sig, a) })
	}
	return valueOf(func(a A) R { return mustGet(call1[A, R](f, sig, a)) })
}

// shape2 does shapedFunc's work for two parameters, the first of type A.
func shape2[A any](f *handles.State, sig *signature) unsafe.Pointer {
	switch shapeOfKind(sig.params[1]) {
	case fastInt64:
		return shape2Of[A, int64](f, sig)
	case fastFloat64:
		return shape2Of[A, float64](f, sig)
	case fastString:
		return shape2Of[A, string](f, sig)
	case fastHandle:
		return shape2Of[A, unsafe.Pointer](f, sig)
	}
	return nil
}

func shape2Of[A, B any](f *handles.State, sig *signature) unsafe.Pointer {
	if sig.result == nil {
		if sig.fails {
			return valueOf(func(a A, b B) error { return proc2(f, sig, a, b) })
		}
		return valueOf(func(a A, b B) { mustDo(proc2(f, sig, a, b)) })
	}
	switch shapeOfKind(sig.result) {
	case fastInt64:
		return returning2[A, B, int64](f, sig)
	case fastFloat64:
		return returning2[A, B, float64](f, sig)
	case fastString:
		return returning2[A, B, string](f, sig)
	case fastBool:
		return returning2[A, B, bool](f, sig)
	case fastHandle:
		return returning2[A, B, unsafe.Pointer](f, sig)
	}
	return nil
}

func returning2[A, B, R any](f *handles.State, sig *signature) unsafe.Pointer {
	if sig.fails {
		return valueOf(func(a A, b B) (R, error) { return call2[A, B, R](f, sig, a, b) })
	}
	return valueOf(func(a A, b B) R { return mustGet(call2[A, B, R](f, sig, a, b)) })
}

// valueOf returns a func value as what it is, a pointer to the closure.
func valueOf[F any](fn F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&fn)) }

// mustGet and mustDo panic with the error of a func whose type has no error.
func mustGet[R any](r R, err error) R {
	if err != nil {
		panic(err)
	}
	return r
}

func mustDo(err error) {
	if err != nil {
		panic(err)
	}
}

// call1 calls f with one argument.
func call1[A, R any](f *handles.State, sig *signature, a A) (result R, err error) {
	v1, held1, ok1 := direct(sig.params[0], a)
	if ok1 {
		v := bridge.Call2(functionObject(f), 1, v1, abi.Any{})
		runtime.KeepAlive(held1)
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}
	return callByFrame[R](f, sig, a, none{}, none{}, none{})
}

// call2 calls f with two arguments.
func call2[A, B, R any](f *handles.State, sig *signature, a A, b B) (result R, err error) {
	v1, held1, ok1 := direct(sig.params[0], a)
	v2, held2, ok2 := direct(sig.params[1], b)
	if ok1 && ok2 {
		v := bridge.Call2(functionObject(f), 2, v1, v2)
		runtime.KeepAlive(held1)
		runtime.KeepAlive(held2)
		runtime.KeepAlive(f)
		return taken[R](sig, v)
	}
	return callByFrame[R](f, sig, a, b, none{}, none{})
}

// proc1 does call1's work for a func without a result.
func proc1[A any](f *handles.State, sig *signature, a A) error {
	frame := newFrame(f)
	if err := put(frame, 0, sig.params[0], a); err != nil {
		frame.abandon()
		return err
	}
	return runProc(f, frame, 1)
}

// proc2 does call2's work for a func without a result.
func proc2[A, B any](f *handles.State, sig *signature, a A, b B) error {
	frame := newFrame(f)
	err := put(frame, 0, sig.params[0], a)
	if err == nil {
		err = put(frame, 1, sig.params[1], b)
	}
	if err != nil {
		frame.abandon()
		return err
	}
	return runProc(f, frame, 2)
}

func runProc(f *handles.State, frame *outFrame, n int) error {
	if err := frame.run(f, n); err != nil {
		return err
	}
	result := frame.Result
	putFrame(frame)
	releaseValue(result)
	return nil
}

// bindAt stores at dst a func of type t, of the signature, that calls f.
func bindAt(f *handles.State, t reflect.Type, sig *signature, dst unsafe.Pointer) {
	if fn := shapedFunc(f, sig); fn != nil {
		*(*unsafe.Pointer)(dst) = fn
		return
	}
	reflect.NewAt(t, dst).Elem().Set(bindByReflection(f, t, sig))
}
