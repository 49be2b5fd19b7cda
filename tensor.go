package selfsame

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Tensor refers to a Tensor of the ABI: numbers in rows of any dimension, in the memory of the code that made it.
//
// As a field of a class struct it owns the tensor it holds; a new object's field is empty until it is set. A *Tensor that
// comes from [NewTensor] or from a call is a handle: one per native tensor, released like a [Handle]. A nil *Tensor is
// None.
type Tensor struct {
	containerRef
}

// NewTensor makes a tensor of the elements of a slice, without a copy: writing the slice writes the tensor, and the
// other way round. The slice's memory is pinned as long as anyone, in any language, holds the tensor. shape gives the
// extents, the last dimension's elements lying side by side; without it the tensor has one dimension. NewTensor fails
// with a ValueError when the shape does not have as many elements as the slice.
func NewTensor[E TensorElement](elems []E, shape ...int) (*Tensor, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	if len(shape) == 0 {
		shape = []int{len(elems)}
	}
	extents := make([]int64, len(shape))
	for i, n := range shape {
		extents[i] = int64(n)
	}
	if n, ok := countOf(extents); !ok || n != int64(len(elems)) {
		return nil, newError("ValueError", "selfsame: NewTensor: argument 'shape': expected %d elements, got shape %v", len(elems), shape)
	}
	data := unsafe.Pointer(unsafe.SliceData(elems))
	id := handles.Keep(pinSlice(data, elems))
	if id == 0 {
		return nil, newError("RuntimeError", "selfsame: NewTensor: too many tensors")
	}
	object, failed := bridge.Tensor(id, data, DataTypeOf[E](), extents)
	if object == nil {
		handles.Drop(id)
		return nil, takeError(failed)
	}
	handles.TraceNative(object)
	return (*Tensor)(unsafe.Pointer(handles.Adopt(object))), nil
}

// pinned is a slice that a tensor shows to others.
type pinned struct {
	pins  runtime.Pinner
	elems any
}

func pinSlice(data unsafe.Pointer, elems any) *pinned {
	p := &pinned{elems: elems}
	if data != nil {
		p.pins.Pin(data)
	}
	return p
}

// Ended is called when the tensor is gone.
func (p *pinned) Ended() { p.pins.Unpin() }

// countOf is the number of elements of a shape; ok is false for a negative extent and for too many.
func countOf(shape []int64) (n int64, ok bool) {
	n, empty := 1, false
	for _, extent := range shape {
		if extent < 0 {
			return 0, false
		}
		if extent == 0 {
			empty = true
			continue
		}
		if n > math.MaxInt64/extent {
			return 0, false
		}
		n *= extent
	}
	if empty {
		return 0, true
	}
	return n, true
}

// Elements views the elements of a tensor as a Go slice, without a copy, in the order of the last dimension's being the
// closest together. The slice is borrowed: it is good as long as something keeps the tensor alive, such as
// runtime.KeepAlive(t). Who writes through it writes the tensor.
//
// It fails with a TypeError when the tensor's elements are not Es, and with a ValueError when they lie on another device or
// not one behind the other; the error says which.
func Elements[E TensorElement](t *Tensor) ([]E, error) {
	tensor, err := t.body()
	if err != nil {
		return nil, err
	}
	if want := DataTypeOf[E](); tensor.DType != want {
		return nil, newError("TypeError", "selfsame: Elements: expected a tensor of %s, got one of %s", want, tensor.DType)
	}
	switch tensor.Device.Type {
	case abi.DeviceCPU, abi.DeviceCUDAHost, abi.DeviceROCMHost:
	default:
		return nil, newError("ValueError", "selfsame: Elements: expected memory that the CPU can read, got a tensor on %s", tensor.Device)
	}
	if !tensor.Contiguous() {
		return nil, newError("ValueError", "selfsame: Elements: expected a contiguous tensor, got shape %v with strides %v",
			tensor.Extents(), tensor.Steps())
	}
	n, ok := countOf(tensor.Extents())
	if !ok {
		return nil, newError("ValueError", "selfsame: Elements: the tensor has an invalid shape %v", tensor.Extents())
	}
	first := unsafe.Add(tensor.Data, tensor.ByteOffset)
	var e E
	if uintptr(first)%unsafe.Alignof(e) != 0 {
		return nil, newError("ValueError", "selfsame: Elements: the tensor's elements are not aligned to %d bytes", unsafe.Alignof(e))
	}
	if n == 0 {
		return []E{}, nil
	}
	if tensor.Data == nil {
		return nil, newError("ValueError", "selfsame: Elements: the tensor has no memory")
	}
	return unsafe.Slice((*E)(first), n), nil
}

// Shape is a copy of the extents, one per dimension.
func (t *Tensor) Shape() []int { return t.numbers((*abi.DLTensor).Extents) }

// Strides is a copy of the strides in elements, one per dimension: how far apart neighbours in that dimension lie.
func (t *Tensor) Strides() []int { return t.numbers((*abi.DLTensor).Steps) }

