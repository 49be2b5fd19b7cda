// Package gocalls has the Go functions that `make bench` calls from Python: with an int and with an object. It also has
// bare_callbacks, which times calls from C through cgo alone, on the same thread of the same process. The script builds
// the package with `selfsame-ffi build`.
package gocalls

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=gnu11 -O2
// #include <time.h>
// #include "selfsame/c_api.h"
//
// extern int64_t benchBare(int64_t n);
//
// // Nanoseconds per call of the exported Go function, called from C in a loop.
// static int bare(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
//   (void)self;
//   if (num_args != 1 || args[0].type_index != kTVMFFIInt || args[0].v_int64 <= 0) {
//     TVMFFIErrorSetRaisedFromCStr("TypeError", "gocalls.bare_callbacks: expected one positive int");
//     return -1;
//   }
//   int64_t n = args[0].v_int64;
//   struct timespec start, end;
//   clock_gettime(CLOCK_MONOTONIC, &start);
//   for (int64_t i = 0; i < n; i++) benchBare(i);
//   clock_gettime(CLOCK_MONOTONIC, &end);
//   double taken = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
//   *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = taken / (double)n};
//   return 0;
// }
//
// static int register_bare(void) {
//   TVMFFIObjectHandle function = NULL;
//   if (TVMFFIFunctionCreate(NULL, bare, NULL, &function) != 0) return -1;
//   TVMFFIByteArray name = {"gocalls.bare_callbacks", 22};
//   int rc = TVMFFIFunctionSetGlobal(&name, function, 1);
//   TVMFFIObjectDecRef(function);
//   return rc;
// }
import "C"

import "github.com/selfsame-ffi/selfsame"

// Node is the class of the arguments.
type Node struct {
	selfsame.Object
	N int64
}

// nodes makes objects of the class Node.
var nodes *selfsame.Class[Node]

//export benchBare
func benchBare(n C.int64_t) C.int64_t { return n }

func init() {
	if C.register_bare() != 0 {
		panic("gocalls.bare_callbacks could not be registered")
	}
	nodes = selfsame.MustRegister[Node]("gocalls.Node", selfsame.Init(func(node *Node, n int64) { node.N = n }, "n"))
	selfsame.MustRegisterFunc("gocalls.add_one", func(n int64) int64 { return n + 1 })
	selfsame.MustRegisterFunc("gocalls.read", func(node *Node) int64 { return node.N })
	selfsame.MustRegisterFunc("gocalls.echo", func(node *selfsame.Handle[Node]) *selfsame.Handle[Node] { return node })
}
