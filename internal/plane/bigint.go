package plane

// #include "plane.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// NewBigInt makes an integer of 64-bit words in two's complement, the least significant first, as they lie in memory:
// an int where it fits, else an ffi.BigInt. On failure the error is raised.
func NewBigInt(words []byte) (out abi.Any, ok bool) {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(unsafe.String(unsafe.SliceData(words), len(words)), &pin)
	rc := C.TVMFFIBigIntFromByteArray(&b, (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out, rc == 0
}

// BigIntKeys returns the C functions that BigInt's type attributes __any_hash__ and __any_equal__ hold.
func BigIntKeys() (hash, equal unsafe.Pointer) { return C.ss_bigint_hash(), C.ss_bigint_equal() }

// BigIntHash returns the hash of an ffi.BigInt value as a key of Map and Dict.
func BigIntHash(value *abi.Any) int64 {
	return int64(C.ss_bigint_hash_of((*C.TVMFFIObject)(value.Pointer())))
}
