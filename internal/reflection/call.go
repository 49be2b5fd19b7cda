package reflection

// #include <stdlib.h>
// #include "selfsame/selfsame.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// GlobalNames lists the global functions.
func GlobalNames() ([]string, error) {
	const lister = "ffi.FunctionListGlobalNamesFunctor"
	functor, err := CallGlobal(lister)
	if err != nil {
		return nil, err
	}
	defer Release(functor)
	if functor.TypeIndex != abi.IndexFunction {
		return nil, fmt.Errorf("%s gave a value of type index %d, not a function", lister, functor.TypeIndex)
	}
	count, err := call(functor.Pointer(), abi.Int(-1))
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, count.Int64())
	for i := range count.Int64() {
		name, err := call(functor.Pointer(), abi.Int(i))
		if err != nil {
			return nil, err
		}
		names = append(names, Text(name))
	}
	return names, nil
}

// CallGlobal calls a global function. An argument is an abi.Any, which it borrows, or a string. It returns an owned value.
func CallGlobal(function string, args ...any) (abi.Any, error) {
	f, err := globalFunction(function)
	if err != nil {
		return abi.Any{}, err
	}
	defer C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(f))
	values := make([]abi.Any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case abi.Any:
			values[i] = arg
		case string:
			text, err := newText(arg)
			if err != nil {
				return abi.Any{}, fmt.Errorf("%s: argument %d: %w", function, i, err)
			}
			defer Release(text)
			values[i] = text
		default:
			return abi.Any{}, fmt.Errorf("%s: argument %d: expected an abi.Any or a string, got %T", function, i, arg)
		}
	}
	return call(f, values...)
}

// newText returns an owned string value. Unlike a C string, it keeps what stands behind a NUL.
func newText(text string) (abi.Any, error) {
	copied := C.CString(text)
	defer C.free(unsafe.Pointer(copied))
	bytes := C.TVMFFIByteArray{data: copied, size: C.size_t(len(text))}
	var made abi.Any
	if C.TVMFFIStringFromByteArray(&bytes, (*C.TVMFFIAny)(unsafe.Pointer(&made))) != 0 {
		return abi.Any{}, raised()
	}
	return made, nil
}

// Text copies an owned string value into Go memory and releases the value.
func Text(v abi.Any) string {
	s, _ := v.Text()
	s = string([]byte(s))
	Release(v)
	return s
}

// Release gives back the reference of an owned value.
func Release(v abi.Any) {
	if v.IsObject() {
		C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(v.Pointer()))
	}
}

// globalFunction returns a new reference.
func globalFunction(name string) (unsafe.Pointer, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	var handle C.TVMFFIObjectHandle
	data := unsafe.StringData(name)
	pin.Pin(data)
	ba := C.TVMFFIByteArray{data: (*C.char)(unsafe.Pointer(data)), size: C.size_t(len(name))}
	if C.TVMFFIFunctionGetGlobal(&ba, &handle) != 0 {
		return nil, raised()
	}
	if handle == nil {
		return nil, fmt.Errorf("the runtime has no global function %s", name)
	}
	return unsafe.Pointer(handle), nil
}

// call calls a Function with borrowed arguments and returns an owned value.
func call(f unsafe.Pointer, args ...abi.Any) (abi.Any, error) {
	var result abi.Any
	var first *C.TVMFFIAny
	if len(args) > 0 {
		first = (*C.TVMFFIAny)(unsafe.Pointer(&args[0]))
	}
	if C.TVMFFIFunctionCall(C.TVMFFIObjectHandle(f), first, C.int32_t(len(args)), (*C.TVMFFIAny)(unsafe.Pointer(&result))) != 0 {
		return abi.Any{}, raised()
	}
	return result, nil
}
