package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// StructuralEqual compares two values (borrowed); structural.h says how, and what the options are. False in ok: the
// error is raised.
func StructuralEqual(a, b *abi.Any, options int) (equal, ok bool) {
	var same C.int
	rc := C.ss_go_structural_equal((*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), C.int(options),
		&same)
	return same != 0, rc == 0
}

// StructuralMismatch compares two values as StructuralEqual does: None when they are equal, else an Array of two
// AccessPaths, owned by the caller. False in ok: the error is raised.
func StructuralMismatch(a, b *abi.Any, options int) (where abi.Any, ok bool) {
	rc := C.ss_go_structural_mismatch((*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), C.int(options),
		(*C.TVMFFIAny)(unsafe.Pointer(&where)))
	return where, rc == 0
}

// StructuralHash hashes a value (borrowed). False in ok: the error is raised.
func StructuralHash(value *abi.Any, options int) (hash uint64, ok bool) {
	rc := C.ss_go_structural_hash((*C.TVMFFIAny)(unsafe.Pointer(value)), C.int(options), (*C.uint64_t)(&hash))
	return hash, rc == 0
}
