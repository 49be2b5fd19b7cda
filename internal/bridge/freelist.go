package bridge

// #include "bridge.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// RestingBits is how many of the low bits of a word count the objects that rest.
const RestingBits = C.SELFSAME_RESTING_BITS

// Allocation is what the runtime tells of its allocator (SelfsameAllocation).
type Allocation C.SelfsameAllocation

// LinkedResting is the addresses of SelfsameAllocationGet and SelfsameCountResting when they are linked into the program,
// else nil.
func LinkedResting() (allocation, count unsafe.Pointer) {
	return C.ss_front_allocation_function(), C.ss_front_resting_function()
}

// AllocationAt calls SelfsameAllocationGet at the address.
func AllocationAt(function unsafe.Pointer) *Allocation {
	return (*Allocation)(unsafe.Pointer(C.ss_front_allocation_get(function)))
}

// Builtin says whether the allocator in use is the runtime's own. It does not cross into C.
func (a *Allocation) Builtin() bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(a.current))) == unsafe.Pointer(a.builtin)
}

// Made says whether the runtime's own allocator made an object, which came from an allocator.
func (a *Allocation) Made(object unsafe.Pointer) bool {
	return *(*uintptr)(unsafe.Add(object, -8)) == *(*uintptr)(unsafe.Pointer(&a.delete_space))
}

// CountResting tells the runtime, by SelfsameCountResting at the address, and the tie table where the resting objects of a
// type are counted. word is pinned for good. It says whether there was memory for it.
func (t *TieTable) CountResting(function unsafe.Pointer, typeIndex int32, word *atomic.Uint64) bool {
	return C.ss_front_count_resting(function, (*C.SelfsameTieTable)(unsafe.Pointer(t)), C.int32_t(typeIndex),
		C.uint64_t(uintptr(unsafe.Pointer(word)))) == 0
}
