// Package cxx is the C++ of selfsame. It has the mangled entry points that compiled C++ code links to, and the base
// class of modules with its vtable. It calls the virtual functions of modules, whose class may be any library's and
// which may throw. It is built on the C ABI alone. The Go functions here are for package control alone.
//
// A module is passed as its handle. The caller owns results; names are string values, borrowed for the call. False: an
// error is raised in the calling thread, to which the caller must have locked its goroutine.
package cxx

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../plane -I${SRCDIR}/../selfcopy -std=c11 -Wall -Wextra -O2
// #cgo CXXFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../plane -std=c++17 -fvisibility=hidden -Wall -Wextra -O2
// #cgo windows CFLAGS: -DTVM_FFI_EXPORTS -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
// #cgo linux LDFLAGS: -ldl
// #include <stdlib.h>
// #include "cxx.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

func value(a *abi.Any) *C.TVMFFIAny { return (*C.TVMFFIAny)(unsafe.Pointer(a)) }

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// ModuleKind returns the module's kind, a string.
func ModuleKind(module unsafe.Pointer) (out abi.Any, ok bool) {
	rc := C.ss_module_kind(C.TVMFFIObjectHandle(module), value(&out))
	return out, rc == 0
}

// ModulePropertyMask returns the bits of the module's properties, an int.
func ModulePropertyMask(module unsafe.Pointer) (out abi.Any, ok bool) {
	rc := C.ss_module_property_mask(C.TVMFFIObjectHandle(module), value(&out))
	return out, rc == 0
}

// ModuleFunction finds a function in the module and, with imports, in its imports depth first. None: there is none.
func ModuleFunction(module unsafe.Pointer, name *abi.Any, imports bool) (out abi.Any, ok bool) {
	rc := C.ss_module_function(C.TVMFFIObjectHandle(module), value(name), flag(imports), value(&out))
	return out, rc == 0
}

// ModuleImplements says, as a bool value, whether the module has the function; see ModuleFunction.
func ModuleImplements(module unsafe.Pointer, name *abi.Any, imports bool) (out abi.Any, ok bool) {
	rc := C.ss_module_implements(C.TVMFFIObjectHandle(module), value(name), flag(imports), value(&out))
	return out, rc == 0
}

// ModuleDoc returns a function's doc, or None.
func ModuleDoc(module unsafe.Pointer, name *abi.Any, imports bool) (out abi.Any, ok bool) {
	rc := C.ss_module_doc(C.TVMFFIObjectHandle(module), value(name), flag(imports), value(&out))
	return out, rc == 0
}

// ModuleMetadata returns a function's metadata, or None.
func ModuleMetadata(module unsafe.Pointer, name *abi.Any, imports bool) (out abi.Any, ok bool) {
	rc := C.ss_module_metadata(C.TVMFFIObjectHandle(module), value(name), flag(imports), value(&out))
	return out, rc == 0
}

// ModuleFunctionOfImports finds a function in the module's imports alone. None: there is none.
func ModuleFunctionOfImports(module unsafe.Pointer, name *abi.Any) (out abi.Any, ok bool) {
	rc := C.ss_module_function_of_imports(C.TVMFFIObjectHandle(module), value(name), value(&out))
	return out, rc == 0
}

// ModuleWrite writes the module to a file.
func ModuleWrite(module unsafe.Pointer, file, format *abi.Any) bool {
	return C.ss_module_write(C.TVMFFIObjectHandle(module), value(file), value(format)) == 0
}

// ModuleFormats returns an Array of the formats that ModuleWrite accepts.
func ModuleFormats(module unsafe.Pointer) (out abi.Any, ok bool) {
	rc := C.ss_module_formats(C.TVMFFIObjectHandle(module), value(&out))
	return out, rc == 0
}

// ModuleSource returns the module's source in a format, "" when it has none.
func ModuleSource(module unsafe.Pointer, format *abi.Any) (out abi.Any, ok bool) {
	rc := C.ss_module_source(C.TVMFFIObjectHandle(module), value(format), value(&out))
	return out, rc == 0
}

// ModuleImport adds other to the imports of module.
func ModuleImport(module, other unsafe.Pointer) bool {
	return C.ss_module_import(C.TVMFFIObjectHandle(module), C.TVMFFIObjectHandle(other)) == 0
}

// ModuleClearImports removes all imports of the module.
func ModuleClearImports(module unsafe.Pointer) bool {
	return C.ss_module_clear_imports(C.TVMFFIObjectHandle(module)) == 0
}

// ModuleAddImport does the same as ModuleImport, but not through the virtual function of the module's class.
func ModuleAddImport(module, other unsafe.Pointer) bool {
	return C.ss_module_add_import(C.TVMFFIObjectHandle(module), C.TVMFFIObjectHandle(other)) == 0
}

// ModuleImportsGetter returns the C getter of a module's field imports_.
func ModuleImportsGetter() uintptr { return uintptr(C.ss_module_imports_getter()) }

// Library is the source of a module's symbols.
type Library struct {
	Handle       unsafe.Pointer // from dlopen, never closed; nil: the symbols registered as the system library
	SystemPrefix string         // of the system library; has no NUL in it
}

// Module makes a module over the library.
func (l Library) Module() (out abi.Any, ok bool) {
	prefix := C.CString(l.SystemPrefix)
	defer C.free(unsafe.Pointer(prefix))
	rc := C.ss_library_module(l.Handle, prefix, value(&out))
	return out, rc == 0
}

// Symbol returns the address of a data symbol, nil when the library has none of that name.
func (l Library) Symbol(name string) (address unsafe.Pointer, ok bool) {
	prefix, n := C.CString(l.SystemPrefix), C.CString(name)
	defer C.free(unsafe.Pointer(prefix))
	defer C.free(unsafe.Pointer(n))
	rc := C.ss_library_symbol(l.Handle, prefix, n, &address)
	return address, rc == 0
}
