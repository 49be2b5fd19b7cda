// Package overlay is what the files call that `selfsame-ffi build` compiles beside a package: calls without reflection, and what the
// sources say. Package selfsame imports it, so that a folder with vendored packages has it.
package overlay

import (
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
)

// SourceTexts tells what the parameters of funcs are called in their source, and the comments of funcs, types and
// fields. The keys of both are symbols: example.com/geo.nearest or example.com/geo.(*Point).Norm for a func, the
// package, file and line for a func literal, example.com/geo.Point for a type, and example.com/geo.Point.maxsize, in
// lower case and without underscores, for a field. Names are separated by blanks; "_" stands for one that callers
// cannot use. The texts hold for registrations that follow. Code that selfsame-ffi build writes calls it; it returns
// true. The caller must not change the maps any more. Any goroutine may call it.
func SourceTexts(names, comments map[string]string) bool {
	sourcetext.Add(names, comments)
	return true
}

// AdaptedCall is one call of a Go func by an [Adapter]. It is good only until the adapter returns. Its method NoResult makes the
// result of a call of a func that has none beside an error.
type AdaptedCall = call.AdaptedCall

// Adapter tells how funcs of a func type F are called without reflection. adapter is a func(fn F, c AdaptedCall) error; anything else
// panics. It converts the arguments with [AdaptedArgument], calls fn, and returns fn's error or what [AdaptedResult] or
// [AdaptedCall.NoResult] returns. It holds for all funcs of the type, in any package, that are registered afterwards. Only code that
// selfsame-ffi build writes calls it; it returns true. F is neither variadic nor has it a context or several results. Any goroutine
// may call it.
func Adapter(adapter any) bool {
	call.AddAdapter(adapter)
	return true
}

// AdaptedArgument converts argument i of a call, for an [Adapter].
func AdaptedArgument[T any](c AdaptedCall, i int) (T, error) { return call.AdaptedArgument[T](c, i) }

// AdaptedResult makes the result of a call of a func's result, for an [Adapter].
func AdaptedResult[R any](c AdaptedCall, r R) error { return call.AdaptedResult(c, r) }

// Bound is the function that a func of a [Binder] calls, with [Call0] to [Call8].
type Bound = call.Callee

// Nothing is the result of a call of a function that has none.
type Nothing = call.Nothing

// Binder tells how funcs of a func type F that call a function are made without reflection. bind is a func(f *Bound) F; anything else
// panics. It holds for all that are made afterwards. Only code that selfsame-ffi build writes calls it; it returns true. F is as that
// of an [Adapter], with up to eight parameters. Any goroutine may call it.
func Binder(bind any) bool {
	call.AddBinder(bind)
	return true
}

// Must returns the result of a call for a func without an error. The error of the call it gives to [Raise].
func Must[R any](result R, err error) R {
	if err != nil {
		Raise(err)
	}
	return result
}

// Raise ends a func without an error result whose call has failed: it panics or, on a goroutine that a library has started, reports
// the error and returns. An HTTP response writer among the arguments answers with the status 500 then.
func Raise(err error, arguments ...any) { call.Raise(err, arguments...) }

// Call0 calls the function with no arguments, for a [Binder].
func Call0[R any](f *Bound) (R, error) { return call.Invoke0[R](f) }

// Call1 calls the function with one argument, for a [Binder].
func Call1[R, A any](f *Bound, a A) (R, error) { return call.Invoke1[R](f, a) }

// Call2 calls the function with two arguments, for a [Binder].
func Call2[R, A, B any](f *Bound, a A, b B) (R, error) { return call.Invoke2[R](f, a, b) }

// Call3 calls the function with three arguments, for a [Binder].
func Call3[R, A, B, C any](f *Bound, a A, b B, c C) (R, error) { return call.Invoke3[R](f, a, b, c) }

// Call4 calls the function with four arguments, for a [Binder].
func Call4[R, A, B, C, D any](f *Bound, a A, b B, c C, d D) (R, error) {
	return call.Invoke4[R](f, a, b, c, d)
}

// Call5 calls the function with five arguments, for a [Binder].
func Call5[R, A, B, C, D, E any](f *Bound, a A, b B, c C, d D, e E) (R, error) {
	return call.Invoke5[R](f, a, b, c, d, e)
}

// Call6 calls the function with six arguments, for a [Binder].
func Call6[R, A, B, C, D, E, F any](f *Bound, a A, b B, c C, d D, e E, f6 F) (R, error) {
	return call.Invoke6[R](f, a, b, c, d, e, f6)
}

// Call7 calls the function with seven arguments, for a [Binder].
func Call7[R, A, B, C, D, E, F, G any](f *Bound, a A, b B, c C, d D, e E, f6 F, g G) (R, error) {
	return call.Invoke7[R](f, a, b, c, d, e, f6, g)
}

// Call8 calls the function with eight arguments, for a [Binder].
func Call8[R, A, B, C, D, E, F, G, H any](f *Bound, a A, b B, c C, d D, e E, f6 F, g G, h H) (R, error) {
	return call.Invoke8[R](f, a, b, c, d, e, f6, g, h)
}
