package handles

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"
)

// A weak pointer and a cleanup are entries in the list of special things of the 8 KiB span that a core lies in, sorted
// by address. Making both for each new core costs twenty times the core itself, most of it for walking that list. So a
// new core gets neither: its slot holds it until the garbage collection that comes next, and most are released by then.
// Those that are still there grow old together, in the order of falling addresses, where each entry is the first of its
// list.
//
// What Go code drops without Release is therefore collected by the second collection after it was made, not by the first.

// youngCores are the slots whose core is young, and some whose core no longer is.
var youngCores youngList

type youngList struct {
	mu    sync.Mutex
	slots []*slot
	spare []*slot // the memory of the list before

	aging sync.Mutex // held while cores grow old, so that Collect knows that nobody else holds them
}

// setYoungLocked makes a core the one that the slot serves.
func (s *slot) setYoungLocked(c *State) {
	s.weak = weak.Pointer[State]{}
	s.setYoung(c)
}

// setYoung is setYoungLocked for who took the slot off a stack of resting ones. What weak leads to was released.
func (s *slot) setYoung(c *State) {
	s.young.Store(c)
	// Whoever unlists a slot looks at it afterwards, under the slot's lock: it then sees this core.
	if !s.listed.Load() {
		youngCores.add(s)
	}
}

func (y *youngList) add(s *slot) {
	y.mu.Lock()
	if !s.listed.Swap(true) {
		y.slots = append(y.slots, s)
	}
	y.mu.Unlock()
}

// grow lets all young cores grow old.
func (y *youngList) grow() {
	y.aging.Lock()
	defer y.aging.Unlock()
	y.mu.Lock()
	slots := y.slots
	y.slots, y.spare = y.spare[:0], nil
	for _, s := range slots {
		s.listed.Store(false)
	}
	y.mu.Unlock()

	type entry struct {
		core uintptr
		slot *slot
	}
	order := make([]entry, 0, len(slots))
	for _, s := range slots {
		s.mu.Lock()
		if c := s.young.Load(); c != nil {
			order = append(order, entry{uintptr(unsafe.Pointer(c)), s})
		}
		s.mu.Unlock()
	}
	slices.SortFunc(order, func(a, b entry) int {
		if a.core > b.core {
			return -1
		}
		return 1
	})
	for _, e := range order {
		e.slot.growOld()
	}
	clear(slots)
	y.mu.Lock()
	y.spare = slots[:0]
	y.mu.Unlock()
}

// growOld lets the collector have the slot's core, whichever it is by now.
func (s *slot) growOld() {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.young.Load()
	if c == nil {
		return
	}
	// Who releases it from here on sees that it is old, and waits for the lock.
	old := &aged{}
	c.old.Store(old)
	if object := atomic.LoadUintptr(&c.object); object != 0 {
		s.weak = weak.Make(c)
		old.cleanup = runtime.AddCleanup(c, unreachable, dropped{slot: s, object: object, number: c.number})
		oldCores.Add(1)
	}
	// If c was released, the slot may serve another core by now. That one is listed: it came after this slot was unlisted.
	s.young.CompareAndSwap(c, nil)
}
