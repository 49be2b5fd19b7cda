package handles

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Keep keeps a value until its number is reported dead. It returns 0 when the table is full.
func Keep(value any) uint64 { return kept.put(value) }

// Kept is the value with a number whose object the caller knows to be alive.
func Kept(id uint64) any { return kept.get(id) }

// Drop forgets a value.
func Drop(id uint64) { kept.drop(id) }

// kept is what C code keeps of Go, by number: closures of Functions and the Go errors behind Error objects. C never sees
// a Go pointer.
var kept keepTable

const (
	keepChunkBits = 10
	keepChunkSize = 1 << keepChunkBits
	keepMaxChunks = 1 << 14
)

type keepTable struct {
	chunks [keepMaxChunks]atomic.Pointer[[keepChunkSize]atomic.Pointer[any]]

	mu   sync.Mutex
	used uint64 // 0 is never a number
	free []uint64
}

// put keeps a value until its number is reported dead. It returns 0 when the table is full.
func (t *keepTable) put(value any) uint64 {
	StartWatching()
	t.sweep()
	t.mu.Lock()
	defer t.mu.Unlock()
	var id uint64
	if n := len(t.free); n > 0 {
		id = t.free[n-1]
		t.free = t.free[:n-1]
	} else if t.used+1 < keepMaxChunks*keepChunkSize {
		t.used++
		id = t.used
		chunk := &t.chunks[id>>keepChunkBits]
		if chunk.Load() == nil {
			chunk.Store(new([keepChunkSize]atomic.Pointer[any]))
		}
	} else {
		return 0
	}
	t.at(id).Store(&value)
	return id
}

func (t *keepTable) at(id uint64) *atomic.Pointer[any] {
	return &t.chunks[id>>keepChunkBits].Load()[id&(keepChunkSize-1)]
}

// get is the value with a number whose object the caller knows to be alive.
func (t *keepTable) get(id uint64) any {
	if value := t.at(id).Load(); value != nil {
		return *value
	}
	return nil
}

// ender is a kept value that has something to do when it is dropped.
type ender interface{ Ended() }

// drop forgets a value.
func (t *keepTable) drop(id uint64) {
	if value := t.at(id).Swap(nil); value != nil {
		if e, ok := (*value).(ender); ok {
			e.Ended()
		}
	}
	t.mu.Lock()
	t.free = append(t.free, id)
	t.mu.Unlock()
}

// sweep forgets the values whose objects have died. It reports whether there were any.
func (t *keepTable) sweep() bool {
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

// KeptError is the Go error that an object of KeepError stands for, nil for other objects.
func KeptError(object unsafe.Pointer) error {
	index := keeperClass()
	if object == nil || index < 0 {
		return nil
	}
	id := bridge.OpaqueID(object, index)
	if id == 0 {
		return nil
	}
	err, _ := kept.get(id).(error)
	return err
}

// keepClassKey is the class of the objects that stand for a Go error in Error.extra_context.
const keepClassKey = "selfsame.GoError"

// keeperClass is the type index of that class, -1 when there is none.
var keeperClass = sync.OnceValue(func() int32 { return bridge.OpaqueClass(keepClassKey) })

// KeepError makes the object that stands for a Go error, nil when that is not possible. It returns an owned reference.
func KeepError(err error) unsafe.Pointer {
	index := keeperClass()
	if index < 0 {
		return nil
	}
	id := kept.put(err)
	if id == 0 {
		return nil
	}
	object, failed := bridge.NewOpaque(index, id)
	if object == nil {
		DecRef(failed)
		kept.drop(id)
	}
	return object
}
