package handles

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// registeredStates counts the registered States that own a reference: reachable ones, and those that wait for the collector.
var registeredStates atomic.Int64

// collectedStates counts the States that the garbage collector has found.
var collectedStates atomic.Int64

// Collect runs the garbage collector, by calling gc, until all States that were unreachable when Collect was called have
// dropped their references, and so have those that only these kept reachable. Then it empties the free lists.
// It gives up after 8 rounds, each of which waits at most one second for cleanups.
func Collect(gc func()) {
	defer emptyFreeLists()
	for range 8 {
		before := collectedStates.Load()
		nursery.registerAll()
		gc()
		// Cleanups run after a collection, in any order and on several goroutines.
		for wait := time.Duration(0); registeredStates.Load() > table.reachable() && wait < time.Second; wait += time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		if swept := goRefs.sweep(); !swept && collectedStates.Load() == before {
			return
		}
	}
}

// reachable counts the registered States that Go code can still use.
func (t *handleTable) reachable() int64 {
	n := int64(0)
	t.all(func(e *entry) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.object == 0 || e.strong.Load() != nil {
			return
		}
		if s := e.weak.Value(); s != nil && atomic.LoadUintptr(&s.object) != 0 {
			n++
		}
	})
	return n
}

// All calls f for every object that a State owns a reference to, with the entry's lock held, so that the State does not
// drop its reference and f must not fetch or release. made is the stack of where the State was made, nil without the
// build tag debug.
func All(f func(object unsafe.Pointer, made []uintptr)) {
	table.all(func(e *entry) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.object == 0 {
			return
		}
		s := e.currentLocked()
		if s == nil || atomic.LoadUintptr(&s.object) == 0 {
			return
		}
		f(Pointer(e.object), s.madeAt()) // a Release that has begun waits for e.mu before it drops the reference
	})
}

// TracedNative is a live native object that Go code made.
type TracedNative struct {
	Address   uintptr
	TypeIndex int32
	UseCount  int
	Made      []uintptr // the stack of where it was made
}
