package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// Tensor is the cell of a Tensor.
type Tensor struct{ abi.DLTensor }

// TensorOf returns the cell of a Tensor.
func TensorOf(h unsafe.Pointer) *Tensor { return (*Tensor)(unsafe.Add(h, abi.BodyOffset)) }

// Dims returns a view of the dimensions.
func (t *Tensor) Dims() []int64 { return t.Extents() }

// Content returns a view of the elements. name and verb say in the errors which operand could not be read and for what.
//
// Errors: InternalError (a tensor that is not in CPU memory, or not contiguous).
func (t *Tensor) Content(name, verb string) ([]byte, error) {
	if t.Device.Type != abi.DeviceCPU {
		return nil, fault.Internal("Check failed: %s.device().device_type == kDLCPU (%d vs. %d) : can only %s CPU tensor",
			name, t.Device.Type, abi.DeviceCPU, verb)
	}
	if !t.Contiguous() {
		return nil, fault.Internal("Check failed: (%s.IsContiguous()) is false: Can only %s contiguous tensor", name, verb)
	}
	bits := uint64(t.DType.Bits) * uint64(t.DType.Lanes)
	for _, d := range t.Dims() {
		bits *= uint64(d)
	}
	if bits == 0 || t.Data == nil {
		return nil, nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(t.Data, t.ByteOffset)), (bits+7)/8), nil
}
