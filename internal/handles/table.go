package handles

import (
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// slot leads from a native object to its core. It serves one object from the first fetch until the core that was
// fetched last is gone; all that time some core holds a reference, so the object's address and tie record stay valid.
type slot struct {
	mu     sync.Mutex
	object uintptr               // 0: free
	number uint64                // of the core it serves; rises with every core, so that a core's end knows whether it was the last
	young  atomic.Pointer[State] // the core, while it is young; set under the lock, or by who took the slot off a stack of resting ones
	weak   weak.Pointer[State]   // the core, when it is old
	listed atomic.Bool           // among the young ones; set under their lock
	index  uint64                // in the tie record's go word; 0: found through the fallback map
	next   *slot                 // while free
	below  atomic.Uint64         // index of the slot below, while the object rests (rest.go)
}

// currentLocked is the core that the slot serves, perhaps released; nil when there is none or the collector has found it.
func (s *slot) currentLocked() *State {
	if c := s.young.Load(); c != nil {
		return c
	}
	return s.weak.Value()
}

// retireLocked frees the slot. The caller holds a reference to the object.
func (s *slot) retireLocked() {
	handles.forget(Pointer(s.object), s)
	s.object = 0
	s.young.Store(nil)
	s.weak = weak.Pointer[State]{}
	handles.free(s) // last: from here on another object's handle may take it, once the lock is gone
}

const (
	slotBits  = 48
	slotMask  = 1<<slotBits - 1
	chunkBits = 12
	chunkSize = 1 << chunkBits
	maxChunks = 1 << 16
)

// handles is the table of slots of this Go frontend. One process may hold several, each with an owner number.
//
// Locks: a slot's before the table's, except that whoever holds the table's may take that of a slot that is on the free
// list. Nobody who holds the lock of such a slot waits for the table's: it was put there as the last thing done to it.
var handles handleTable

type handleTable struct {
	once  sync.Once
	table *bridge.TieTable // nil: every slot is found through the fallback map
	owner uint64

	chunks [maxChunks]atomic.Pointer[[chunkSize]slot]

	mu       sync.Mutex
	used     uint64
	freeList *slot
	fallback map[uintptr]*slot // objects whose record another owner uses, or that could not get one
	outside  atomic.Int64      // entries of fallback; raised under mu, so that 0 means a look there is needless
}

func (t *handleTable) join() {
	t.once.Do(func() {
		t.fallback = map[uintptr]*slot{}
		StartWatching()
		table, failed := bridge.JoinTieTable()
		if table == nil {
			DecRef(failed)
			return
		}
		if t.owner = table.NewOwner(); t.owner != 0 {
			t.table = table
		}
	})
}

// Current is the core that serves an object, perhaps released; nil when there is none.
func Current(object unsafe.Pointer) *State {
	s := findSlot(object)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.object != uintptr(object) {
		return nil
	}
	return s.currentLocked()
}

// findSlot looks an object's slot up without making one; nil: none.
func findSlot(object unsafe.Pointer) *slot {
	handles.join()
	if handles.table != nil {
		if record := handles.table.Find(object); record != nil {
			if word := atomic.LoadUint64(&record.Go); word>>slotBits == handles.owner {
				return handles.at(word & slotMask)
			}
		}
		if handles.outside.Load() == 0 {
			return nil
		}
	}
	handles.mu.Lock()
	defer handles.mu.Unlock()
	return handles.fallback[uintptr(object)]
}

// Allocator makes the objects of one class.
type Allocator struct {
	Layout *bridge.Layout // nil for classes made elsewhere
	rest   atomic.Pointer[resting]
}

// New makes an object of a class and its core in one step: nobody else knows the object yet. It crosses into C once,
// and not at all for an object that rested.
func (a *Allocator) New() (c *State, failed unsafe.Pointer) {
	rest := a.rest.Load()
	if rest != nil {
		if c := rest.take(); c != nil {
			return c, nil
		}
	}
	layout := a.Layout
	handles.join()
	if rest == nil {
		rest = a.mayRest()
	}
	var s *slot
	var word uint64
	if handles.table != nil {
		handles.mu.Lock()
		if s = handles.takeLocked(); s != nil {
			word = handles.owner<<slotBits | s.index
		}
		handles.mu.Unlock()
	}
	object, failed := layout.New(handles.table, word)
	tied := s != nil && object != nil && handles.table.Serves(object, word)
	if s != nil && !tied {
		handles.free(s)
	}
	switch {
	case object == nil:
		return nil, failed
	case !tied: // no memory for a record, or no table
		return Adopt(object), nil
	}
	s.mu.Lock()
	s.object = uintptr(object)
	c = s.makeLocked(object, true)
	if rest.serves(object, s) {
		c.rest = rest
	}
	s.mu.Unlock()
	return c, nil
}

// installSlot makes a slot for an object, or finds the one that another goroutine has just made. The table's lock is
// held throughout, so that an object never gets a slot in its record and another one in the fallback map.
func installSlot(object unsafe.Pointer) *slot {
	var record *bridge.TieRecord
	if handles.table != nil {
		record = handles.table.Acquire(object)
	}
	handles.mu.Lock()
	defer handles.mu.Unlock()
	if s, ok := handles.fallback[uintptr(object)]; ok {
		return s
	}
	if record != nil {
		switch word := atomic.LoadUint64(&record.Go); {
		case word>>slotBits == handles.owner:
			return handles.at(word & slotMask)
		case word == 0:
			if s := handles.takeLocked(); s != nil {
				// The slot's own lock covers the time from the first sight of its index to its being set: whoever
				// finds it waits, and an index read long ago never meets a slot that serves an object for a moment only.
				s.mu.Lock()
				won := atomic.CompareAndSwapUint64(&record.Go, 0, handles.owner<<slotBits|s.index)
				if won {
					s.object = uintptr(object)
				}
				s.mu.Unlock()
				if won {
					return s
				}
				s.next, handles.freeList = handles.freeList, s // another frontend's handle was quicker
			}
		}
	}
	s := &slot{object: uintptr(object)}
	handles.fallback[uintptr(object)] = s
	handles.outside.Add(1)
	return s
}

func (t *handleTable) at(index uint64) *slot {
	return &t.chunks[index>>chunkBits].Load()[index&(chunkSize-1)]
}

// takeLocked is a free slot, nil when the table is full.
func (t *handleTable) takeLocked() *slot {
	if s := t.freeList; s != nil {
		t.freeList = s.next
		s.next = nil
		return s
	}
	if t.used+1 >= maxChunks*chunkSize {
		return nil
	}
	t.used++ // slot 0 is never used: the go word 0 means none
	chunk := &t.chunks[t.used>>chunkBits]
	if chunk.Load() == nil {
		chunk.Store(new([chunkSize]slot))
	}
	s := t.at(t.used)
	s.index = t.used
	return s
}

func (t *handleTable) free(s *slot) {
	if s.index == 0 {
		return
	}
	t.mu.Lock()
	s.next = t.freeList
	t.freeList = s
	t.mu.Unlock()
}

// forget removes the way from the object to the slot. The caller holds the slot's lock and a reference to the object.
func (t *handleTable) forget(object unsafe.Pointer, s *slot) {
	if s.index != 0 {
		if record := t.table.Find(object); record != nil {
			atomic.CompareAndSwapUint64(&record.Go, t.owner<<slotBits|s.index, 0)
		}
		return
	}
	t.mu.Lock()
	if t.fallback[uintptr(object)] == s {
		delete(t.fallback, uintptr(object))
		t.outside.Add(-1)
	}
	t.mu.Unlock()
}

// all calls f for every slot that has ever been used, without a lock.
func (t *handleTable) all(f func(*slot)) {
	t.mu.Lock()
	used := t.used
	others := make([]*slot, 0, len(t.fallback))
	for _, s := range t.fallback {
		others = append(others, s)
	}
	t.mu.Unlock()
	for index := uint64(1); index <= used; index++ {
		f(t.at(index))
	}
	for _, s := range others {
		f(s)
	}
}
