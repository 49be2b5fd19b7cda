package convert

import (
	"math"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Numbers of every size, many at a time: the values of Python are ints and floats of 8 bytes.

// leadingInts stores the ints at the front of many values until one is no int or does not fit. It returns their number.
func leadingInts[I integer](items []abi.Any, first unsafe.Pointer) int {
	to := unsafe.Slice((*I)(first), len(items))
	for i := range items {
		n := items[i].Int64()
		if items[i].TypeIndex != abi.IndexInt || int64(I(n)) != n || n < 0 != (I(n) < 0) {
			return i
		}
		to[i] = I(n)
	}
	return len(items)
}

// widenedInts returns n ints at an address as the 8 bytes of Python's values, and what makes a list of these. ok is false when one
// does not fit.
func widenedInts[I integer](first unsafe.Pointer, n int) (wide unsafe.Pointer, list *pythonService, ok bool) {
	made := make([]int64, n)
	for i, x := range unsafe.Slice((*I)(first), n) {
		if x > 0 && uint64(x) > math.MaxInt64 {
			return nil, nil, false
		}
		made[i] = int64(x)
	}
	return unsafe.Pointer(unsafe.SliceData(made)), &pythonInts, true
}

// widenedFloats does the same with floats.
func widenedFloats[F float32 | float64](first unsafe.Pointer, n int) (wide unsafe.Pointer, list *pythonService, ok bool) {
	made := make([]float64, n)
	for i, x := range unsafe.Slice((*F)(first), n) {
		made[i] = float64(x)
	}
	return unsafe.Pointer(unsafe.SliceData(made)), &pythonFloats, true
}
