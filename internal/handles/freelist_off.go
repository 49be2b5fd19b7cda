//go:build debug || asan || msan

package handles

import "unsafe"

// freeList does nothing in builds that look for uses of dead objects (freelist.go): all memory is freed.
type freeList struct{}

func (a *Allocator) makeFreeList() *freeList            { return nil }
func (l *freeList) accepts(unsafe.Pointer, *entry) bool { return false }
func (l *freeList) put(*State, unsafe.Pointer) bool     { return false }
func (l *freeList) take() *State                        { return nil }
func emptyFreeLists()                                   {}
