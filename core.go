package selfsame

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// core is the one Go value that stands for a native object. *Handle[T], *Function and the *Array[E] that Go code holds
// are all pointers to a core under another type, which is what makes them compare with ==.
//
// A core owns one strong reference until it is released or collected.
type core struct {
	object  uintptr // first, so that a core can be seen as an Array cell; 0 once released; atomic
	slot    *slot
	self    weak.Pointer[core]
	cleanup runtime.Cleanup
	failure atomic.Pointer[Error] // of an Error object: what it was last read as
}

// dropped is what the cleanup of a collected core needs. It must not refer to the core.
type dropped struct {
	slot   *slot
	object uintptr
	weak   weak.Pointer[core]
}

// address is the native object, nil once released.
func (c *core) address() unsafe.Pointer { return pointer(atomic.LoadUintptr(&c.object)) }

// fetch is the core of a native object that the caller knows to be alive. A new one takes a reference of its own.
func fetch(object unsafe.Pointer) *core {
	for {
		s, found := findSlot(object)
		if !found {
			s = installSlot(object)
		}
		if c := s.fetch(object); c != nil {
			return c
		}
		// The slot was retired between finding and locking it; its entry is gone by now.
	}
}

// adopt is fetch for a reference that the caller owns and hands over.
func adopt(object unsafe.Pointer) *core {
	c := fetch(object)
	decRef(object)
	return c
}

// fetch returns nil when the slot does not, or no longer, serve the object.
func (s *slot) fetch(object unsafe.Pointer) *core {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.object != uintptr(object) {
		return nil
	}
	if c := s.weak.Value(); c != nil && atomic.LoadUintptr(&c.object) != 0 {
		return c
	}
	abi.IncRef(object)
	liveCores.Add(1)
	c := &core{object: uintptr(object), slot: s}
	c.self = weak.Make(c)
	s.weak = c.self
	c.cleanup = runtime.AddCleanup(c, unreachable, dropped{slot: s, object: c.object, weak: s.weak})
	return c
}

// release gives the reference back early. A second release does nothing.
func (c *core) release() {
	object := atomic.SwapUintptr(&c.object, 0)
	if object == 0 {
		return
	}
	c.cleanup.Stop()
	end(dropped{slot: c.slot, object: object, weak: c.self})
	runtime.KeepAlive(c)
}

// unreachable is the cleanup of a core that the collector has found.
func unreachable(d dropped) {
	collections.Add(1)
	end(d)
}

// end ends a core's life: its slot, unless a newer core has taken it over, and its reference.
func end(d dropped) {
	d.slot.retire(d)
	decRef(pointer(d.object))
	liveCores.Add(-1)
}

// slot leads from a native object to its core. It serves one object from the first fetch until the core that was
// fetched last is gone; all that time some core holds a reference, so the object's address and tie record stay valid.
type slot struct {
	mu     sync.Mutex
	object uintptr // 0: free
	weak   weak.Pointer[core]
	number uint64 // in the tie record's go word; 0: found through the fallback map
	next   *slot  // while free
}

func (s *slot) retire(d dropped) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.object != d.object || s.weak != d.weak {
		return // a newer core serves the object
	}
	handles.forget(pointer(s.object), s)
	s.object = 0
	s.weak = weak.Pointer[core]{}
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
		table, failed := bridge.JoinTieTable()
		if table == nil {
			decRef(failed)
			return
		}
		if t.owner = table.NewOwner(); t.owner != 0 {
			t.table = table
		}
	})
}

// findSlot looks an object's slot up without making one.
func findSlot(object unsafe.Pointer) (*slot, bool) {
	handles.join()
	if handles.table != nil {
		if record := handles.table.Find(object); record != nil {
			if word := atomic.LoadUint64(&record.Go); word>>slotBits == handles.owner {
				return handles.at(word & slotMask), true
			}
		}
		if handles.outside.Load() == 0 {
			return nil, false
		}
	}
	handles.mu.Lock()
	defer handles.mu.Unlock()
	s, ok := handles.fallback[uintptr(object)]
	return s, ok
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
				// The slot's own lock covers the time from the first sight of its number to its being set: whoever
				// finds it waits, and a number read long ago never meets a slot that serves an object for a moment only.
				s.mu.Lock()
				won := atomic.CompareAndSwapUint64(&record.Go, 0, handles.owner<<slotBits|s.number)
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

func (t *handleTable) at(number uint64) *slot {
	return &t.chunks[number>>chunkBits].Load()[number&(chunkSize-1)]
}

// takeLocked is a free slot, nil when the table is full. The caller holds the table's lock, which it may take a free
// slot's lock under: nobody who holds a free slot's lock waits for the table's.
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
	s.number = t.used
	return s
}

func (t *handleTable) free(s *slot) {
	if s.number == 0 {
		return
	}
	t.mu.Lock()
	s.next = t.freeList
	t.freeList = s
	t.mu.Unlock()
}

// forget removes the way from the object to the slot. The caller holds the slot's lock and a reference to the object.
func (t *handleTable) forget(object unsafe.Pointer, s *slot) {
	if s.number != 0 {
		if record := t.table.Find(object); record != nil {
			atomic.CompareAndSwapUint64(&record.Go, t.owner<<slotBits|s.number, 0)
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
