package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// BufferDeleter returns the data_deleter of memory from NewBuffer.
func BufferDeleter() uintptr { return uintptr(C.ss_buffer_deleter()) }

// MapDeleter returns the deleter of the objects that NewMapObject makes.
func MapDeleter() uintptr { return uintptr(C.ss_map_deleter()) }

// NewBuffer allocates memory for a container's elements. False: MemoryError is raised.
func NewBuffer(size uintptr) (unsafe.Pointer, bool) {
	data := C.ss_buffer_new(C.size_t(size))
	return data, data != nil
}

// CallDeleter calls a data_deleter, which is a C function void (*)(void*).
func CallDeleter(deleter uintptr, data unsafe.Pointer) {
	C.ss_go_buffer_delete((*[0]byte)(*(*unsafe.Pointer)(unsafe.Pointer(&deleter))), data)
}

// NewMapObject makes a Map or Dict with nothing but its header. False: the error is raised.
func NewMapObject(typeIndex int32, size uintptr) (unsafe.Pointer, bool) {
	handle := C.ss_map_new(C.int32_t(typeIndex), C.size_t(size))
	return unsafe.Pointer(handle), handle != nil
}

// MapIterator makes the iterator Function of a Map or Dict (borrowed, retained); see map_iterator.c. False: the error is raised.
func MapIterator(handle unsafe.Pointer) (unsafe.Pointer, bool) {
	var h C.TVMFFIObjectHandle
	rc := C.ss_map_iterator((*C.TVMFFIObject)(handle), &h)
	return unsafe.Pointer(h), rc == 0
}

// NewList makes an empty List with room for n elements. False: the error is raised.
func NewList(n int64) (unsafe.Pointer, bool) {
	handle := C.ss_list_new(C.int64_t(n))
	return unsafe.Pointer(handle), handle != nil
}

// NewShape makes a Shape. False: the error is raised.
func NewShape(dimensions []int64) (unsafe.Pointer, bool) {
	var data *C.int64_t
	handle := C.ss_shape_new(C.int64_t(len(dimensions)), &data)
	if handle == nil {
		return nil, false
	}
	copy(unsafe.Slice((*int64)(unsafe.Pointer(data)), len(dimensions)), dimensions)
	return unsafe.Pointer(handle), true
}

// HashHook calls the hash hook of a class. False: the error is raised.
func HashHook(hook, key *abi.Any) (uint64, bool) {
	var out C.uint64_t
	rc := C.ss_go_key_hash_hook((*C.TVMFFIAny)(unsafe.Pointer(hook)), (*C.TVMFFIAny)(unsafe.Pointer(key)), &out)
	return uint64(out), rc == 0
}

// EqualHook calls the equality hook of a class. False: the error is raised.
func EqualHook(hook, a, b *abi.Any) (equal, ok bool) {
	var out C.int
	rc := C.ss_go_key_equal_hook((*C.TVMFFIAny)(unsafe.Pointer(hook)), (*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), &out)
	return out != 0, rc == 0
}

// Attr returns the public part of a column. It never moves and is never freed.
func (c *Column) Attr() *abi.TypeAttrColumn { return (*abi.TypeAttrColumn)(unsafe.Pointer(&c.column)) }
