package probe

// #cgo CFLAGS: -I${SRCDIR}/../../../../abi/include -std=c11 -Wall -Wextra
// #cgo LDFLAGS: -ldl -rdynamic
// #include <dlfcn.h>
// #include <stdlib.h>
//
// static int call_init(void* f) { return ((int (*)(void))f)(); }
import "C"

import (
	"fmt"
	"path/filepath"
	"unsafe"
)

// open loads the library at path into this process and waits until it has registered its classes and functions. It
// returns the first registration error.
func open(path string) error {
	absolute, err := filepath.Abs(path) // dlopen looks for a name without a slash elsewhere
	if err != nil {
		return err
	}
	cpath := C.CString(absolute)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return fmt.Errorf("the library cannot be loaded: %s", C.GoString(C.dlerror()))
	}
	symbol := C.CString("SelfsameExtensionInit")
	defer C.free(unsafe.Pointer(symbol))
	init := C.dlsym(handle, symbol)
	if init == nil {
		return fmt.Errorf("%s has no function SelfsameExtensionInit: it was not built by `selfsame-ffi build`", path)
	}
	if C.call_init(init) != 0 {
		return raised()
	}
	return nil
}
