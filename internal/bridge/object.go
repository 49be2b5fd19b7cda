package bridge

// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
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

// Function makes a Function object that calls the Go func with the id, through [Callbacks].Invoke. It returns a new
// reference. When the object has died, TakeDead reports the id.
func Function(id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_function(C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// NewOpaque makes an opaque object that keeps the Go value with the id; typeIndex is that of its class. It returns a
// new reference. When the object has died, TakeDead reports the id.
func NewOpaque(typeIndex int32, id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_opaque(C.int32_t(typeIndex), C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// OpaqueID returns the id of an object that NewOpaque of this library made, 0 for any other object.
func OpaqueID(object unsafe.Pointer, typeIndex int32) uint64 {
	return uint64(C.ss_out_opaque_id((*C.TVMFFIObject)(object), C.int32_t(typeIndex)))
}

// goRefs are the lists of this library, which also mark its opaque objects.
var goRefs = C.ss_out_go_refs()

// maxSpareRefs bounds the list of references for further Go values.
const maxSpareRefs = 64

// AnyDead says whether TakeDead would report something.
func AnyDead() bool { return atomic.LoadUintptr((*uintptr)(unsafe.Pointer(&goRefs.dead))) != 0 }

// TakeDead calls drop with the id of each Go value whose native object has died, and returns their number. Each id is reported once. It
// makes no call into C unless there are many.
func TakeDead(drop func(id uint64)) (n int) {
	dead, spare := (*uintptr)(unsafe.Pointer(&goRefs.dead)), (*uintptr)(unsafe.Pointer(&goRefs.spare))
	list := atomic.SwapUintptr(dead, 0)
	for ref := (*C.SsGoRef)(address(uint64(list))); ref != nil; ref = ref.next {
		drop(uint64(ref.id))
		n++
	}
	if list != 0 && (n > maxSpareRefs || !atomic.CompareAndSwapUintptr(spare, 0, list)) {
		C.ss_out_free_go_refs(C.uint64_t(list))
	}
	return n
}

// WatchExit has the exit of the process wait for dropped instances that have not ended, from the first call on.
func WatchExit() { C.ss_out_watch_exit() }

// TakeDropped stores in objects the addresses of instances of classes with OnDrop whose last reference is gone, at most
// len(objects) of them, in the order of their deaths, and returns how many. The caller gets a reference to each, whose
// release deletes the instance; then it calls DropEnded. One goroutine at a time may call it.
func TakeDropped(objects []uint64) int {
	return int(C.ss_out_take_dropped((*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(objects))), C.int32_t(len(objects))))
}

// DropEnded says that an instance of TakeDropped was released.
func DropEnded() { C.ss_out_drop_ended() }

// PendingDrops returns how many dropped instances have not ended: of all libraries in the table, or with nil of this one.
func PendingDrops(t *TieTable) int {
	return int(C.ss_out_pending_drops((*C.SelfsameTieTable)(unsafe.Pointer(t))))
}

//export ssgo_bridge_dropped
func ssgo_bridge_dropped() { callbacks.Dropped() }

// Container makes an Array, List or Shape of the views, or a Map or Dict of views that are keys and values in turn. It
// returns a new reference. The container owns copies of the views.
func Container(typeIndex int32, views []abi.Any) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_container_from_go(C.int32_t(typeIndex), (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(views))),
		C.int32_t(len(views)), at(&out), at(&raised))
	return out, raised
}

// AttrColumn returns the column of a type attribute, nil when there is none. It is never moved or freed.
func AttrColumn(name string) *abi.TypeAttrColumn {
	text := cText(name)
	defer freeText(text)
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.ss_out_attr_column(text)))
}

// Tensor makes a Tensor over Go memory at data, which the Go value with the id pins. It returns a new reference. When
// the Tensor has died, TakeDead reports the id.
func Tensor(id uint64, data unsafe.Pointer, dtype abi.DataType, shape []int64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_tensor(C.uint64_t(id), C.uint64_t(uintptr(data)), *(*C.DLDataType)(unsafe.Pointer(&dtype)),
		C.int32_t(len(shape)), (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))), at(&out), at(&raised))
	return out, raised
}

// TensorFromDLPack makes a Tensor over the memory of a DLManagedTensorVersioned and returns a new reference. If it
// succeeds, the Tensor owns the managed tensor; if not, the caller still does.
func TensorFromDLPack(managed unsafe.Pointer) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_tensor_from_dlpack(C.uint64_t(uintptr(managed)), at(&out), at(&raised))
	return out, raised
}

// TensorToDLPack makes a DLManagedTensorVersioned that owns a reference to the Tensor. The caller owns the result.
func TensorToDLPack(tensor unsafe.Pointer) (managed, failed unsafe.Pointer) {
	var raised unsafe.Pointer
	made := C.ss_out_tensor_to_dlpack(C.TVMFFIObjectHandle(tensor), at(&raised))
	return address(uint64(made)), raised
}

// DeleteDLPack calls the deleter of a DLManagedTensorVersioned that the caller owns.
func DeleteDLPack(managed unsafe.Pointer) { C.ss_out_dlpack_delete(C.uint64_t(uintptr(managed))) }

// Plain converts a DataType (KindDType) or Device (KindDevice), or the text of one. If ok is false and failed is nil,
// the value is neither.
func Plain(kind Kind, value abi.Any) (plain abi.Any, ok bool, failed unsafe.Pointer) {
	rc := C.ss_out_convert_plain_from_go(C.SsKind(kind), (*C.TVMFFIAny)(unsafe.Pointer(&value)),
		(*C.TVMFFIAny)(unsafe.Pointer(&plain)), at(&failed))
	return plain, rc == 0, failed
}
