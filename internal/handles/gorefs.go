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
	refMaxChunks = 1 << 14
)

type goRefTable struct {
	chunks [refMaxChunks]atomic.Pointer[[refChunkSize]atomic.Pointer[any]] // read without a lock

	mu   sync.Mutex // for what follows, and for adding chunks
	used uint64     // 0 is never a number
	free []uint64
}

// Keep keeps a Go value reachable until its number is dropped, or the native object that was made with the number dies.
// It returns 0 when the table is full.
func Keep(value any) uint64 {
	WatchCollections()
	goRefs.sweep()
	return goRefs.put(value)
}

// Kept is the value of a number whose native object the caller knows to be alive.
func Kept(id uint64) any { return goRefs.get(id) }

// Drop forgets the value of a number that no native object was made with.
func Drop(id uint64) { goRefs.drop(id) }

func (t *goRefTable) put(value any) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var id uint64
	if n := len(t.free); n > 0 {
		id = t.free[n-1]
		t.free = t.free[:n-1]
	} else if t.used+1 < refMaxChunks*refChunkSize {
		t.used++
		id = t.used
		chunk := &t.chunks[id>>refChunkBits]
		if chunk.Load() == nil {
			chunk.Store(new([refChunkSize]atomic.Pointer[any]))
		}
	} else {
		return 0
	}
	t.at(id).Store(&value)
	return id
}

func (t *goRefTable) at(id uint64) *atomic.Pointer[any] {
	return &t.chunks[id>>refChunkBits].Load()[id&(refChunkSize-1)]
}

func (t *goRefTable) get(id uint64) any {
	if value := t.at(id).Load(); value != nil {
		return *value
	}
	return nil
}

// ender is a kept value that has something to do when it is dropped.
type ender interface{ Ended() }

func (t *goRefTable) drop(id uint64) {
	if value := t.at(id).Swap(nil); value != nil {
		if e, ok := (*value).(ender); ok {
			e.Ended()
		}
	}
	t.mu.Lock()
	t.free = append(t.free, id)
	t.mu.Unlock()
}

// sweep drops the values whose native objects have died. It reports whether there were any.
func (t *goRefTable) sweep() bool {
	ids := make([]uint64, 64)
	any := false
	for {
		n := bridge.TakeDead(ids)
		for _, id := range ids[:n] {
			t.drop(id)
		}
		any = any || n > 0
		if n < len(ids) {
			return any
		}
	}
}

// goErrorKey is the class of the objects that stand for a Go error in Error.extra_context.
const goErrorKey = "selfsame.GoError"

// goErrorClass is the type index of that class, -1 when it could not be registered.
var goErrorClass = sync.OnceValue(func() int32 { return bridge.OpaqueClass(goErrorKey) })

// KeepError makes the object that stands for a Go error, nil when that is not possible. The caller owns the reference.
func KeepError(err error) unsafe.Pointer {
	index := goErrorClass()
	if index < 0 {
		return nil
	}
	id := Keep(err)
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

// KeptError is the Go error that an object of KeepError stands for, nil for nil and for other objects.
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
