// Package reflection calls the linked runtime, for a program that reads what libraries register. The runtime's C functions
// are exported from the program (-rdynamic), so a library that it loads binds to them as it would to libselfsame.so.
//
// Raised errors belong to a thread: a caller of several functions keeps its goroutine on one (runtime.LockOSThread).
package reflection

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -std=c11 -Wall -Wextra
// #cgo !windows LDFLAGS: -ldl -rdynamic
// #include <stdlib.h>
// #include "selfsame/internal/loader.h"
// #include "selfsame/selfsame.h"
//
// static int call_init(void* f) { return ((int (*)(void))f)(); }
// static int get_field(uintptr_t getter, void* field, TVMFFIAny* result) { return ((TVMFFIFieldGetter)getter)(field,
// result); }
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/internal/control" // for its C functions
)

// ABIVersion returns the version of the C ABI that the linked runtime implements.
func ABIVersion() string {
	var v C.TVMFFIVersion
	C.TVMFFIGetVersion(&v)
	return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
}

// TypeIndexEnd returns the type index after the last one in the type table.
func TypeIndexEnd() int32 { return int32(C.SelfsameTypeIndexEnd()) }

// TypeInfo returns what the type table has for a type index, nil for none. It belongs to the runtime.
func TypeInfo(index int32) *abi.TypeInfo {
	return (*abi.TypeInfo)(unsafe.Pointer(C.SelfsameFindTypeInfo(C.int32_t(index))))
}

// InitExtension makes a loaded library of `selfsame-ffi build` register what it has, and returns the first error of that. It
// does nothing for other libraries, which register theirs while they are loaded.
func InitExtension(path string) error {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_NOLOAD)
	if handle == nil {
		return fmt.Errorf("the library cannot be loaded: %s", C.GoString(C.dlerror()))
	}
	symbol := C.CString("SelfsameExtensionInit")
	defer C.free(unsafe.Pointer(symbol))
	if init := C.dlsym(handle, symbol); init != nil && C.call_init(init) != 0 {
		return raised()
	}
	return nil
}

// TypeAttr returns a type attribute, borrowed; None when there is none.
func TypeAttr(index int32, name string) abi.Any {
	var pin runtime.Pinner
	defer pin.Unpin()
	data := unsafe.StringData(name)
	pin.Pin(data)
	ba := C.TVMFFIByteArray{data: (*C.char)(unsafe.Pointer(data)), size: C.size_t(len(name))}
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.TVMFFIGetTypeAttrColumn(&ba))).Lookup(index)
}

// FieldOf reads a field of an object, which may be inherited. It returns an owned value.
func FieldOf(object unsafe.Pointer, name string) (abi.Any, error) {
	for t := TypeInfo(abi.TypeIndexOf(object)); t != nil; t = t.Parent() {
		for i := range t.OwnFields() {
			f := &t.OwnFields()[i]
			if f.Name.String() != name {
				continue
			}
			var value abi.Any
			if C.get_field(C.uintptr_t(f.Getter), unsafe.Add(object, f.Offset), (*C.TVMFFIAny)(unsafe.Pointer(&value))) != 0 {
				return abi.Any{}, raised()
			}
			return value, nil
		}
	}
	return abi.Any{}, fmt.Errorf("an object of type index %d has no field %s", abi.TypeIndexOf(object), name)
}

// raised fetches and clears the raised error of the calling thread.
func raised() error {
	var handle C.TVMFFIObjectHandle
	C.TVMFFIErrorMoveFromRaised(&handle)
	if handle == nil {
		return errors.New("the call failed and left no error behind")
	}
	defer C.TVMFFIObjectDecRef(handle)
	cell := abi.ErrorOf(unsafe.Pointer(handle))
	return fmt.Errorf("%s: %s", cell.Kind.String(), cell.Message.String())
}
