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

// Adapter tells how funcs of the func type F are called without reflection: adapter converts the arguments with
// [AdaptedArgument], calls fn, and returns fn's error or what [AdaptedResult] or [AdaptedCall.NoResult] returns. It holds for
// all funcs of the type, in any package, that are registered afterwards. Only code that selfsame-ffi build writes calls it; it
// returns true. F is neither variadic nor has it a context or several results. Any goroutine may call it.
func Adapter[F any](adapter func(fn F, c AdaptedCall) error) bool {
	call.AddAdapter(adapter)
	return true
}

// AdaptedArgument converts argument i of a call, for an [Adapter].
func AdaptedArgument[T any](c AdaptedCall, i int) (T, error) { return call.AdaptedArgument[T](c, i) }

// AdaptedResult makes the result of a call of a func's result, for an [Adapter].
func AdaptedResult[R any](c AdaptedCall, r R) error { return call.AdaptedResult(c, r) }
