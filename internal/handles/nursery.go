package handles

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"
)

// The runtime keeps weak pointers and cleanups in a list per 8 KiB span, sorted by address. Making both for each new State
// costs twenty times the State itself, most of it for walking that list. So a new State gets neither: its entry points to
// it strongly until the next garbage collection, and most States are released before that. Those that are left are
// registered together in the order of falling addresses, so that each new list element is the first of its list.
//
// A State that Go code drops without Release is therefore collected by the second collection after it was made.
//
// RATIONALE.md, "Why a new Go handle waits in the nursery"

// nursery has the entries whose State is not registered yet, and some whose State was registered or released since.
var nursery nurseryList

type nurseryList struct {
	mu      sync.Mutex
	entries []*entry
	spare   []*entry // the memory of the list before

	registering sync.Mutex // held by registerAll, so that Collect knows that no other goroutine has the States in hand
}

// setStrongLocked makes s the State that the entry serves. The caller holds e.mu.
func (e *entry) setStrongLocked(s *State) {
	e.weak = weak.Pointer[State]{}
	e.setStrong(s)
}

// setStrong is setStrongLocked for a caller that just popped the entry from a free list and so owns it. The State behind
// e.weak was released.
func (e *entry) setStrong(s *State) {
	e.strong.Store(s)
	// registerAll clears inNursery first and locks the entry afterwards, so it sees this State.
	if !e.inNursery.Load() {
		nursery.add(e)
	}
}

func (n *nurseryList) add(e *entry) {
	n.mu.Lock()
	if !e.inNursery.Swap(true) {
		n.entries = append(n.entries, e)
	}
	n.mu.Unlock()
}

// registerAll registers every State of the nursery. It takes n.registering, then n.mu and the entries' locks one at a time.
func (n *nurseryList) registerAll() {
	n.registering.Lock()
	defer n.registering.Unlock()
	n.mu.Lock()
	entries := n.entries
	n.entries, n.spare = n.spare[:0], nil
	for _, e := range entries {
		e.inNursery.Store(false)
	}
	n.mu.Unlock()

	type found struct {
		state uintptr
		entry *entry
	}
	order := make([]found, 0, len(entries))
	for _, e := range entries {
		e.mu.Lock()
		if s := e.strong.Load(); s != nil {
			order = append(order, found{uintptr(unsafe.Pointer(s)), e})
		}
		e.mu.Unlock()
	}
	slices.SortFunc(order, func(a, b found) int {
		if a.state > b.state {
			return -1
		}
		return 1
	})
	for _, f := range order {
		f.entry.register()
	}
	clear(entries)
	n.mu.Lock()
	n.spare = entries[:0]
	n.mu.Unlock()
}

// register replaces the entry's strong pointer to its present State with a weak pointer and a cleanup.
func (e *entry) register() {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.strong.Load()
	if s == nil {
		return
	}
	// s.registered is stored before s.object is loaded; Release swaps s.object before it loads s.registered. Both are
	// sequentially consistent, so at least one side sees the other: end then waits for e.mu and stops the cleanup.
	r := &registration{}
	s.registered.Store(r)
	if object := atomic.LoadUintptr(&s.object); object != 0 {
		e.weak = weak.Make(s)
		r.cleanup = runtime.AddCleanup(s, dropCollected, collected{entry: e, object: object, number: s.number})
		registeredStates.Add(1)
	}
	// If s was released, a goroutine that popped the entry from a free list may have stored another State, which is in the
	// nursery: it was added after registerAll cleared inNursery.
	e.strong.CompareAndSwap(s, nil)
}
