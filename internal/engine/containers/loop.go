package containers

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Loops over an Array or List. The compiler inlines these iterators, and the body of the range statement, into the function
// that has the loop, so that an element costs one comparison and one load; but only if the iterators have no defer. So a
// loop's reference to the container lies in a pooled guard: the loop returns the guard to the pool when it ends, and when
// the body panics the guard becomes unreachable, and the next collection releases the reference. With a defer a loop takes
// three times as long (make bench-go), and a cleanup for each loop would cost more than a short loop.

// loop is one loop over elements of type E.
type loop[E any] struct {
	cell      *abi.SeqCell
	bitsIndex int32 // elements of this type index hold the bits of an E; convert.NoBitsIndex: no type index does
	what      string
	guard     *loopGuard
	other     convert.Reader[E] // reads elements of other type indices
}

// loopGuard is the part of a loop whose reachability the garbage collector tells: after a panic in the loop it is
// unreachable.
type loopGuard struct {
	object *loopObject
}

// loopObject is the reference of a loop. It outlives its guard.
type loopObject struct {
	address atomic.Uintptr // the container, one reference owned; 0: no loop is running
	guard   weak.Pointer[loopGuard]
}

var noElements abi.SeqCell

var loopGuards = sync.Pool{New: func() any { return newLoopGuard() }}

// loopObjects has the loopObject of every reachable guard, and of unreachable ones until the next sweep. mu guards all;
// sweeping admits one sweep at a time and is locked before mu.
var loopObjects struct {
	sweeping sync.Mutex
	mu       sync.Mutex
	all      []*loopObject
}

func init() { handles.AfterCollection, handles.RunGC = sweepLoops, collectLoops }

func newLoopGuard() *loopGuard {
	handles.WatchCollections()
	g := &loopGuard{object: &loopObject{}}
	g.object.guard = weak.Make(g)
	loopObjects.mu.Lock()
	loopObjects.all = append(loopObjects.all, g.object)
	loopObjects.mu.Unlock()
	return g
}

// AllElements makes the iterator of All. r is nil for a nil Array or List, which has no elements.
func AllElements[E any](r *Ref, what string) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		l := beginLoop[E](r, what)
		for i := 0; i < l.size(); i++ {
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(i, e) {
				break
			}
		}
		l.end()
	}
}

// ElementValues makes the iterator of Values. See [AllElements].
func ElementValues[E any](r *Ref, what string) iter.Seq[E] {
	return func(yield func(E) bool) {
		l := beginLoop[E](r, what)
		for i := 0; i < l.size(); i++ {
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(e) {
				break
			}
		}
		l.end()
	}
}

// ElementsBackward makes the iterator of Backward. See [AllElements].
func ElementsBackward[E any](r *Ref, what string) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		l := beginLoop[E](r, what)
		for i := l.size() - 1; i >= 0; i-- {
			if i = min(i, l.size()-1); i < 0 { // the body may have removed elements
				break
			}
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(i, e) {
				break
			}
		}
		l.end()
	}
}

// beginLoop takes a reference to a sequence.
func beginLoop[E any](r *Ref, what string) loop[E] {
	l := loop[E]{what: what, bitsIndex: convert.BitsIndexFor[E](), cell: &noElements}
	if r == nil {
		return l
	}
	object := r.Address(what)
	l.guard = loopGuards.Get().(*loopGuard)
	abi.IncRef(object)
	runtime.KeepAlive(r)
	l.guard.object.address.Store(uintptr(object))
	l.cell = abi.SeqOf(object)
	return l
}

// end releases the loop's reference.
func (l *loop[E]) end() {
	if l.guard != nil {
		handles.DecRef(handles.Pointer(l.guard.object.address.Swap(0)))
		loopGuards.Put(l.guard)
		l.guard = nil
	}
}

// size returns the number of elements now: the body of the loop may change a List.
func (l *loop[E]) size() int { return int(l.cell.Size) }

// plainAt returns element i if its bits are an E. It must stay small enough to be inlined.
func (l *loop[E]) plainAt(i int) (e E, ok bool) {
	item := convert.ItemAt(l.cell, i)
	if item.TypeIndex != l.bitsIndex {
		return e, false
	}
	return *(*E)(unsafe.Pointer(&item.Bits)), true
}

// read returns element i, of any type index. It panics when the element is not an E.
func (l *loop[E]) read(i int) E { return l.other.At(l.what, l.cell, i) }

// sweepLoops releases the references of loops whose body panicked, if the collector has found their guards unreachable.
func sweepLoops() {
	loopObjects.sweeping.Lock()
	left := sweepLoopsLocked()
	loopObjects.sweeping.Unlock()
	for _, address := range left {
		handles.DecRef(handles.Pointer(address))
	}
}

// collectLoops runs a garbage collection, then finds every guard that was unreachable before it, and returns their
// references. It holds the sweeping lock all the time: a sweep during the mark phase would call weak.Pointer.Value,
// which keeps its target for one more collection.
func collectLoops() []uintptr {
	loopObjects.sweeping.Lock()
	defer loopObjects.sweeping.Unlock()
	runtime.GC()
	return sweepLoopsLocked()
}

// sweepLoopsLocked returns the references of loops whose guards are unreachable. The caller must hold loopObjects.sweeping.
func sweepLoopsLocked() (left []uintptr) {
	loopObjects.mu.Lock()
	reachable := loopObjects.all[:0]
	for _, object := range loopObjects.all {
		if object.guard.Value() != nil {
			reachable = append(reachable, object)
		} else if address := object.address.Swap(0); address != 0 {
			left = append(left, address)
		}
	}
	clear(loopObjects.all[len(reachable):])
	loopObjects.all = reachable
	loopObjects.mu.Unlock()
	return left
}
