// A Go program with the runtime in it: a C module that it loads finds the functions of the C ABI in the executable.
package main

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// #include <stdio.h>
// #include <stdlib.h>
//
// // Loads the module and runs its check; what it returns is the program's status.
// static int run_module(const char* path) {
//   void* module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
//   if (module == NULL) {
//     fprintf(stderr, "%s\n", dlerror());
//     return 2;
//   }
//   int (*check)(void) = (int (*)(void))dlsym(module, "check");
//   return check == NULL ? 3 : check();
// }
import "C"

import (
	"os"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/runtime"
)

func main() {
	path := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(path))
	os.Exit(int(C.run_module(path)))
}
