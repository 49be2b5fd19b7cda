//go:build debug || asan || msan

package selfsame

import "unsafe"

// In builds that look for the use of dead objects, none rests (rest.go).
type resting struct{}

func (c *class) mayRest() *resting                   { return nil }
func (r *resting) serves(unsafe.Pointer, *slot) bool { return false }
func (r *resting) put(*core, unsafe.Pointer) bool    { return false }
func (r *resting) take() *core                       { return nil }
func letRestingGo()                                  {}
