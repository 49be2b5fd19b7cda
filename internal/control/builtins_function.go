package control

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// functionBuiltins returns the functions over global functions.
func functionBuiltins() []builtin {
	return []builtin{
		typed("ffi.FunctionRemoveGlobal", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return abi.Bool(removeGlobal(text(&args[0]))), nil
		}, strParam),
		typed("ffi.FunctionListGlobalNamesFunctor", returnsFunction, ofValues("ffi.FunctionListGlobalNamesFunctor")),
		typed("ffi.GetGlobalFuncMetadata", returnsStr, func(args []abi.Any) (abi.Any, error) {
			metadata, err := globalMetadata(text(&args[0]))
			if err != nil {
				return abi.Any{}, err
			}
			return newString(metadata)
		}, strParam),
		typed("ffi.FunctionFromExternC", returnsFunction, functionFromExternC, ptrParam, ptrParam, ptrParam),
	}
}

// functionFromExternC makes a Function from three pointers: self, safe_call and deleter.
func functionFromExternC(args []abi.Any) (abi.Any, error) {
	pointer := func(i int) unsafe.Pointer {
		if args[i].TypeIndex == abi.IndexNone {
			return nil
		}
		return args[i].Pointer()
	}
	var h C.TVMFFIObjectHandle
	if C.TVMFFIFunctionCreate(pointer(0), C.TVMFFISafeCallType(pointer(1)), (*[0]byte)(pointer(2)), &h) != 0 {
		return abi.Any{}, errRaised
	}
	return abi.ObjectValue(unsafe.Pointer(h)), nil
}
