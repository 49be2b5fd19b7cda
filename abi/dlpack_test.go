package abi

import (
	"testing"
	"unsafe"
)

// Requirement: A8
func TestContiguous(t *testing.T) {
	for _, c := range []struct {
		shape, strides []int64
		want           bool
	}{
		{[]int64{2, 3, 4}, []int64{12, 4, 1}, true},
		{[]int64{2, 3, 4}, []int64{12, 4, 2}, false},
		{[]int64{2, 1, 4}, []int64{4, 77, 1}, true},
		{[]int64{0, 3}, []int64{9, 9}, true},
		{[]int64{3, 0}, []int64{9, 9}, true},
		{[]int64{3, 2, 1}, []int64{0, 0, 0}, false},
		{[]int64{5}, nil, true},
		{nil, nil, true},
	} {
		tensor := DLTensor{
			NDim: int32(len(c.shape)), Shape: unsafe.Pointer(unsafe.SliceData(c.shape)),
			Strides: unsafe.Pointer(unsafe.SliceData(c.strides)),
		}
		if got := tensor.Contiguous(); got != c.want {
			t.Errorf("shape %v with strides %v: %v", c.shape, c.strides, got)
		}
	}
}
