//go:build !debug

package handles

import "unsafe"

// trace is only filled in with the build tag debug (trace_debug.go).
type trace struct{}

func (*State) traceMade()        {}
func (*State) traceReleased()    {}
func (*State) madeAt() []uintptr { return nil }

// StoryOf finds nothing without the build tag debug.
func StoryOf(unsafe.Pointer) (made, released []uintptr, ok bool) { return nil, nil, false }

// TraceNative does nothing without the build tag debug.
func TraceNative(unsafe.Pointer) {}

// TracedNatives returns nothing without the build tag debug.
func TracedNatives() []TracedNative { return nil }
