//go:build !debug && !asan && !msan

package handles

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// A call into C costs as much as malloc and free together. So an object that this frontend made, and that nobody but its
// handle holds when that is released, rests: it keeps its memory, its tie record, its slot, and the counts of a new
// object, and the next object of the class is made of it without entering C. To everybody else it is dead: no reference to it is left, what
// it owned is released, and the runtime and the tie table leave out the resting ones when they count.
//
// This is only done on a runtime that knows of it, while the allocator in use is the runtime's own, and not in builds that
// look for the use of dead objects.

// resting is the objects of one class that rest: a stack of slots.
type resting struct {
	allocation *bridge.Allocation
	layout     *bridge.Layout
	cells      []bridge.OwnedField
	shared     []unsafe.Pointer // objects that the prototype holds
	fresh      []byte           // the prototype behind the header
	index      int32            // type index
	limit      uint64

	// word: the number of slots, in the bits that others read; the index of the top slot; and how often it was changed,
	// so that nobody who was asleep takes an old top for the new one. It lies in pinned memory of its own.
	word *atomic.Uint64
}

const (
	restingCount     = 1<<bridge.FreeListBits - 1
	restingTopShift  = bridge.FreeListBits
	restingTopBits   = 24
	restingTopMask   = 1<<restingTopBits - 1
	restingTurnShift = restingTopShift + restingTopBits

	// restingMemory is how much memory of one class may rest.
	restingMemory = 1 << 16
)

var restings struct {
	mu   sync.Mutex
	pins runtime.Pinner // of words, for good
	all  []*resting
}

// mayRest makes the class's stack; nil when its objects cannot rest.
func (a *Allocator) mayRest() *resting {
	layout := a.Layout
	if handles.table == nil || layout.Size() > restingMemory {
		return nil
	}
	allocationAt, countAt := RestingFunctions()
	if allocationAt == nil || countAt == nil {
		return nil
	}
	restings.mu.Lock()
	defer restings.mu.Unlock()
	if r := a.rest.Load(); r != nil {
		return r
	}
	r := &resting{
		allocation: bridge.AllocationAt(allocationAt),
		layout:     layout,
		cells:      layout.OwnedFields(),
		index:      layout.TypeIndex(),
		limit:      min(restingCount, uint64(restingMemory/layout.Size())),
	}
	prototype := layout.Prototype()
	r.fresh = unsafe.Slice((*byte)(unsafe.Add(prototype, abi.BodyOffset)), layout.Size()-abi.BodyOffset)
	for i := range r.cells {
		if r.cells[i].Fresh != 0 {
			r.limit = 0 // C makes a container for each new object
		}
		if object := objectInCell(prototype, &r.cells[i]); object != nil {
			r.shared = append(r.shared, object)
		}
	}
	words := new([16]atomic.Uint64) // two cache lines: the one in the middle is nobody else's
	r.word = &words[8]
	restings.pins.Pin(words)
	if r.limit != 0 && !handles.table.ShareFreeList(countAt, r.index, r.word) {
		r.limit = 0
	}
	restings.all = append(restings.all, r)
	a.rest.Store(r)
	return r
}

func objectInCell(object unsafe.Pointer, cell *bridge.OwnedField) unsafe.Pointer {
	place := unsafe.Add(object, cell.Offset)
	if cell.Size == int32(unsafe.Sizeof(abi.Any{})) {
		if v := (*abi.Any)(place); v.IsObject() {
			return v.Pointer()
		}
		return nil
	}
	return Pointer(*(*uintptr)(place))
}

// serves says whether an object that was just made, and its slot, may come to rest here.
func (r *resting) serves(object unsafe.Pointer, s *slot) bool {
	return r != nil && r.limit != 0 && s.index <= restingTopMask && r.allocation.Made(object)
}

// put lets the object of a core that was just released rest, if nobody else has a reference to it. The core's reference
// is taken over if it does.
func (r *resting) put(c *State, object unsafe.Pointer) bool {
	header := (*abi.Object)(object)
	if atomic.LoadUint64(&header.Counts) != abi.CountsNew || header.TypeIndex != r.index {
		return false
	}
	// The object is nobody else's now, and so is its record. If that leads to the slot, the slot serves no other core: that
	// one would have a reference, or would have taken the slot away from the object when it gave its own back.
	record := handles.table.Find(object)
	if record == nil || atomic.LoadUintptr(&record.Wrapper) != 0 || atomic.LoadUint64(&record.Go) != handles.owner<<slotBits|c.slot.index {
		return false
	}
	if c.old.Load() != nil {
		return false // it has a cleanup, or is just getting one
	}
	for i := range r.cells {
		r.empty(object, &r.cells[i])
	}
	return r.push(c.slot)
}

// empty releases what a cell owns.
func (r *resting) empty(object unsafe.Pointer, cell *bridge.OwnedField) {
	held := objectInCell(object, cell)
	if held == nil {
		return
	}
	clear(unsafe.Slice((*byte)(unsafe.Add(object, cell.Offset)), cell.Size))
	DecRef(held)
}

// push fails when enough objects rest.
func (r *resting) push(s *slot) bool {
	for {
		old := r.word.Load()
		if old&restingCount >= r.limit {
			return false
		}
		if below := old >> restingTopShift & restingTopMask; s.below.Load() != below {
			s.below.Store(below)
		}
		turn := old>>restingTurnShift + 1
		if r.word.CompareAndSwap(old, turn<<restingTurnShift|s.index<<restingTopShift|old&restingCount+1) {
			return true
		}
	}
}

func (r *resting) pop() *slot {
	for {
		old := r.word.Load()
		if old&restingCount == 0 {
			return nil
		}
		s := handles.at(old >> restingTopShift & restingTopMask)
		turn := old>>restingTurnShift + 1
		if r.word.CompareAndSwap(old, turn<<restingTurnShift|s.below.Load()<<restingTopShift|old&restingCount-1) {
			return s
		}
	}
}

// take makes an object of one that rests, and its core. nil: there is none.
func (r *resting) take() *State {
	if !r.allocation.Builtin() {
		return nil
	}
	s := r.pop()
	if s == nil {
		return nil
	}
	object := Pointer(s.object)
	copy(unsafe.Slice((*byte)(unsafe.Add(object, abi.BodyOffset)), len(r.fresh)), r.fresh)
	for _, held := range r.shared {
		abi.IncRef(held)
	}
	// The core before has ended without a trace, so this one can have its number.
	c := &State{object: s.object, slot: s, number: s.number, rest: r}
	s.setYoung(c)
	return c
}

// letRestingGo frees the objects that rest.
func letRestingGo() {
	restings.mu.Lock()
	all := restings.all
	restings.mu.Unlock()
	for _, r := range all {
		for s := r.pop(); s != nil; s = r.pop() {
			s.mu.Lock()
			object := Pointer(s.object)
			s.retireLocked()
			s.mu.Unlock()
			DecRef(object)
		}
	}
}
