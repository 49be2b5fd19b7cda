package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Lent is the type of a parameter that gets bytes without a copy: the memory is the caller's, lent until the func
// returns. The func must neither change it nor keep a slice of it; what it wants to keep it copies, with bytes.Clone or
// string(b). A Python bytes object of any size costs as much as a number. A bytearray or memoryview costs little more:
// it cannot be resized during the call, but another thread or code that the func calls may change its content. As a
// slice without spare capacity it can be appended to, which copies it. Results are []byte.
type Lent []byte

func (Lent) newConv() (*convert.Conv, error) { return convert.LentConv(), nil }

// LentNumber is the constraint of the elements of a LentSlice.
type LentNumber interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// LentSlice is the type of a parameter that gets numbers without a copy in Go: the memory is the caller's, lent until the func
// returns. The func must neither change it nor keep a slice of it; what it wants to keep it copies, with slices.Clone.
//
// The memory is that of a NumPy array, of another object with Python's buffer protocol, or of a Tensor, if it has one
// dimension, the data type E and no gaps between its elements. The caller may see to it that nobody changes it during
// the call. A list of floats for float64, or of ints for int64, is lent as Python's frontend packs it. The func gets a
// copy of all other values that a parameter []E accepts. As a slice without spare capacity it can be appended to, which
// copies it. Results are []E.
type LentSlice[E LentNumber] []E

func (LentSlice[E]) newConv() (*convert.Conv, error) {
	c, err := convert.SliceConv(reflect.TypeFor[LentSlice[E]](), convert.For)
	if err != nil {
		return nil, err
	}
	copied := c.From
	c.Borrows, c.CallsOnly = true, true
	c.OnlyParameter = "is lent to parameters only; use []" + reflect.TypeFor[E]().String()
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		first, n, ok := convert.AdjacentNumbers(v, c.Elements)
		if !ok {
			return copied(v, dst)
		}
		*(*convert.SliceHeader)(dst) = convert.SliceHeader{First: first, Len: n, Cap: n}
		return nil
	}
	return c, nil
}

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

// ReadOnlyLentElements returns what LentElements returns, for a func that only reads: it takes memory that must not be written too. A write to the slice
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
