package control

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Functions that C calls; go_exports.h describes them. The C code has checked the arguments. All pointers are to C
// memory of the caller.

//export ssgo_type_index
func ssgo_type_index(key unsafe.Pointer, fixed, depth, childSlots, canOverflow, parent int32) int32 {
	index := int32(-1)
	rc := guarded(func() (err error) {
		index, err = typeIndex(typeRequest{
			key:         (*abi.ByteArray)(key).String(),
			static:      fixed,
			depth:       depth,
			childSlots:  childSlots,
			canOverflow: canOverflow != 0,
			parent:      parent,
		})
		return err
	})
	if rc != 0 {
		return -1
	}
	return index
}

//export ssgo_register_field
func ssgo_register_field(index int32, info unsafe.Pointer) int32 {
	return guarded(func() error { return registerField(index, (*abi.FieldInfo)(info)) })
}

//export ssgo_register_method
func ssgo_register_method(index int32, info unsafe.Pointer) int32 {
	return guarded(func() error { return registerMethod(index, (*abi.MethodInfo)(info)) })
}

//export ssgo_register_metadata
func ssgo_register_metadata(index int32, info unsafe.Pointer) int32 {
	return guarded(func() error { return registerMetadata(index, (*abi.TypeMetadata)(info)) })
}

//export ssgo_register_attr
func ssgo_register_attr(index int32, name, value unsafe.Pointer) int32 {
	return guarded(func() error {
		v := abi.None()
		if value != nil {
			v = *(*abi.Any)(value)
		}
		return registerAttr(index, (*abi.ByteArray)(name).String(), v)
	})
}

//export ssgo_set_global
func ssgo_set_global(name, function unsafe.Pointer, override int32) int32 {
	return guarded(func() error {
		info := abi.MethodInfo{Flags: abi.FlagIsStaticMethod}
		return setGlobal((*abi.ByteArray)(name).String(), function, &info, override != 0, "")
	})
}

//export ssgo_set_global_method
func ssgo_set_global_method(info unsafe.Pointer, override int32) int32 {
	return guarded(func() error { return setGlobalMethod((*abi.MethodInfo)(info), override != 0) })
}

//export ssgo_closure_call
func ssgo_closure_call(id uintptr, args unsafe.Pointer, n int32, result unsafe.Pointer) int32 {
	return guarded(func() error { return callClosure(id, args, int(n), (*abi.Any)(result)) })
}

//export ssgo_closure_release
func ssgo_closure_release(id uintptr) { releaseClosure(id) }

//export ssgo_constructor_call
func ssgo_constructor_call(constructor, args unsafe.Pointer, n int32, result unsafe.Pointer) int32 {
	return guarded(func() error {
		return callBody(autoInitOf(constructor).call, args, int(n), (*abi.Any)(result))
	})
}

//export ssgo_constructor_release
func ssgo_constructor_release(constructor unsafe.Pointer) { constructors.Delete(constructor) }

//export ssgo_constructor_failed
func ssgo_constructor_failed(constructor unsafe.Pointer, field, isDefault int32) int32 {
	what := "field"
	if isDefault != 0 {
		what = "default for field"
	}
	return guarded(func() error { return autoInitOf(constructor).nested(what, int(field)) })
}
