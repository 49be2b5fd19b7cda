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
		nil, &same)
	return same != 0, rc == 0
}

// MismatchStep is a step on the way to the place where two values differ, in each of the two.
type MismatchStep struct {
	LeftKind, RightKind int32   // the numbers of ffi.reflection.AccessStep
	LeftKey, RightKey   abi.Any // owned
}

// StructuralMismatch compares two values as StructuralEqual does. When they differ, steps are the way to the first
// difference, the innermost step first; the caller owns the keys. False in ok: the error is raised, and there are no
// steps.
func StructuralMismatch(a, b *abi.Any, options int) (equal bool, steps []MismatchStep, ok bool) {
	var same C.int
	var way C.SsMismatch
	rc := C.ss_go_structural_equal((*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), C.int(options),
		&way, &same)
	if rc != 0 || same != 0 {
		C.ss_mismatch_clear(&way, 1)
		return same != 0, nil, rc == 0
	}
	if way.count != 0 {
		steps = append(steps, unsafe.Slice((*MismatchStep)(unsafe.Pointer(way.steps)), way.count)...)
	}
	C.ss_mismatch_clear(&way, 0)
	return false, steps, true
}

// StructuralHash hashes a value (borrowed). False in ok: the error is raised.
func StructuralHash(value *abi.Any, options int) (hash uint64, ok bool) {
	rc := C.ss_go_structural_hash((*C.TVMFFIAny)(unsafe.Pointer(value)), C.int(options), (*C.uint64_t)(&hash))
	return hash, rc == 0
}
