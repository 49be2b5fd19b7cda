package control

// #include "builtins_fast.h"
// #include "fork_state.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// registerCoreTypes registers the types with a fixed index.
func registerCoreTypes() error {
	for _, k := range kinds.All {
		r := typeRequest{key: k.Key, static: k.Index, parent: -1}
		switch {
		case k.Index == abi.IndexAny:
			continue
		case k.Index == abi.IndexObject:
			r.canOverflow = true
		case k.IsObject():
			r.depth, r.parent = 1, abi.IndexObject
		}
		if _, err := typeIndex(r); err != nil {
			return err
		}
	}
	return registerMetadata(abi.IndexObject, &abi.TypeMetadata{TotalSize: abi.BodyOffset})
}

// coreColumns are the type attributes whose columns compiled C++ code expects to exist even when no type has a value.
var coreColumns = []string{
	"__any_hash__", "__any_equal__", "__ffi_shallow_copy__", "__ffi_repr__", "__ffi_hash__", "__ffi_eq__",
	"__ffi_compare__", "__ffi_new__", "__ffi_init__", "__ffi_convert__", "__ffi_enum__", "__ffi_type_final__",
	"__s_equal__", "__s_hash__", "__s_visit__", "__s_mutate__", "__s_maybe_inplace_mutate__",
	"__data_to_json__", "__data_from_json__",
}

// registerCoreColumns adds these columns.
func registerCoreColumns() error {
	for _, name := range coreColumns {
		if err := registerAttr(abi.IndexNone, name, abi.Any{}); err != nil {
			return err
		}
	}
	return nil
}

// invalidObject is the sentinel for a missing value; kwargsObject is the sentinel that keyword arguments follow. Both
// live as long as the process.
var invalidObject, kwargsObject abi.Any

// registerSentinels makes the sentinels, unless the process has them, and passes one to the fast paths in C.
func registerSentinels() error {
	for _, sentinel := range []struct {
		value *abi.Any
		kept  **C.TVMFFIObject
	}{{&invalidObject, &goState.missing}, {&kwargsObject, &goState.kwargs}} {
		if *sentinel.kept == nil {
			handle, ok := plane.NewPlainObject()
			if !ok {
				return errRaised
			}
			*sentinel.kept = (*C.TVMFFIObject)(handle)
		}
		*sentinel.value = abi.ObjectValue(unsafe.Pointer(*sentinel.kept))
	}
	C.ss_fast_set_missing(invalidObject.Pointer())
	return nil
}
