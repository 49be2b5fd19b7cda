package abi

import (
	"sync/atomic"
	"unsafe"
)

// Parts of Object.Counts.
const (
	StrongOne  uint64 = 1
	WeakOne    uint64 = 1 << 32
	StrongMask uint64 = 0xFFFFFFFF
	CountsNew  uint64 = WeakOne | StrongOne // a new object: one strong reference, and the weak one all strong ones share
)

// Object is the header of every object (TVMFFIObject, 24 bytes).
type Object struct {
	Counts    uint64 // low 32 bits strong, high 32 bits weak; atomic
	TypeIndex int32
	Padding   uint32  // tie mark, see tie.h; atomic
	Deleter   uintptr // C function void (*)(void* self, int flags), 0: the object is never freed
}

// IncRef adds one strong reference. The caller already holds one. Any thread; does not cross into C.
func IncRef(handle unsafe.Pointer) {
	atomic.AddUint64(&(*Object)(handle).Counts, StrongOne)
}

// StrongCount reads the number of strong references. Any thread that knows the object's memory to be alive.
func StrongCount(handle unsafe.Pointer) uint32 {
	return uint32(atomic.LoadUint64(&(*Object)(handle).Counts))
}

// WeakCount reads the number of weak references; all strong ones together count as one.
func WeakCount(handle unsafe.Pointer) uint32 {
	return uint32(atomic.LoadUint64(&(*Object)(handle).Counts) >> 32)
}

// TypeIndexOf reads the type index from an object's header.
func TypeIndexOf(handle unsafe.Pointer) int32 { return (*Object)(handle).TypeIndex }

// TryPromote turns a weak reference into a strong one: it adds a strong reference unless the last one is gone, and says
// whether it did. The caller holds a weak reference and keeps it.
func TryPromote(handle unsafe.Pointer) bool {
	counts := &(*Object)(handle).Counts
	for {
		old := atomic.LoadUint64(counts)
		if old&StrongMask == 0 {
			return false
		}
		if atomic.CompareAndSwapUint64(counts, old, old+StrongOne) {
			return true
		}
	}
}

// DropShared drops a strong reference if it is not the last one, and says whether it did.
func DropShared(handle unsafe.Pointer) bool {
	counts := &(*Object)(handle).Counts
	for {
		old := atomic.LoadUint64(counts)
		if old&StrongMask <= StrongOne {
			return false
		}
		if atomic.CompareAndSwapUint64(counts, old, old-StrongOne) {
			return true
		}
	}
}
