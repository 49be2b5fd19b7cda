// This program imports the runtime and loads a C module, which finds the functions of the C ABI in the executable.
package main

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// #include <stdio.h>
// #include <stdlib.h>
//
// // Loads the module and runs its check, whose result becomes the program's exit status.
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

	_ "github.com/selfsame-ffi/selfsame/internal/control"
)

func main() {
	path := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(path))
	os.Exit(int(C.run_module(path)))
}
