package handles

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// goRefs has the Go values that native objects own, by number: the closures of Functions, the memory of tensors and the Go
// errors behind Error objects. C never sees a Go pointer.
var goRefs goRefTable

const (
	refChunkBits = 10
	refChunkSize = 1 << refChunkBits
	refMaxChunks = 1 << 14 // of the chunks that the directory has room for
)

type goRefTable struct {
	chunks directory[[refChunkSize]atomic.Pointer[any]]

	mu     sync.Mutex // for what follows, and for adding chunks
	unused []uint64
}

// inheritedRefs is the highest number that a Go before a fork gave to a value; 0 is never a number. This Go has the
// values only of those numbers that it bound (Bind).
var inheritedRefs = atomic.LoadUint64(bridge.LastID)

// Keep keeps a Go value reachable until its number is dropped, or the native object that was made with the number dies.
// It returns 0 when the table is full.
func Keep(value any) uint64 {
	id, dead := KeepAt(&value)
	releaseWeak(dead)
	return id
}

// KeepAt does Keep's work for the value at a place, which nobody changes. The caller must release a weak reference to dead, unless that is
// nil: it is about to call C anyway.
func KeepAt(value *any) (id uint64, dead unsafe.Pointer) {
	if c := InCall(); c != nil {
		c.refers = true
	}
	return keepAt(value)
}

func keepAt(value *any) (id uint64, dead unsafe.Pointer) {
	WatchCollections()
	if bridge.AnyDead() {
		_, id, dead = goRefs.sweepBut()
	}
	return goRefs.put(value, id), dead
}

// Kept returns the value of a number whose native object the caller knows to be alive.
func Kept(id uint64) any { return goRefs.get(id) }

// Bind keeps a Go value under a number that a Go before a fork gave to the value in whose place this one comes.
func Bind(id uint64, value any) {
	goRefs.mu.Lock()
	defer goRefs.mu.Unlock()
	goRefs.chunkLocked(id)
	goRefs.at(id).Store(&value)
}

// Inherited reports whether a number comes from a Go before a fork.
func Inherited(id uint64) bool { return id <= inheritedRefs }

// Drop forgets the value of a number that no native object was made with.
func Drop(id uint64) {
	dead := goRefs.drop(id)
	goRefs.free(id)
	releaseWeak(dead)
}

// put gives a value the number id, which drop has made free; with 0 another one. It returns the number, 0 when the table is full.
func (t *goRefTable) put(value *any, id uint64) uint64 {
	if id == 0 {
		if id = t.take(); id == 0 {
			return 0
		}
	}
	t.at(id).Store(value)
	return id
}

// take returns a number without a value, whose chunk is made; 0 when the table is full.
func (t *goRefTable) take() (id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.unused); n > 0 {
		id = t.unused[n-1]
		t.unused = t.unused[:n-1]
		return id
	}
	if atomic.LoadUint64(bridge.LastID)+1 >= refMaxChunks*refChunkSize {
		return 0
	}
	id = atomic.AddUint64(bridge.LastID, 1)
	t.chunkLocked(id)
	return id
}

// free lets a number be given again.
func (t *goRefTable) free(id uint64) {
	t.mu.Lock()
	t.chunkLocked(id)
	t.unused = append(t.unused, id)
	t.mu.Unlock()
}

// chunkLocked makes the chunk of a number. The caller holds t.mu.
func (t *goRefTable) chunkLocked(id uint64) {
	t.chunks.make(id >> refChunkBits)
}

// at returns the place of a number; nil when it was given by a Go before a fork and has no chunk here.
func (t *goRefTable) at(id uint64) *atomic.Pointer[any] {
	chunk := t.chunks.at(id >> refChunkBits)
	if chunk == nil {
		return nil
	}
	return &chunk[id&(refChunkSize-1)]
}

func (t *goRefTable) get(id uint64) any {
	if at := t.at(id); at != nil {
		if value := at.Load(); value != nil {
			return *value
		}
	}
	return nil
}

// goValueBytes is what a kept value is taken to need, besides what Unpinned is told of it.
const goValueBytes = 256

// ender is a kept value that has something to do when it is dropped. It returns an object of which it leaves a weak reference
// to release, nil for none.
type ender interface{ Ended() (dead unsafe.Pointer) }

// drop ends the value of a number, which the caller then owns: it gives it to free or put. It returns what ender says.
func (t *goRefTable) drop(id uint64) (dead unsafe.Pointer) {
	if at := t.at(id); at != nil {
		if value := at.Swap(nil); value != nil {
			if e, ok := (*value).(ender); ok {
				dead = e.Ended()
			}
		}
		Unpinned(goValueBytes)
	}
	return dead
}

// sweep drops the values whose native objects have died, and returns their number.
func (t *goRefTable) sweep() int {
	swept, id, dead := t.sweepBut()
	if id != 0 {
		t.free(id)
	}
	releaseWeak(dead)
	return swept
}

// sweepBut does that, but leaves the number of one of the values to its caller, unless id is 0, and a weak reference to one dead
// object, unless dead is nil.
func (t *goRefTable) sweepBut() (swept int, id uint64, dead unsafe.Pointer) {
	drop := func(dropped uint64) {
		if ended := t.drop(dropped); ended != nil {
			releaseWeak(dead)
			dead = ended
		}
		if id == 0 && t.at(dropped) != nil {
			id = dropped
		} else {
			t.free(dropped)
		}
	}
	for bridge.AnyDead() { // what was dropped may have owned others
		swept += bridge.TakeDead(drop)
	}
	return swept, id, dead
}

func releaseWeak(object unsafe.Pointer) {
	if object != nil {
		bridge.WeakDecRef(object)
	}
}

// goErrorKey is the class of the objects that stand for a Go error in Error.extra_context.
const goErrorKey = "selfsame.GoError"

// goErrorClass is the type index of that class, -1 when it could not be registered.
var goErrorClass = sync.OnceValue(func() int32 { return bridge.OpaqueClass(goErrorKey) })

// PrepareErrors registers the class of KeepError. An extension calls it when it is loaded, so that errors need nothing
// registered in a forked child.
func PrepareErrors() { goErrorClass() }

// KeepError makes the object that stands for a Go error, nil when that is not possible. The caller owns the reference.
func KeepError(err error) unsafe.Pointer {
	index := goErrorClass()
	if index < 0 {
		return nil
	}
	if c := InCall(); c != nil && reachesState(err) {
		c.refers = true
	}
	kept := any(err)
	id, dead := keepAt(&kept)
	releaseWeak(dead)
	if id == 0 {
		return nil
	}
	object, failed := bridge.NewOpaque(index, id)
	if object == nil {
		DecRef(failed)
		Drop(id)
	}
	return object
}

// KeptError returns the Go error that an object of KeepError stands for, nil for nil and for other objects.
func KeptError(object unsafe.Pointer) error {
	index := goErrorClass()
	if object == nil || index < 0 {
		return nil
	}
	id := bridge.OpaqueID(object, index)
	if id == 0 {
		return nil
	}
	err, _ := goRefs.get(id).(error)
	return err
}
