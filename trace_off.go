//go:build !debug

package selfsame

import "unsafe"

// trace is kept with the build tag debug only (trace_debug.go).
type trace struct{}

func (*core) traceMade()            {}
func (*core) traceReleased()        {}
func (*core) madeAt() string        { return "" }
func storyOf(unsafe.Pointer) string { return "" }
func traceNative(unsafe.Pointer)    {}
func liveNatives() []LiveNative     { return nil }
