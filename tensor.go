package selfsame

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Tensor refers to a Tensor of the ABI: an array of numbers of any dimension, in memory that its maker owns, on any device.
//
// As a field of a class struct it owns a reference to its tensor; in a new object it is empty. A *Tensor that comes from
// [NewTensor] or from a call is a handle: one per native tensor, released like a [Handle]. A nil *Tensor is None. The
// elements have no lock.
type Tensor struct {
	ref containers.Ref
}

// NewTensor makes a contiguous CPU tensor that shares the memory of a slice: a write to one is a write to the other. The
// slice's memory is pinned until every language has released the tensor. shape gives the extents, in row-major order;
// without it the tensor has one dimension. NewTensor fails with a ValueError when the shape does not have as many elements
// as the slice.
func NewTensor[E TensorElement](elems []E, shape ...int) (*Tensor, error) {
	if err := link.Bound(); err != nil {
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
		return nil, fault.New("ValueError", "selfsame: NewTensor: argument 'shape': expected %d elements, got shape %v",
			len(elems), shape)
	}
	data := unsafe.Pointer(unsafe.SliceData(elems))
	var e E
	id := handles.Keep(values.Pin(data, elems, uintptr(len(elems))*unsafe.Sizeof(e)))
	if id == 0 {
		return nil, fault.New("RuntimeError", "selfsame: NewTensor: too many tensors")
	}
	object, failed := bridge.Tensor(id, data, DataTypeOf[E](), extents)
	if object == nil {
		handles.Drop(id)
		return nil, fault.Take(failed)
	}
	handles.TraceNative(object)
	return (*Tensor)(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// countOf returns the number of elements of a shape; ok is false for a negative extent and for too many.
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

// Elements returns the elements of a tensor as a Go slice that shares the tensor's memory, in row-major order. The slice is
// borrowed: it is valid as long as the tensor is alive, for example until a runtime.KeepAlive(t) after its last use.
//
// It fails with a TypeError when the type of the tensor's elements is not E. It fails with a ValueError when t is nil,
// and when the tensor has no memory, is not contiguous, not aligned, not in memory that the CPU can read, or in memory that
// must not be written.
func Elements[E TensorElement](t *Tensor) ([]E, error) {
	tensor, err := t.body()
	if err != nil {
		return nil, err
	}
	if t.ReadOnly() {
		return nil, readOnlyMemory("Elements", "ReadOnlyElements")
	}
	return elementsOf[E]("Elements", tensor)
}

// ReadOnlyElements returns what Elements returns, for code that only reads: it takes memory that must not be written too. A write to the slice changes
// what others take for constant, or ends the process.
func ReadOnlyElements[E TensorElement](t *Tensor) ([]E, error) {
	tensor, err := t.body()
	if err != nil {
		return nil, err
	}
	return elementsOf[E]("ReadOnlyElements", tensor)
}

// readOnlyMemory returns the error of a func whose slice may be written.
func readOnlyMemory(caller, instead string) error {
	return fault.New("ValueError", "selfsame: %s: argument 't': expected memory that may be written, got a read-only tensor; "+
		"%s takes it for reading", caller, instead)
}

// ReadOnly reports whether the memory must not be written, because its exporter said so: an array of JAX or Arrow, or a
// read-only one of NumPy. It is always false on a runtime of others.
func (t *Tensor) ReadOnly() bool {
	t.mustBody()
	is := handles.IsReadOnlyTensor(t.ref.Address("Tensor"))
	runtime.KeepAlive(t)
	return is
}

// elementsOf does the work of Elements and LentElements.
func elementsOf[E TensorElement](caller string, tensor *abi.DLTensor) ([]E, error) {
	if want := DataTypeOf[E](); tensor.DType != want {
		return nil, fault.New("TypeError", "selfsame: %s: expected a tensor of %s, got one of %s", caller, want, tensor.DType)
	}
	switch tensor.Device.Type {
	case abi.DeviceCPU, abi.DeviceCUDAHost, abi.DeviceROCMHost:
	default:
		return nil, fault.New("ValueError", "selfsame: %s: expected memory that the CPU can read, got a tensor on %s",
			caller, tensor.Device)
	}
	if !tensor.Contiguous() {
		return nil, fault.New("ValueError", "selfsame: %s: expected a contiguous tensor, got shape %v with strides %v",
			caller, tensor.Extents(), tensor.Steps())
	}
	n, ok := countOf(tensor.Extents())
	if !ok {
		return nil, fault.New("ValueError", "selfsame: %s: the tensor has an invalid shape %v", caller, tensor.Extents())
	}
	first := unsafe.Add(tensor.Data, tensor.ByteOffset)
	var e E
	if uintptr(first)%unsafe.Alignof(e) != 0 {
		return nil, fault.New("ValueError", "selfsame: %s: the tensor's elements are not aligned to %d bytes",
			caller, unsafe.Alignof(e))
	}
	if n == 0 {
		return []E{}, nil
	}
	if !convert.HasMemory(tensor) {
		return nil, convert.NoMemory("selfsame: "+caller+": argument 't': ", tensor)
	}
	return unsafe.Slice((*E)(first), n), nil
}

// Shape returns a copy of the extents, one per dimension.
func (t *Tensor) Shape() []int { return t.numbers((*abi.DLTensor).Extents) }

// Strides returns a copy of the strides in elements, one per dimension: the distance between neighbours in that
// dimension.
func (t *Tensor) Strides() []int { return t.numbers((*abi.DLTensor).Steps) }

func (t *Tensor) numbers(of func(*abi.DLTensor) []int64) []int {
	out := intsOf(of(t.mustBody()))
	runtime.KeepAlive(t)
	return out
}

func intsOf(numbers []int64) []int {
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = int(n)
	}
	return out
}

// Len returns the number of elements.
func (t *Tensor) Len() int {
	n, _ := countOf(t.mustBody().Extents())
	runtime.KeepAlive(t)
	return int(n)
}

// DataType returns the type of the elements.
func (t *Tensor) DataType() DataType {
	d := t.mustBody().DType
	runtime.KeepAlive(t)
	return d
}

// Device returns the device whose memory has the elements.
func (t *Tensor) Device() Device {
	d := t.mustBody().Device
	runtime.KeepAlive(t)
	return d
}

// Contiguous reports whether the elements are contiguous in row-major order.
func (t *Tensor) Contiguous() bool {
	is := t.mustBody().Contiguous()
	runtime.KeepAlive(t)
	return is
}

// String describes the tensor by shape, data type and device. It never panics.
func (t *Tensor) String() string {
	if t == nil || t.ref.AddressOrNil() == nil {
		return "Tensor(none)"
	}
	text := describe("Tensor", t.mustBody())
	runtime.KeepAlive(t)
	return text
}

func describe(name string, tensor *abi.DLTensor) string {
	extents := strings.Join(strings.Fields(fmt.Sprint(tensor.Extents())), ", ")
	return fmt.Sprintf("%s(%s, %s, %s)", name, extents, tensor.DType, tensor.Device)
}

// FromDLPack makes a tensor of a managed tensor in C memory, in the form that DLPack has since version 1. If it succeeds,
// the new tensor owns the managed tensor and will call its deleter; otherwise the caller still owns it. It fails with a
// ValueError when managed is nil.
func FromDLPack(managed *abi.DLManagedTensorVersioned) (*Tensor, error) {
	if err := link.Bound(); err != nil {
		return nil, err
	}
	if managed == nil {
		return nil, fault.New("ValueError", "selfsame: FromDLPack: argument 'managed': expected a managed tensor, got nil")
	}
	object, failed := bridge.TensorFromDLPack(unsafe.Pointer(managed))
	if object == nil {
		return nil, fault.Take(failed)
	}
	return (*Tensor)(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// ToDLPack makes a managed tensor in C memory that shares the tensor's memory and keeps the tensor alive. The caller owns
// it, and must pass it to code that will call its deleter, or to [DeleteDLPack].
func (t *Tensor) ToDLPack() (*abi.DLManagedTensorVersioned, error) {
	if _, err := t.body(); err != nil {
		return nil, err
	}
	managed, failed := bridge.TensorToDLPack(t.nativeObject())
	runtime.KeepAlive(t)
	if err := fault.Take(failed); err != nil {
		return nil, err
	}
	return (*abi.DLManagedTensorVersioned)(managed), nil
}

// DeleteDLPack calls the deleter of a managed tensor, which the caller must not use afterwards.
func DeleteDLPack(managed *abi.DLManagedTensorVersioned) {
	if managed != nil {
		bridge.DeleteDLPack(unsafe.Pointer(managed))
	}
}

// Set takes a reference to the handle's tensor for the field and releases the one before. It panics when the handle is nil
// or released, and when t is not a field.
func (t *Tensor) Set(from *Tensor) {
	t.ref.CheckField("Tensor")
	if from == nil {
		panic(fault.New("ValueError", "selfsame: Tensor.Set: argument 'from': expected a tensor, got nil"))
	}
	object := from.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(from)
	t.ref.Replace(object)
}

// Get returns the handle of a field's tensor, nil when the field is empty. For a handle it returns the handle itself.
func (t *Tensor) Get() *Tensor {
	if t == nil {
		return nil
	}
	object := t.ref.AddressOrNil()
	if object == nil {
		return nil
	}
	state := handles.Fetch(object)
	runtime.KeepAlive(t)
	return (*Tensor)(unsafe.Pointer(state))
}

// Release releases a handle's reference now; any later use but a second Release panics. It panics when t is a field.
func (t *Tensor) Release() {
	if t != nil {
		t.ref.Release("Tensor")
	}
}

func (t *Tensor) nativeObject() unsafe.Pointer {
	if t == nil {
		return nil
	}
	return t.ref.Address("Tensor")
}

func (t *Tensor) body() (*abi.DLTensor, error) {
	if t == nil {
		return nil, fault.New("ValueError", "selfsame: Tensor: a nil tensor was used")
	}
	return abi.TensorOf(t.ref.Address("Tensor")), nil
}

func (t *Tensor) mustBody() *abi.DLTensor {
	return fault.Must(t.body())
}

// tensorClass is the class of Tensor, which is no class struct.
var tensorClass = sync.OnceValue(func() *typetable.Class {
	return typetable.NewBuiltin("ffi.Tensor", abi.IndexTensor, func(s *handles.State) any { return (*Tensor)(unsafe.Pointer(s)) })
})

func (t *Tensor) newConv() (*convert.Conv, error) {
	return containers.HandleConv(tensorClass(), func(src unsafe.Pointer) unsafe.Pointer { return (*(**Tensor)(src)).nativeObject() }), nil
}

func (t *Tensor) fieldConv() (*convert.Conv, error) { return (*Tensor)(nil).newConv() }
func (t *Tensor) initial() (abi.Any, error)         { return abi.None(), nil }
func (t *Tensor) storage() (int32, bool)            { return abi.IndexTensor, false }

func init() { typetable.ByIndex.Store(abi.IndexTensor, tensorClass()) }

// DataType is the type of a tensor's elements: a kind of number, its bits and its lanes. It may be a parameter, a result, an
// element and a field of a class struct; where one is expected, text such as "float32" is accepted too.
type DataType = abi.DataType

// Device is the device whose memory a tensor uses: its kind and its number. It may be a parameter, a result, an element and
// a field of a class struct; where one is expected, text such as "cuda:1" is accepted too.
type Device = abi.Device

// CPU is the device of memory that Go code can read.
var CPU = Device{Type: abi.DeviceCPU}

// ParseDataType returns the data type of a text such as float32, int8x4, bool or float8_e4m3fn. It fails with a ValueError
// for other text.
func ParseDataType(text string) (DataType, error) {
	v, err := parsePlain(bridge.KindDType, text)
	return v.DataType(), err
}

// ParseDevice returns the device of a text such as cpu or cuda:1. It fails with a ValueError for other text.
func ParseDevice(text string) (Device, error) {
	v, err := parsePlain(bridge.KindDevice, text)
	return v.Device(), err
}

// parsePlain makes a DataType or Device value (by kind) of text.
func parsePlain(kind bridge.Kind, text string) (abi.Any, error) {
	if err := link.Bound(); err != nil {
		return abi.Any{}, err
	}
	v, err := values.NewText(text)
	if err != nil {
		return abi.Any{}, err
	}
	defer values.Release(v)
	plain, _, failed := bridge.Plain(kind, v)
	return plain, fault.Take(failed)
}

// TensorElement is the constraint of Go types that can be the elements of a tensor.
type TensorElement interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128 | ~bool
}

// DataTypeOf returns the data type of a Go type.
func DataTypeOf[E TensorElement]() DataType { return convert.DataTypeOf(reflect.TypeFor[E]()) }
