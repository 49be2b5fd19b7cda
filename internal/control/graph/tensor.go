package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Tensor is the cell of a Tensor.
type Tensor struct{ abi.DLTensor }

// TensorOf returns the cell of a Tensor.
func TensorOf(h unsafe.Pointer) *Tensor { return (*Tensor)(unsafe.Add(h, abi.BodyOffset)) }

// Dims returns a view of the dimensions.
func (t *Tensor) Dims() []int64 { return t.Extents() }
