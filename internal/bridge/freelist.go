package bridge

// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// FreeListBits is the number of low bits of a free list's word that hold the number of objects on the list.
const FreeListBits = C.SELFSAME_FREE_LIST_BITS

// Allocation describes the runtime's allocator (SelfsameAllocation in selfsame.h).
type Allocation C.SelfsameAllocation

// LinkedFreeList returns the addresses of SelfsameAllocationGet and SelfsameCountFreeList, each nil if it is not linked
// into the program.
func LinkedFreeList() (allocation, count unsafe.Pointer) {
	return C.ss_out_allocation_function(), C.ss_out_share_function()
}

// AllocationAt calls SelfsameAllocationGet, whose address is function.
func AllocationAt(function unsafe.Pointer) *Allocation {
	return (*Allocation)(unsafe.Pointer(C.ss_out_allocation_get(function)))
}

// LinkedReadOnly returns the address of SelfsameReadOnlyTensorDeleter, nil if it is not linked into the program.
func LinkedReadOnly() unsafe.Pointer { return C.ss_out_read_only_function() }

// ReadOnlyDeleterAt calls SelfsameReadOnlyTensorDeleter, whose address is function.
func ReadOnlyDeleterAt(function unsafe.Pointer) uintptr {
	return uintptr(C.ss_out_read_only_deleter(function))
}

// Builtin reports whether the allocator in use is the runtime's builtin one. It makes no call into C.
func (a *Allocation) Builtin() bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(a.current))) == unsafe.Pointer(a.builtin)
}

// Made reports whether the memory of an object, which must come from an allocator, came from the builtin one. It makes
// no call into C.
func (a *Allocation) Made(object unsafe.Pointer) bool {
	return *(*uintptr)(unsafe.Add(object, -8)) == *(*uintptr)(unsafe.Pointer(&a.delete_space))
}

// ShareFreeList tells the runtime and the tie table that the low FreeListBits bits of *word count the objects on the
// free list of a type, so that neither reports these as alive. function is the address of SelfsameCountFreeList. The
// caller must have pinned word for the life of the process. It returns false when out of memory; *word must then stay
// 0.
func (t *TieTable) ShareFreeList(function unsafe.Pointer, typeIndex int32, word *atomic.Uint64) bool {
	return C.ss_out_share_free_list(function, (*C.SelfsameTieTable)(unsafe.Pointer(t)), C.int32_t(typeIndex),
		C.uint64_t(uintptr(unsafe.Pointer(word)))) == 0
}
