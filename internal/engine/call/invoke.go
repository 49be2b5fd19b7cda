package call

import (
	"runtime"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// A call of a Callee with up to four arguments that need no argument frame passes them as words, and is one cgo call.
// Other calls use a frame. The type parameter R is [Nothing] for a func without a result.
//
// Why a call passes its arguments as words. A frame in C memory is half of what a call of a Callee would take beyond a
// bare cgo call. Numbers and handles fit into the parameters of a C function, and a result of two words comes back in
// the processor's registers: 1.4 to 1.7 times a bare call. Each word is passed by itself, because a processor that
// reads 16 bytes soon after they were written as two times 8 waits. Texts, conversions and more than four arguments
// take the frame.

// Nothing is the result type of a call of a func without a result.
type Nothing struct{}

// Invoke0 calls the function with no arguments.
func Invoke0[R any](f *Callee) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	v := bridge.Call2(ready.function(), 0, abi.Any{}, abi.Any{})
	runtime.KeepAlive(ready)
	return finish[R](ready.sig, v)
}

// Invoke1 calls the function with one argument.
func Invoke1[R, A any](f *Callee, a A) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	sig := ready.sig
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	if ok1 {
		v := bridge.Call2(ready.function(), 1, v1, abi.Any{})
		runtime.KeepAlive(ready)
		runtime.KeepAlive(held1)
		return finish[R](sig, v)
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	return run[R](ready, frame, 1, err)
}

// Invoke2 calls the function with two arguments.
func Invoke2[R, A, B any](f *Callee, a A, b B) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	sig := ready.sig
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	v2, held2, ok2 := convert.Direct(sig.Params[1], b)
	if ok1 && ok2 {
		v := bridge.Call2(ready.function(), 2, v1, v2)
		runtime.KeepAlive(ready)
		runtime.KeepAlive(held1)
		runtime.KeepAlive(held2)
		return finish[R](sig, v)
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	return run[R](ready, frame, 2, err)
}

// Invoke3 calls the function with three arguments.
func Invoke3[R, A, B, C any](f *Callee, a A, b B, c C) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	sig := ready.sig
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	v2, held2, ok2 := convert.Direct(sig.Params[1], b)
	v3, held3, ok3 := convert.Direct(sig.Params[2], c)
	if ok1 && ok2 && ok3 {
		v := bridge.Call4(ready.function(), 3, v1, v2, v3, abi.Any{})
		runtime.KeepAlive(ready)
		runtime.KeepAlive(held1)
		runtime.KeepAlive(held2)
		runtime.KeepAlive(held3)
		return finish[R](sig, v)
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	return run[R](ready, frame, 3, err)
}

// Invoke4 calls the function with four arguments.
func Invoke4[R, A, B, C, D any](f *Callee, a A, b B, c C, d D) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	sig := ready.sig
	v1, held1, ok1 := convert.Direct(sig.Params[0], a)
	v2, held2, ok2 := convert.Direct(sig.Params[1], b)
	v3, held3, ok3 := convert.Direct(sig.Params[2], c)
	v4, held4, ok4 := convert.Direct(sig.Params[3], d)
	if ok1 && ok2 && ok3 && ok4 {
		v := bridge.Call4(ready.function(), 4, v1, v2, v3, v4)
		runtime.KeepAlive(ready)
		runtime.KeepAlive(held1)
		runtime.KeepAlive(held2)
		runtime.KeepAlive(held3)
		runtime.KeepAlive(held4)
		return finish[R](sig, v)
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	err = put(frame, 3, ready, d, err)
	return run[R](ready, frame, 4, err)
}

// Invoke5 calls the function with five arguments.
func Invoke5[R, A, B, C, D, E any](f *Callee, a A, b B, c C, d D, e E) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	err = put(frame, 3, ready, d, err)
	err = put(frame, 4, ready, e, err)
	return run[R](ready, frame, 5, err)
}

// Invoke6 calls the function with six arguments.
func Invoke6[R, A, B, C, D, E, F any](f *Callee, a A, b B, c C, d D, e E, f6 F) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	err = put(frame, 3, ready, d, err)
	err = put(frame, 4, ready, e, err)
	err = put(frame, 5, ready, f6, err)
	return run[R](ready, frame, 6, err)
}

// Invoke7 calls the function with seven arguments.
func Invoke7[R, A, B, C, D, E, F, G any](f *Callee, a A, b B, c C, d D, e E, f6 F, g G) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	err = put(frame, 3, ready, d, err)
	err = put(frame, 4, ready, e, err)
	err = put(frame, 5, ready, f6, err)
	err = put(frame, 6, ready, g, err)
	return run[R](ready, frame, 7, err)
}

// Invoke8 calls the function with eight arguments.
func Invoke8[R, A, B, C, D, E, F, G, H any](f *Callee, a A, b B, c C, d D, e E, f6 F, g G, h H) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	frame := values.Frames.Get().(*values.Frame)
	err = put(frame, 0, ready, a, err)
	err = put(frame, 1, ready, b, err)
	err = put(frame, 2, ready, c, err)
	err = put(frame, 3, ready, d, err)
	err = put(frame, 4, ready, e, err)
	err = put(frame, 5, ready, f6, err)
	err = put(frame, 6, ready, g, err)
	err = put(frame, 7, ready, h, err)
	return run[R](ready, frame, 8, err)
}

// put stores argument i in the frame, unless err says that the conversion of one before it failed. It returns the first error.
func put[T any](frame *values.Frame, i int, ready *readyCallee, argument T, err error) error {
	if err != nil {
		return err
	}
	return convert.Put(frame, i, ready.sig.Params[i], argument)
}

// run calls the function with the n arguments in the frame, unless err says that a conversion failed.
func run[R any](ready *readyCallee, frame *values.Frame, n int, err error) (result R, failed error) {
	if err != nil {
		frame.Abandon()
		return result, err
	}
	err = frame.RunObject(ready.function(), n)
	runtime.KeepAlive(ready)
	if err != nil {
		return result, err
	}
	return finishFrame[R](ready.sig, frame)
}
