// Package native does things in C that tests of the Go frontend need and Go code cannot do: it sets an allocator, drops
// weak references, and fails without raising an error.
package native

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11
// #include "selfsame/c_api.h"
//
// static TVMFFICustomAllocator* before;
// static int64_t made;
//
// static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
//   (void)context;
//   __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
//   return before->allocate(size, alignment, type_index, before->context);
// }
//
// static TVMFFICustomAllocator counting = {allocate, NULL};
//
// static int install(void) {
//   before = TVMFFIGetCustomAllocator();
//   return TVMFFISetCustomAllocator(&counting);
// }
//
// static int remove_again(void) { return TVMFFISetCustomAllocator(before); }
//
// static int64_t count(void) { return __atomic_load_n(&made, __ATOMIC_RELAXED); }
//
// static void drop_weak(uint64_t address) {
//   TVMFFIObject* object = (TVMFFIObject*)(uintptr_t)address;
//   const uint64_t one = (uint64_t)1 << 32;
//   if (__atomic_fetch_sub(&object->combined_ref_count, one, __ATOMIC_ACQ_REL) == one && object->deleter != NULL) {
//     object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
//   }
// }
//
// static int fail_mutely(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
//   (void)self, (void)args, (void)num_args, (void)result;
//   return -1;
// }
//
// static int register_mute(const char* name, size_t size) {
//   TVMFFIObjectHandle function = NULL;
//   if (TVMFFIFunctionCreate(NULL, fail_mutely, NULL, &function) != 0) return -1;
//   TVMFFIByteArray key = {name, size};
//   int rc = TVMFFIFunctionSetGlobal(&key, function, 1);
//   TVMFFIObjectDecRef(function);
//   return rc;
// }
import "C"

import "unsafe"

// CountAllocations sets an allocator that counts allocations and forwards them to the one that was set before. made
// returns the count; restore sets the previous allocator. Tests that call it must not run in parallel.
func CountAllocations() (made func() int64, restore func()) {
	if C.install() != 0 {
		panic("the allocator could not be set")
	}
	before := int64(C.count())
	return func() int64 { return int64(C.count()) - before }, func() { C.remove_again() }
}

// DropWeak releases a weak reference to an object that has no strong references left.
func DropWeak(object unsafe.Pointer) { C.drop_weak(C.uint64_t(uintptr(object))) }

// RegisterMute registers a global function that fails without raising an error, and reports whether that succeeded.
func RegisterMute(name string) bool {
	return C.register_mute((*C.char)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name))) == 0
}
