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
	CountsNew  uint64 = WeakOne | StrongOne // a new object: one strong reference, and the weak one that all strong ones share
)

// Object is the header of every object (TVMFFIObject, 24 bytes).
type Object struct {
	Counts    uint64 // low 32 bits strong, high 32 bits weak; atomic
	TypeIndex int32
	Padding   uint32  // number of the tie record, see tie.h; 0: none; atomic
	Deleter   uintptr // C function void (*)(void* self, int flags), 0: the object is never freed
}

// IncRef adds one strong reference. The caller owns one or borrows from an owner. Any thread; does not call C.
func IncRef(handle unsafe.Pointer) {
	atomic.AddUint64(&(*Object)(handle).Counts, StrongOne)
}

// StrongCount reads the number of strong references. The object's memory must be alive. Any thread.
func StrongCount(handle unsafe.Pointer) uint32 {
	return uint32(atomic.LoadUint64(&(*Object)(handle).Counts))
}

// WeakCount reads the number of weak references; all strong ones together own one. See StrongCount.
func WeakCount(handle unsafe.Pointer) uint32 {
	return uint32(atomic.LoadUint64(&(*Object)(handle).Counts) >> 32)
}

// TypeIndexOf reads the type index from an object's header.
func TypeIndexOf(handle unsafe.Pointer) int32 { return (*Object)(handle).TypeIndex }

// TryPromote adds a strong reference unless the last one is gone, and says whether it did. The caller owns a weak
// reference and keeps it. Any thread.
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

// DropShared releases a strong reference if it is not the last one, and says whether it did. Any thread; does not call C.
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
