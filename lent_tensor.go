package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// LentTensor is the type of a parameter that gets a tensor of any dimension for the time of the call, without a handle: the
// memory is the caller's, and the func may write to it unless [LentTensor.ReadOnly]. The func must not keep the LentTensor, nor a slice that
// [LentElements] has returned; a func that keeps its tensor has a parameter *Tensor.
//
// Memory that must not be written, such as that of an array of JAX or Arrow or a read-only one of NumPy, is lent too:
// [LentElements] refuses it, [ReadOnlyLentElements] reads it.
//
// It takes a Tensor, a tensor of PyTorch, NumPy or JAX, and a DLTensor* that compiled code passes, for which there is no
// *Tensor. A tensor that has elements but no memory, such as one of PyTorch's FakeTensorMode, is refused with a ValueError. The
// elements have no lock. The zero LentTensor has no tensor: its methods but String panic.
type LentTensor struct {
	lent convert.LentTensor
}

func (LentTensor) newConv() (*convert.Conv, error) {
	c, err := (*Tensor)(nil).newConv()
	if err != nil {
		return nil, err
	}
	c.HandleOf, c.To = nil, nil
	c.Borrows, c.CallsOnly, c.LendsTensor = true, true, true
	c.OnlyParameter = "is lent to parameters only; use *selfsame.Tensor"
	c.Check = func(v *abi.Any) error {
		if _, ok := convert.TensorIn(v); !ok {
			return convert.Mismatched(v)
		}
		return nil
	}
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		tensor, ok := convert.TensorIn(v)
		if !ok {
			return convert.Mismatched(v)
		}
		if !convert.HasMemory(tensor) {
			return convert.NoMemory("", tensor)
		}
		*(*LentTensor)(dst) = LentTensor{convert.Lent(v, tensor)}
		return nil
	}
	return c, nil
}

// LentElements returns the elements of a lent tensor as a Go slice that shares the tensor's memory, in row-major order, for
// reading and writing. The slice is borrowed: it is valid until the func that has the parameter returns.
//
// It fails with a TypeError when the type of the tensor's elements is not E. It fails with a ValueError when t has no tensor,
// and when the tensor is not contiguous, not aligned, not in memory that the CPU can read, or in memory that must not be
// written.
func LentElements[E TensorElement](t LentTensor) ([]E, error) {
	if t.ReadOnly() {
		return nil, readOnlyMemory("LentElements", "ReadOnlyLentElements")
	}
	return lentElementsOf[E]("LentElements", t)
}

// ReadOnlyLentElements is LentElements for a func that only reads: it takes memory that must not be written too. A write to the slice
// changes what others take for constant, or ends the process.
func ReadOnlyLentElements[E TensorElement](t LentTensor) ([]E, error) {
	return lentElementsOf[E]("ReadOnlyLentElements", t)
}

func lentElementsOf[E TensorElement](caller string, t LentTensor) ([]E, error) {
	tensor := t.lent.Tensor()
	if tensor == nil {
		return nil, fault.New("ValueError", "selfsame: %s: argument 't': expected a tensor, got the zero LentTensor", caller)
	}
	return elementsOf[E](caller, tensor)
}

// ReadOnly reports whether the memory must not be written: who lent it said so.
func (t LentTensor) ReadOnly() bool { return t.lent.ReadOnly() }

// Shape returns a copy of the extents, one per dimension.
func (t LentTensor) Shape() []int { return intsOf(t.body().Extents()) }

// Strides returns a copy of the strides in elements, one per dimension: the distance between neighbours in that
// dimension. It returns nil when the tensor says none, because it is contiguous.
func (t LentTensor) Strides() []int {
	if t.body().Steps() == nil {
		return nil
	}
	return intsOf(t.body().Steps())
}

// Len returns the number of elements.
func (t LentTensor) Len() int {
	n, _ := countOf(t.body().Extents())
	return int(n)
}

// Data returns the address of the first element, which on a device is an address of the device.
func (t LentTensor) Data() unsafe.Pointer { return unsafe.Add(t.body().Data, t.body().ByteOffset) }

// DataType returns the type of the elements.
func (t LentTensor) DataType() DataType { return t.body().DType }

// Device returns the device whose memory has the elements.
func (t LentTensor) Device() Device { return t.body().Device }

// Contiguous reports whether the elements are contiguous in row-major order.
func (t LentTensor) Contiguous() bool { return t.body().Contiguous() }

// String describes the tensor by shape, data type and device. It never panics.
func (t LentTensor) String() string {
	tensor := t.lent.Tensor()
	if tensor == nil {
		return "LentTensor(none)"
	}
	return describe("LentTensor", tensor)
}

func (t LentTensor) body() *abi.DLTensor {
	tensor := t.lent.Tensor()
	if tensor == nil {
		panic(fault.New("ValueError", "selfsame: LentTensor: the zero LentTensor was used"))
	}
	return tensor
}
