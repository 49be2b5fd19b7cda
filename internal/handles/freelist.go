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

// A call into C costs as much as malloc and free together. So an object that this frontend made goes onto the free list
// of its class when its handle is released and nothing else refers to it. It keeps its memory, its tie record, its
// table entry and the counts of a new object. The next object of the class is made of it without a call into C. It is
// dead: nothing refers to it, the objects that it owned are released, and the runtime and the tie table do not count
// it.
//
// There are free lists only on a runtime that can leave such objects out of its counts, while its own allocator is in use,
// and not in builds that look for uses of dead objects.
//
// Why released objects go to a free list. Two crossings into C would use up all the time of C's malloc and free through
// cgo, which is the aim for making and releasing an object. So an object that only its handle owned keeps memory,
// record, table entry and counts when it is released. The frontend makes the next object of the class from it, in Go:
// 0.79 times malloc and free, without the list 2.96 times (`go run ./bench/frontend -rounds 40 -only "make and
// release"`).
//
// For everybody else such an object is dead. The word that is the top of the list says in its low bits how many objects
// lie there, and readers of the counts subtract them. A custom allocator sees every object, because nothing is taken
// off a list while one is set. The memory of a list is bounded, Collect empties it, and there is none with `-tags
// debug`, -asan or -msan, or on a stock runtime, which cannot subtract.
//
// A count of one strong and no weak reference, seen by its owner, leaves nobody else who could fetch; so no lock is
// needed. docs/locks.md says how a release and the weakening of the young list see each other.

// freeList has the dead objects of one class: a lock-free stack of their table entries.
type freeList struct {
	allocation *bridge.Allocation
	layout     *bridge.Layout
	owned      []bridge.OwnedField // the owned fields
	shared     []unsafe.Pointer    // objects that the prototype owns and each new object refers to
	fresh      []byte              // the prototype behind the header
	index      int32               // type index
	limit      uint64              // of objects; 0: none are recycled

	// top has three parts. The bits that C reads are the number of entries. Then comes the index of the top entry, then
	// how often top was changed, so that a goroutine with an old value of top never takes it for the present one (ABA). It
	// lies in pinned memory without any other Go value.
	top *atomic.Uint64
}

const (
	countMask  = 1<<bridge.FreeListBits - 1
	indexShift = bridge.FreeListBits
	topBits    = 24
	topMask    = 1<<topBits - 1
	turnShift  = indexShift + topBits

	// maxListBytes is how much memory the free list of one class may hold.
	maxListBytes = 1 << 16
)

var freeLists struct {
	mu   sync.Mutex
	pins runtime.Pinner // of the words top, for the life of the process
	all  []*freeList
}

// makeFreeList makes the class's free list; nil when its objects cannot be recycled.
func (a *Allocator) makeFreeList() *freeList {
	layout := a.Layout
	if table.ties == nil || layout.Size() > maxListBytes {
		return nil
	}
	allocationAt, countAt := AllocatorFunctions()
	if allocationAt == nil || countAt == nil {
		return nil
	}
	freeLists.mu.Lock()
	defer freeLists.mu.Unlock()
	if l := a.freeList.Load(); l != nil {
		return l
	}
	l := &freeList{
		allocation: bridge.AllocationAt(allocationAt),
		layout:     layout,
		owned:      layout.OwnedFields(),
		index:      layout.TypeIndex(),
		limit:      min(countMask, uint64(maxListBytes/layout.Size())),
	}
	if layout.Drops() {
		l.limit = 0 // its objects die in C, which gives them to OnDrop
	}
	prototype := layout.Prototype()
	l.fresh = unsafe.Slice((*byte)(unsafe.Add(prototype, abi.BodyOffset)), layout.Size()-abi.BodyOffset)
	for i := range l.owned {
		if l.owned[i].Fresh != 0 {
			l.limit = 0 // C makes a container for each new object
		}
		if object := ownedBy(prototype, &l.owned[i]); object != nil {
			l.shared = append(l.shared, object)
		}
	}
	words := new([16]atomic.Uint64) // two cache lines, so that no other data shares the one that words[8] is on
	l.top = &words[8]
	freeLists.pins.Pin(words)
	if l.limit != 0 && !table.ties.ShareFreeList(countAt, l.index, l.top) {
		l.limit = 0
	}
	freeLists.all = append(freeLists.all, l)
	a.freeList.Store(l)
	return l
}

