package handles

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"
)

// The runtime keeps weak pointers in a list per 8 KiB span, sorted by address. Making one for each new State costs several
// times the State itself, most of it for walking that list. So a new State gets none: its entry points to it strongly until
// the young list is weakened, and most States are released before that. Those that are left are weakened together in the
// order of falling addresses, so that each new list element is the first of its list.
//
// The young list is weakened before each collection that this package starts, and when it has more than a share of all
// handles or of the native memory behind them. So few States outlive a collection only because they are in it.
//
// Why a new Go handle waits in the young list. A weak pointer is an entry in a sorted list of the span in which the handle
// lies. Making one takes several times as long as the rest of a new handle, and most handles are released or dropped
// early. So the table entry of a new handle refers to it strongly until the young list is weakened: all entries at once,
// in the order of falling addresses, where each is the first of its list.
//
// A handle in the young list outlives a collection, so the young list must be small when one begins. One goroutine weakens
// it, before each collection that this package starts and when it is full, and drops what a collection has found. On a
// loaded machine that goroutine comes late, so at twice the limits the goroutines that make handles weaken the young list
// themselves. Without that, four threads that make and drop nodes between forks let Go's heap grow 30 times as large in
// a minute.
//
// There is no cleanup per handle: after a collection one goroutine walks the weakened entries. That costs less, tells
// Collect when all is done, and gives the sum of what is live.

// young has the entries whose State is not weakened yet, and some whose State was weakened or released since.
var young = youngList{limit: minYoung}

const (
	minYoung = 4096 // entries
	// maxYoungWeight is the native memory behind the young list, in units of weightUnit, above which it is weakened.
	maxYoungWeight = 1 << 20 / weightUnit
)

type youngList struct {
	mu      sync.Mutex
	entries []*entry
	spare   []*entry // the memory of the list before
	limit   int      // number of entries above which the young list is weakened
	weight  uint64   // of the States that joined the young list since it was last weakened

	// overdue says that the young list has twice what it is weakened at: the background goroutine does something else, or
	// has no processor. Then those who make States weaken them (slowDown). If they did not, Go's collector would find
	// every State of the young list reachable, and its pacer would let the heap, and so the next young list, become twice as
	// large each time.
	overdue atomic.Bool

	weakening sync.Mutex // admits one goroutine at a time to what follows
	weakened  []*entry   // the entries with a weak pointer, and some that had one: those with entry.listed
}

// setStrongLocked makes s the State that the entry serves. The caller holds e.mu.
func (e *entry) setStrongLocked(s *State) {
	e.weak = weak.Pointer[State]{}
	e.setStrong(s)
}

// setStrong does setStrongLocked's work for a caller that just popped the entry from a free list and so owns it. The
// State behind e.weak was released.
func (e *entry) setStrong(s *State) {
	e.strong.Store(s)
	// weakenAll clears isYoung first and locks the entry afterwards, so it sees this State.
	if !e.isYoung.Load() {
		young.add(e)
	}
}

func (n *youngList) add(e *entry) {
	full := false
	n.mu.Lock()
	if !e.isYoung.Swap(true) {
		n.entries = append(n.entries, e)
		n.weight += uint64(e.weight)
		full = len(n.entries) >= n.limit || n.weight >= maxYoungWeight
		if len(n.entries) >= 2*n.limit || n.weight >= 2*maxYoungWeight {
			n.overdue.Store(true)
		}
	}
	n.mu.Unlock()
	if full {
		background.ask(weakenYoung)
	}
	WakeIdle()
}

// weakenAll weakens every State of the young list. It takes n.weakening, then n.mu and the entries' locks one at a time.
func (n *youngList) weakenAll() {
	n.weakening.Lock()
	defer n.weakening.Unlock()
	n.mu.Lock()
	entries := n.entries
	n.entries, n.spare = n.spare[:0], nil
	n.weight = 0
	n.overdue.Store(false)
	for _, e := range entries {
		e.isYoung.Store(false)
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
		if f.entry.weaken() && !f.entry.listed {
			f.entry.listed = true
			n.weakened = append(n.weakened, f.entry)
		}
	}
	clear(entries)
	n.mu.Lock()
	n.spare = entries[:0]
	n.mu.Unlock()
}

// weaken replaces the entry's strong pointer to its present State with a weak pointer, and reports whether it has one.
func (e *entry) weaken() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.strong.Load()
	if s == nil {
		return false
	}
	// s.weakened is stored before s.object is loaded; freeList.put is called after s.object was cleared, and loads
	// s.weakened. Both are sequentially consistent, so at least one side sees the other: put then refuses the object.
	s.weakened.Store(true)
	weakly := atomic.LoadUintptr(&s.object) != 0
	if weakly {
		e.weak = weak.Make(s)
	}
	// If s was released, a goroutine that popped the entry from a free list may have stored another State, which is in the
	// young list: it was added after weakenAll cleared isYoung.
	e.strong.CompareAndSwap(s, nil)
	return weakly
}

// takeCollected takes the weakened States that the garbage collector has found unreachable out of the table and returns
// their objects, one reference each, and the bytes that these kept.
func (n *youngList) takeCollected() (dead []uintptr, bytes int64) {
	n.weakening.Lock()
	listed := n.weakened[:0]
	for _, e := range n.weakened {
		e.mu.Lock()
		switch {
		case e.strong.Load() != nil || e.weak == weak.Pointer[State]{}:
			e.listed = false // it serves another State by now, or none
		case e.weak.Value() == nil:
			e.listed = false
			dead = append(dead, e.object)
			bytes += int64(e.weight) * weightUnit
			e.freeLocked()
		default:
			listed = append(listed, e)
		}
		e.mu.Unlock()
	}
	clear(n.weakened[len(listed):])
	n.weakened = listed
	n.weakening.Unlock()

	n.mu.Lock()
	n.limit = max(minYoung, len(listed)/4)
	n.mu.Unlock()
	return dead, bytes
}
