package main

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -std=gnu11 -O2
// #include <stdlib.h>
// #include "selfsame/c_api.h"
//
// extern int64_t benchBareCallback(int64_t a, int64_t b);
//
// static int64_t bare_add(int64_t a, int64_t b) { return a + b; }
//
// static int64_t call_at(uintptr_t address, int64_t i) { return ((int64_t (*)(int64_t))address)(i); }
//
// static void bare_callbacks(int64_t n) {
//   for (int64_t i = 0; i < n; i++) benchBareCallback(i, 1);
// }
//
// static int ffi_add(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
//   (void)self;
//   (void)num_args;
//   *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = args[0].v_int64 + args[1].v_int64};
//   return 0;
// }
//
// // The native function that Go calls, under a global name.
// static int register_add(void) {
//   TVMFFIObjectHandle function = NULL;
//   if (TVMFFIFunctionCreate(NULL, ffi_add, NULL, &function) != 0) return -1;
//   TVMFFIByteArray name = {"bench.native_add", 16};
//   int rc = TVMFFIFunctionSetGlobal(&name, function, 1);
//   TVMFFIObjectDecRef(function);
//   return rc;
// }
//
// // Calls a global function n times from C.
// static int ffi_callbacks(const char* name, size_t size, int64_t n) {
//   TVMFFIByteArray key = {name, size};
//   TVMFFIObjectHandle function = NULL;
//   if (TVMFFIFunctionGetGlobal(&key, &function) != 0 || function == NULL) return -1;
//   int rc = 0;
//   for (int64_t i = 0; i < n && rc == 0; i++) {
//     TVMFFIAny args[2] = {{.type_index = kTVMFFIInt, .v_int64 = i}, {.type_index = kTVMFFIInt, .v_int64 = 1}};
//     TVMFFIAny result = {.type_index = kTVMFFINone};
//     rc = TVMFFIFunctionCall(function, args, 2, &result);
//   }
//   TVMFFIObjectDecRef(function);
//   return rc;
// }
import "C"

import "unsafe"

// The peers do the same work through bare cgo, or in Go alone.

// plainPoint has the layout of the class Point, in memory that C allocated.
type plainPoint struct {
	Counts uint64
	_      [2]uint64
	X, Y   float64
	N      int64
}

func newPlainPoint() *plainPoint {
	return (*plainPoint)(C.calloc(1, C.size_t(unsafe.Sizeof(plainPoint{}))))
}

func mallocAndFree(n int) {
	for range n {
		C.free(C.malloc(C.size_t(unsafe.Sizeof(plainPoint{}))))
	}
}

func bareCalls(n int) (sum int64) {
	for i := range n {
		sum += int64(C.bare_add(C.int64_t(i), 1))
	}
	return sum
}

// callsAt calls a C function n times, each time through cgo, and adds up its results.
func callsAt(address int64, n int) (sum int64) {
	for i := range n {
		sum += int64(C.call_at(C.uintptr_t(address), C.int64_t(i)))
	}
	return sum
}

//export benchBareCallback
func benchBareCallback(a, b C.int64_t) C.int64_t { return a + b }

func bareCallbacks(n int) { C.bare_callbacks(C.int64_t(n)) }

func registerNativeAdd() bool { return C.register_add() == 0 }

// ffiCallbacks calls a global function n times from C, in one call of C.
func ffiCallbacks(name string, n int) {
	if C.ffi_callbacks((*C.char)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name)), C.int64_t(n)) != 0 {
		panic("a call from C failed")
	}
}