// ownedBy returns the object that an owned field refers to, nil when there is none.
func ownedBy(object unsafe.Pointer, field *bridge.OwnedField) unsafe.Pointer {
	at := unsafe.Add(object, field.Offset)
	if field.Size == int32(unsafe.Sizeof(abi.Any{})) {
		if v := (*abi.Any)(at); v.IsObject() {
			return v.Pointer()
		}
		return nil
	}
	return Pointer(*(*uintptr)(at))
}

// accepts says whether an object that was just made may come onto the free list with its entry.
func (l *freeList) accepts(object unsafe.Pointer, e *entry) bool {
	return l != nil && l.limit != 0 && e.index <= topMask && l.allocation.Made(object)
}

// put puts the object of a State that was just released onto the free list, unless there are other references to the object.
// If it returns true, the list has taken over the State's reference.
func (l *freeList) put(s *State, object unsafe.Pointer) bool {
	header := (*abi.Object)(object)
	if atomic.LoadUint64(&header.Counts) != abi.CountsNew || header.TypeIndex != l.index {
		return false
	}
	// No other code can reach the object, nor change its record. If the record names the entry, the entry serves no newer
	// State: that one would own a reference, or would have cleared the record when it dropped its own.
	record := table.ties.Find(object)
	if record == nil || atomic.LoadUintptr(&record.Wrapper) != 0 || atomic.LoadUint64(&record.Go) != table.goWord(s.entry) {
		return false
	}
	if s.weakened.Load() {
		return false // the entry has a weak pointer to it, or weaken is just making one
	}
	for i := range l.owned {
		clearField(object, &l.owned[i])
	}
	return l.push(s.entry)
}

// clearField drops the reference of an owned field and sets its memory to zero.
func clearField(object unsafe.Pointer, field *bridge.OwnedField) {
	held := ownedBy(object, field)
	if held == nil {
		return
	}
	clear(unsafe.Slice((*byte)(unsafe.Add(object, field.Offset)), field.Size))
	DecRef(held)
}

// push fails when the list is full.
func (l *freeList) push(e *entry) bool {
	for {
		old := l.top.Load()
		if old&countMask >= l.limit {
			return false
		}
		if below := old >> indexShift & topMask; e.below.Load() != below {
			e.below.Store(below)
		}
		turn := old>>turnShift + 1
		if l.top.CompareAndSwap(old, turn<<turnShift|e.index<<indexShift|old&countMask+1) {
			return true
		}
	}
}

// pop returns an entry that the caller then owns, nil when the list is empty.
func (l *freeList) pop() *entry {
	for {
		old := l.top.Load()
		if old&countMask == 0 {
			return nil
		}
		e := table.at(old >> indexShift & topMask)
		turn := old>>turnShift + 1
		if l.top.CompareAndSwap(old, turn<<turnShift|e.below.Load()<<indexShift|old&countMask-1) {
			return e
		}
	}
}

// take makes an object and its State from the free list, nil when that is empty.
func (l *freeList) take() *State {
	if !l.allocation.Builtin() {
		return nil
	}
	e := l.pop()
	if e == nil {
		return nil
	}
	object := Pointer(e.object)
	copy(unsafe.Slice((*byte)(unsafe.Add(object, abi.BodyOffset)), len(l.fresh)), l.fresh)
	for _, held := range l.shared {
		abi.IncRef(held)
	}
	// The number can be the one of the last State: that has ended without a comparison of numbers. MadeInCall gives another.
	s := &State{object: e.object, entry: e, number: e.number, freeList: l}
	e.setStrong(s)
	return s
}

// emptyFreeLists frees all objects on free lists.
func emptyFreeLists() {
	freeLists.mu.Lock()
	all := freeLists.all
	freeLists.mu.Unlock()
	for _, l := range all {
		for e := l.pop(); e != nil; e = l.pop() {
			e.mu.Lock()
			object := Pointer(e.object)
			e.freeLocked()
			e.mu.Unlock()
			DecRef(object)
		}
	}
}
