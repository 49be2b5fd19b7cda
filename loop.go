package selfsame

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Loops over an Array or List. The iterators are written so that the compiler puts them, and the body of the range
// statement, into the function that has the loop: an element is then one comparison and one load. It does so only without
// defer. So a loop's reference to the container lies where it can be found when the body panics: in a hold, which is given
// back when the loop ends, and otherwise becomes unreachable.

// loop is one loop over elements of type E.
type loop[E any] struct {
	cell  *abi.SeqCell
	plain int32 // elements of this type index hold an E as they are; noPlain: none
	what  string
	hold  *loopHold
	rest  reader[E]
}

// loopHold is the part of a loop that the garbage collector watches: unreachable once the loop is over, also by a panic.
type loopHold struct {
	object *heldObject
}

// heldObject outlives its hold.
type heldObject struct {
	address atomic.Uintptr // owned; 0: no loop is running
	hold    weak.Pointer[loopHold]
}

var noElements abi.SeqCell

var loopHolds = sync.Pool{New: func() any { return newLoopHold() }}

// heldObjects are those of all holds that are reachable, and of some that are not.
var heldObjects struct {
	sweeping sync.Mutex // before mu
	mu       sync.Mutex
	all      []*heldObject
}

func init() { handles.AfterCollection = sweepLoops }

func newLoopHold() *loopHold {
	handles.WatchCollections()
	h := &loopHold{object: &heldObject{}}
	h.object.hold = weak.Make(h)
	heldObjects.mu.Lock()
	heldObjects.all = append(heldObjects.all, h.object)
	heldObjects.mu.Unlock()
	return h
}

// beginLoop takes a reference to a sequence; nil has no elements. keep is what holds it until then.
func beginLoop[E any](what string, object unsafe.Pointer, keep any) loop[E] {
	l := loop[E]{what: what, plain: plainIndexFor[E](), cell: &noElements}
	if object == nil {
		return l
	}
	l.hold = loopHolds.Get().(*loopHold)
	abi.IncRef(object)
	runtime.KeepAlive(keep)
	l.hold.object.address.Store(uintptr(object))
	l.cell = abi.SeqOf(object)
	return l
}

// end gives the reference back.
func (l *loop[E]) end() {
	if l.hold != nil {
		handles.DecRef(handles.Pointer(l.hold.object.address.Swap(0)))
		loopHolds.Put(l.hold)
		l.hold = nil
	}
}

// size is the number of elements now: the body of the loop may change a List.
func (l *loop[E]) size() int { return int(l.cell.Size) }

// plainAt is element i, if it is plain. It is small, to be inlined.
func (l *loop[E]) plainAt(i int) (e E, ok bool) {
	item := itemAt(l.cell, i)
	if item.TypeIndex != l.plain {
		return e, false
	}
	return *(*E)(unsafe.Pointer(&item.Bits)), true
}

// read is element i, whatever it is. It panics when that is not an E.
func (l *loop[E]) read(i int) E { return l.rest.at(l.what, l.cell, i) }

// plainIndexFor is conv.plain of a type.
func plainIndexFor[E any]() int32 {
	switch any((*E)(nil)).(type) {
	case *int64, *int:
		return abi.IndexInt
	case *float64:
		return abi.IndexFloat
	}
	return noPlain
}

// sweepLoops gives back what loops held whose body panicked, as far as the collector has found their holds.
func sweepLoops() {
	heldObjects.sweeping.Lock()
	defer heldObjects.sweeping.Unlock()
	sweepLoopsLocked()
}

// collectLoops is a garbage collection after which all holds that were unreachable before have been found. It holds the
// sweeping lock throughout: weak.Pointer.Value while the collector marks keeps its target for one more collection.
func collectLoops() {
	heldObjects.sweeping.Lock()
	defer heldObjects.sweeping.Unlock()
	runtime.GC()
	sweepLoopsLocked()
}

func sweepLoopsLocked() {
	var left []uintptr
	heldObjects.mu.Lock()
	reachable := heldObjects.all[:0]
	for _, held := range heldObjects.all {
		if held.hold.Value() != nil {
			reachable = append(reachable, held)
		} else if address := held.address.Swap(0); address != 0 {
			left = append(left, address)
		}
	}
	clear(heldObjects.all[len(reachable):])
	heldObjects.all = reachable
	heldObjects.mu.Unlock()
	for _, address := range left {
		handles.DecRef(handles.Pointer(address))
	}
}
