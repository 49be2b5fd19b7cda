//go:build !debug

package handles

import "unsafe"

// trace is kept with the build tag debug only (trace_debug.go).
type trace struct{}

func (*State) traceMade()                                        {}
func (*State) traceReleased()                                    {}
func (*State) madeAt() []uintptr                                 { return nil }
func StoryOf(unsafe.Pointer) (made, released []uintptr, ok bool) { return nil, nil, false }
func TraceNative(unsafe.Pointer)                                 {}
func TracedNatives() []TracedNative                              { return nil }
