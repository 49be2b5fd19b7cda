package handles

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// oldCores counts the old cores that own a reference: reachable, or waiting for the collector.
var oldCores atomic.Int64

// collections counts the cores that the collector has ended.
var collections atomic.Int64

// Collect runs the garbage collector, by calling gc, until handles that were unreachable when it was called have given
// their references back, and what only those kept alive is gone as well.
func Collect(gc func()) {
	defer letRestingGo()
	for range 8 {
		before := collections.Load()
		youngCores.grow()
		gc()
		// Cleanups run after a collection, in any order and on several goroutines.
		for wait := time.Duration(0); oldCores.Load() > handles.reachable() && wait < time.Second; wait += time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		if swept := kept.sweep(); !swept && collections.Load() == before {
			return
		}
	}
}

// reachable counts the old cores that Go code can still use.
func (t *handleTable) reachable() int64 {
	n := int64(0)
	t.all(func(s *slot) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.object == 0 || s.young.Load() != nil {
			return
		}
		if c := s.weak.Value(); c != nil && atomic.LoadUintptr(&c.object) != 0 {
			n++
		}
	})
	return n
}

// All calls f for every object that a handle owns a reference to. made is where the handle was made, with the build tag
// debug. While f runs, the handle does not give its reference back.
func All(f func(object unsafe.Pointer, made []uintptr)) {
	handles.all(func(s *slot) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.object == 0 {
			return
		}
		c := s.currentLocked()
		if c == nil || atomic.LoadUintptr(&c.object) == 0 {
			return
		}
		// Whoever releases it now waits for the slot before it drops the reference.
		f(Pointer(s.object), c.madeAt())
	})
}

// TracedNative is a native object that Go code made and that is alive.
type TracedNative struct {
	Address   uintptr
	TypeIndex int32
	UseCount  int
	Made      []uintptr // the stack of where it was made
}