func (t *Tensor) numbers(of func(*abi.DLTensor) []int64) []int {
	numbers := of(t.mustBody())
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = int(n)
	}
	runtime.KeepAlive(t)
	return out
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	n, _ := countOf(t.mustBody().Extents())
	runtime.KeepAlive(t)
	return int(n)
}

// DataType is the type of the elements.
func (t *Tensor) DataType() DataType {
	d := t.mustBody().DType
	runtime.KeepAlive(t)
	return d
}

// Device is where the tensor lies.
func (t *Tensor) Device() Device {
	d := t.mustBody().Device
	runtime.KeepAlive(t)
	return d
}

// Contiguous says whether the elements lie one behind the other, the last dimension's closest together.
func (t *Tensor) Contiguous() bool {
	is := t.mustBody().Contiguous()
	runtime.KeepAlive(t)
	return is
}

// String describes the tensor, without its elements.
func (t *Tensor) String() string {
	if t == nil || t.addressOrNil() == nil {
		return "Tensor(none)"
	}
	body := t.mustBody()
	extents := strings.Join(strings.Fields(fmt.Sprint(body.Extents())), ", ")
	text := fmt.Sprintf("Tensor(%s, %s, %s)", extents, body.DType, body.Device)
	runtime.KeepAlive(t)
	return text
}

// FromDLPack makes a tensor of a managed tensor in C memory, as DLPack hands it over since version 1. If it succeeds, the
// managed tensor belongs to the new tensor, which will call its deleter; otherwise it stays the caller's.
func FromDLPack(managed *abi.DLManagedTensorVersioned) (*Tensor, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	if managed == nil {
		return nil, newError("ValueError", "selfsame: FromDLPack: argument 'managed': expected a managed tensor, got nil")
	}
	object, failed := bridge.TensorFromDLPack(unsafe.Pointer(managed))
	if object == nil {
		return nil, takeError(failed)
	}
	return (*Tensor)(unsafe.Pointer(handles.Adopt(object))), nil
}

// ToDLPack makes a managed tensor in C memory that shares the tensor's memory and keeps the tensor alive. The caller owns
// it: it must be handed on to code that will call its deleter, or given to [DeleteDLPack].
func (t *Tensor) ToDLPack() (*abi.DLManagedTensorVersioned, error) {
	if _, err := t.body(); err != nil {
		return nil, err
	}
	managed, failed := bridge.TensorToDLPack(t.nativeObject())
	runtime.KeepAlive(t)
	if err := takeError(failed); err != nil {
		return nil, err
	}
	return (*abi.DLManagedTensorVersioned)(managed), nil
}

// DeleteDLPack calls the deleter of a managed tensor, which must not be used afterwards.
func DeleteDLPack(managed *abi.DLManagedTensorVersioned) {
	if managed != nil {
		bridge.DeleteDLPack(unsafe.Pointer(managed))
	}
}

// Set puts the tensor of a handle into the field; both then hold the same native tensor. It panics when the handle is nil or
// released, and when t is not a field.
func (t *Tensor) Set(from *Tensor) {
	t.checkField("a Tensor")
	if from == nil {
		panic(newError("ValueError", "selfsame: Tensor.Set: argument 'from': expected a tensor, got nil"))
	}
	object := from.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(from)
	t.replace(object)
}

// Get is the handle of the tensor in a field, nil when the field is empty; of a handle it is the handle itself.
func (t *Tensor) Get() *Tensor {
	if t == nil {
		return nil
	}
	object := t.addressOrNil()
	if object == nil {
		return nil
	}
	c := handles.Fetch(object)
	runtime.KeepAlive(t)
	return (*Tensor)(unsafe.Pointer(c))
}

// Release gives the reference of a handle back now; the tensor must not be used afterwards. It panics when t is a field.
func (t *Tensor) Release() {
	if t != nil {
		t.release("a Tensor")
	}
}

func (t *Tensor) nativeObject() unsafe.Pointer {
	if t == nil {
		return nil
	}
	return t.address("a Tensor")
}

func (t *Tensor) body() (*abi.DLTensor, error) {
	if t == nil {
		return nil, newError("ValueError", "selfsame: Tensor: a nil tensor was used")
	}
	return abi.TensorOf(t.address("a Tensor")), nil
}

func (t *Tensor) mustBody() *abi.DLTensor {
	body, err := t.body()
	if err != nil {
		panic(err)
	}
	return body
}

// tensorClass stands for Tensor among the classes.
var tensorClass = sync.OnceValue(func() *class {
	return builtinClass("ffi.Tensor", abi.IndexTensor, func(c *handles.State) any { return (*Tensor)(unsafe.Pointer(c)) })
})

func (t *Tensor) newConv() (*conv, error) {
	return containerConv(tensorClass(), func(src unsafe.Pointer) unsafe.Pointer { return (*(**Tensor)(src)).nativeObject() }), nil
}

func (t *Tensor) fieldConv() (*conv, error) { return (*Tensor)(nil).newConv() }
func (t *Tensor) initial() (abi.Any, error) { return abi.None(), nil }
func (t *Tensor) storage() (int32, bool)    { return abi.IndexTensor, false }

func init() { byIndex.Store(abi.IndexTensor, tensorClass()) }
