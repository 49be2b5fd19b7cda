package probe

// #include <stdlib.h>
// #include "selfsame/selfsame.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// globalNames lists the global functions.
func globalNames() ([]string, error) {
	list, err := globalFunction("ffi.FunctionListGlobalNamesFunctor")
	if err != nil {
		return nil, err
	}
	defer C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(list))
	functor, err := call(list)
	if err != nil {
		return nil, err
	}
	defer release(functor)
	if functor.TypeIndex != abi.IndexFunction {
		return nil, fmt.Errorf("ffi.FunctionListGlobalNamesFunctor gave a value of type index %d, not a function", functor.TypeIndex)
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
		names = append(names, text(name))
	}
	return names, nil
}

// callText calls a global function that takes one string and returns one.
func callText(function, arg string) (string, error) {
	f, err := globalFunction(function)
	if err != nil {
		return "", err
	}
	defer C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(f))
	cstr := C.CString(arg)
	defer C.free(unsafe.Pointer(cstr))
	result, err := call(f, abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(cstr)))})
	if err != nil {
		return "", fmt.Errorf("%s(%q): %w", function, arg, err)
	}
	return text(result), nil
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

// text copies an owned string value into Go memory and releases the value.
func text(v abi.Any) string {
	s, _ := v.Text()
	s = string([]byte(s))
	release(v)
	return s
}

func release(v abi.Any) {
	if v.IsObject() {
		C.TVMFFIObjectDecRef(C.TVMFFIObjectHandle(v.Pointer()))
	}
}
