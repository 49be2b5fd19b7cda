//go:build debug || asan || msan

package handles

import "unsafe"

// In builds that look for the use of dead objects, none rests (rest.go).
type resting struct{}

func (a *Allocator) mayRest() *resting               { return nil }
func (r *resting) serves(unsafe.Pointer, *slot) bool { return false }
func (r *resting) put(*State, unsafe.Pointer) bool   { return false }
func (r *resting) take() *State                      { return nil }
func letRestingGo()                                  {}
