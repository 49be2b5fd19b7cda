package probe

// #cgo CFLAGS: -I${SRCDIR}/../../../../abi/include -std=c11 -Wall -Wextra
// #cgo LDFLAGS: -ldl -rdynamic
// #include <dlfcn.h>
// #include <stdlib.h>
// #include "selfsame/selfsame.h"
//
// static int call_init(void* f) { return ((int (*)(void))f)(); }
import "C"

import (
	"fmt"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/libload"
)

// open loads the library at path into this process, as a module, and returns that. If `selfsame-ffi build` made the library,
// open waits until it has registered its classes and functions, and fails with the first registration error. Other libraries
// register theirs while they are loaded.
func open(path string) (module unsafe.Pointer, err error) {
	absolute, err := filepath.Abs(path) // dlopen looks for a name without a slash elsewhere
	if err != nil {
		return nil, err
	}
	if module, err = loadModule(absolute); err != nil {
		_, loader, ok := strings.Cut(err.Error(), "Failed to load dynamic shared library "+absolute+" ")
		if !ok {
			return nil, fmt.Errorf("the library cannot be loaded: %w", err)
		}
		return nil, fmt.Errorf("the library cannot be loaded: %w", libload.Why(absolute, loader))
	}
	cpath := C.CString(absolute)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_NOLOAD)
	if handle == nil {
		return nil, fmt.Errorf("the library cannot be loaded: %s", C.GoString(C.dlerror()))
	}
	symbol := C.CString("SelfsameExtensionInit")
	defer C.free(unsafe.Pointer(symbol))
	if init := C.dlsym(handle, symbol); init != nil && C.call_init(init) != 0 {
		return nil, raised()
	}
	return module, nil
}

// loadModule makes the module of a shared library, which stays loaded.
func loadModule(path string) (unsafe.Pointer, error) {
	load, err := globalFunction("ffi.Module.load_from_file.so")
	if err != nil {
		return nil, err
	}
	defer C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(load))
	var texts cTexts
	defer texts.free()
	module, err := call(load, texts.view(path), texts.view("so"))
	if err != nil {
		return nil, err
	}
	return module.Pointer(), nil
}

// moduleFunctions describes the functions of these names that a module has.
func moduleFunctions(module unsafe.Pointer, names []string) ([]model.Function, error) {
	var found []model.Function
	for _, name := range names {
		f := model.Function{Name: name, Static: true, Module: true}
		doc, err := moduleText(module, "ffi.ModuleGetFunctionDoc", name)
		if err != nil {
			return nil, err
		}
		f.Doc = doc
		metadata, err := moduleText(module, "ffi.ModuleGetFunctionMetadata", name)
		if err != nil {
			return nil, err
		}
		if err := f.SetMetadata(metadata, false); err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// moduleText calls a global function that returns a text on a module's function, or none.
func moduleText(module unsafe.Pointer, function, name string) (string, error) {
	f, err := globalFunction(function)
	if err != nil {
		return "", err
	}
	defer C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(f))
	var texts cTexts
	defer texts.free()
	result, err := call(f, abi.ObjectValue(module), texts.view(name), abi.Bool(false))
	if err != nil {
		return "", fmt.Errorf("%s(%q): %w", function, name, err)
	}
	return text(result), nil
}

// cTexts are arguments of a call in C memory.
type cTexts []unsafe.Pointer

// view returns an argument with a copy of the text, which free releases.
func (t *cTexts) view(s string) abi.Any {
	copied := unsafe.Pointer(C.CString(s))
	*t = append(*t, copied)
	return abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(copied))}
}

func (t *cTexts) free() {
	for _, p := range *t {
		C.free(p)
	}
}
