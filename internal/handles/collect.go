package handles

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// Collect runs the garbage collectors of the process, this library's and those of other libraries and languages, until none
// of them finds anything more and no func of OnDrop runs. It returns how many objects they have given back. It gives up
// after 8 rounds, and waits at most dropWait for the funcs.
func Collect() int {
	found := 0
	deadline := time.Now().Add(dropWait)
	for range 8 {
		more := CollectHere()
		if ties := processTies.Load(); ties != nil {
			more += ties.CollectOthers()
		}
		found += more
		if !waitForDrops(deadline) && more == 0 {
			break
		}
	}
	return found
}

// CollectHere runs the garbage collector until all States that were unreachable when CollectHere was called have dropped their
// references, and so have those that only these kept reachable. Then it empties the free lists. It returns how many handles
// and Go values it has given back. It gives up after 8 rounds, and waits at most a second for other goroutines that are
// giving back what an earlier collection has found.
func CollectHere() int {
	defer emptyFreeLists()
	found := 0
	wait := time.Second
	for range 8 {
		more := background.round()
		waited := false
		for ; background.dropping.Load() != 0 && wait > 0; wait -= time.Millisecond {
			waited = true
			time.Sleep(time.Millisecond)
		}
		found += more
		if more == 0 && !waited {
			break
		}
	}
	return found
}

// All calls f for every object that a State owns a reference to. It holds the entry's lock during the call: the State
// does not drop its reference, and f must neither fetch nor release. made is the stack of where the State was made, nil
// without the build tag debug.
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
