package selfsame_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
)

type celsius float32

// roundTrip makes a tensor of a slice and looks at it through Elements.
func roundTrip[E selfsame.TensorElement](t *testing.T, dtype string, elems ...E) {
	t.Helper()
	x := must(selfsame.NewTensor(elems))(t)
	if x.DataType().String() != dtype || x.Len() != len(elems) || x.Device() != selfsame.CPU || !x.Contiguous() {
		t.Errorf("%v: %v", elems, x)
	}
	view := must(selfsame.Elements[E](x))(t)
	if len(view) != len(elems) || &view[0] != &elems[0] {
		t.Errorf("%s: a copy was made", dtype)
	}
	view[0] = elems[1]
	if elems[0] != elems[1] {
		t.Errorf("%s: what is written through the tensor does not reach the slice", dtype)
	}
	x.Release()
}

// Requirement: D4
func TestTensorsHoldEveryNumber(t *testing.T) {
	balanced(t)
	roundTrip[int8](t, "int8", 1, -2)
	roundTrip[int16](t, "int16", 1, -2)
	roundTrip[int32](t, "int32", 1, -2)
	roundTrip[int64](t, "int64", 1, -2)
	roundTrip[int](t, "int64", 1, -2)
	roundTrip[uint8](t, "uint8", 1, 2)
	roundTrip[uint16](t, "uint16", 1, 2)
	roundTrip[uint32](t, "uint32", 1, 2)
	roundTrip[uint64](t, "uint64", 1, 2)
	roundTrip[uint](t, "uint64", 1, 2)
	roundTrip[float32](t, "float32", 1.5, -2)
	roundTrip[celsius](t, "float32", 1.5, -2)
	roundTrip[float64](t, "float64", 1.5, -2)
	roundTrip[complex64](t, "complex64", 1i, -2)
	roundTrip[complex128](t, "complex128", 1i, -2)
	roundTrip[bool](t, "bool", true, false)
}

// Requirement: D4
func TestTensorsHaveShapes(t *testing.T) {
	balanced(t)
	x := must(selfsame.NewTensor([]float32{1, 2, 3, 4, 5, 6}, 2, 3))(t)
	if !slices.Equal(x.Shape(), []int{2, 3}) || !slices.Equal(x.Strides(), []int{3, 1}) || x.Len() != 6 {
		t.Errorf("shape %v, strides %v", x.Shape(), x.Strides())
	}
	if s := x.String(); s != "Tensor([2, 3], float32, cpu:0)" {
		t.Error(s)
	}
	empty := must(selfsame.NewTensor([]int64{}, 4, 0, 5))(t)
	if view := must(selfsame.Elements[int64](empty))(t); len(view) != 0 || empty.Len() != 0 {
		t.Errorf("an empty tensor has %d elements", empty.Len())
	}
	for _, shape := range [][]int{{2, 2}, {-1, -6}, {6, 0}, {1 << 62, 1 << 62}} {
		_, err := selfsame.NewTensor(make([]float32, 6), shape...)
		wantError(t, err, "ValueError", fmt.Sprint("expected 6 elements, got shape ", shape))
	}
	echo := must(selfsame.NewFunc(func(x *selfsame.Tensor) *selfsame.Tensor { return x }))(t)
	if got := must(selfsame.CallAs[*selfsame.Tensor](echo, x))(t); got != x {
		t.Error("a tensor came back as another handle")
	}
	if got := must(echo.Call(x))(t); got != any(x) {
		t.Errorf("as any: %v", got)
	}
	_, err := echo.Call([]float32{1})
	wantError(t, err, "TypeError", "Expected `ffi.Tensor` but got `ffi.Array`")
}

// The memory of the slice must neither move nor be used again while another language holds the tensor.
//
// Requirement: D4
func TestTensorPinsItsSlice(t *testing.T) {
	balanced(t)
	collected := make(chan bool, 1)
	keep := must(selfsame.NewArray([]*selfsame.Tensor{func() *selfsame.Tensor {
		elems := make([]int64, 1000)
		for i := range elems {
			elems[i] = int64(i)
		}
		runtime.AddCleanup(&elems[0], func(struct{}) { collected <- true }, struct{}{})
		return must(selfsame.NewTensor(elems))(t)
	}()}))(t)
	selfsame.Collect()
	view := must(selfsame.Elements[int64](keep.At(0)))(t)
	for i, v := range view {
		if v != int64(i) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
	select {
	case <-collected:
		t.Error("the slice went while the tensor lived")
	default:
	}
	view = nil
	keep.Release()
	for range 10 {
		selfsame.Collect()
	}
	select {
	case <-collected:
	default:
		t.Error("the slice is still kept after the tensor's end")
	}
	_ = view
}

// dlpack makes managed tensors in pinned Go memory, as another language does in its own memory.
type dlpack struct {
	abi.DLManagedTensorVersioned
	extents, steps []int64
	pins           runtime.Pinner
}

func newDLPack(data unsafe.Pointer, dtype selfsame.DataType, extents, steps []int64) *dlpack {
	d := &dlpack{extents: extents, steps: steps}
	d.Major, d.Minor = abi.DLPackMajor, abi.DLPackMinor
	d.Tensor = abi.DLTensor{Data: data, Device: selfsame.CPU, NDim: int32(len(extents)), DType: dtype,
		Shape: unsafe.Pointer(&extents[0])}
	d.pins.Pin(data)
	d.pins.Pin(&extents[0])
	if steps != nil {
		d.Tensor.Strides = unsafe.Pointer(&steps[0])
		d.pins.Pin(&steps[0])
	}
	d.pins.Pin(d)
	return d
}

// Requirement: D4
func TestTensorsFromElsewhereAreRead(t *testing.T) {
	balanced(t)
	data := make([]float64, 24)
	for i := range data {
		data[i] = float64(i)
	}
	f64 := selfsame.DataTypeOf[float64]()
	import_ := func(change func(*dlpack), extents, steps []int64) (*selfsame.Tensor, func()) {
		d := newDLPack(unsafe.Pointer(&data[0]), f64, extents, steps)
		if change != nil {
			change(d)
		}
		x := must(selfsame.FromDLPack(&d.DLManagedTensorVersioned))(t)
		return x, func() { x.Release(); d.pins.Unpin() }
	}
	x, done := import_(nil, []int64{4, 6}, nil)
	if view := must(selfsame.Elements[float64](x))(t); len(view) != 24 || &view[0] != &data[0] || !slices.Equal(x.Strides(), []int{6, 1}) {
		t.Errorf("contiguous: %d elements, strides %v", len(view), x.Strides())
	}
	_, err := selfsame.Elements[float32](x)
	wantError(t, err, "TypeError", "Elements: expected a tensor of float32, got one of float64")
	done()
	x, done = import_(nil, []int64{6, 4}, []int64{1, 6})
	if x.Contiguous() {
		t.Error("a transposed tensor passes for contiguous")
	}
	_, err = selfsame.Elements[float64](x)
	wantError(t, err, "ValueError", "expected a contiguous tensor, got shape [6 4] with strides [1 6]")
	done()
	x, done = import_(func(d *dlpack) { d.Tensor.Device = selfsame.Device{Type: abi.DeviceCUDA, ID: 1} }, []int64{24}, nil)
	_, err = selfsame.Elements[float64](x)
	wantError(t, err, "ValueError", "expected memory that the CPU can read, got a tensor on cuda:1")
	done()
	x, done = import_(func(d *dlpack) { d.Tensor.ByteOffset = 16 }, []int64{3}, nil)
	if view := must(selfsame.Elements[float64](x))(t); !slices.Equal(view, []float64{2, 3, 4}) {
		t.Errorf("with an offset: %v", view)
	}
	done()
	x, done = import_(func(d *dlpack) { d.Tensor.ByteOffset = 4 }, []int64{3}, nil)
	_, err = selfsame.Elements[float64](x)
	wantError(t, err, "ValueError", "not aligned to 8 bytes")
	done()
	_, err = selfsame.FromDLPack(nil)
	wantError(t, err, "ValueError", "FromDLPack: argument 'managed': expected a managed tensor, got nil")
	_, err = selfsame.Elements[int8](nil)
	wantError(t, err, "ValueError", "a nil tensor")
}

// Requirement: D4
func TestTensorIsGivenToDLPack(t *testing.T) {
	balanced(t)
	elems := []int32{1, 2, 3}
	x := must(selfsame.NewTensor(elems))(t)
	managed := must(x.ToDLPack())(t)
	x.Release()
	if managed.Tensor.Data != unsafe.Pointer(&elems[0]) || managed.Tensor.DType.String() != "int32" || managed.Major != 1 {
		t.Errorf("exported: %+v", managed)
	}
	again := must(selfsame.FromDLPack(managed))(t)
	if view := must(selfsame.Elements[int32](again))(t); &view[0] != &elems[0] {
		t.Error("the round trip made a copy")
	}
	unused := must(again.ToDLPack())(t)
	selfsame.DeleteDLPack(unused)
	again.Release()
	wantPanic(t, "RuntimeError", "Tensor: used after Release", func() { again.Len() })
}

func TestDataTypesAndDevices(t *testing.T) {
	balanced(t)
	for _, text := range []string{"int32", "float16", "bool", "uint8x4", "bfloat16", "float8_e4m3fn", "handle", "float32xvscalex4"} {
		if d := must(selfsame.ParseDataType(text))(t); d.String() != text {
			t.Errorf("%q came back as %q", text, d)
		}
	}
	_, err := selfsame.ParseDataType("floaty")
	wantError(t, err, "ValueError", "floaty")
	for text, want := range map[string]string{"cpu": "cpu:0", "cuda:3": "cuda:3", "mps": "metal:0", "rocm:1": "rocm:1"} {
		if d := must(selfsame.ParseDevice(text))(t); d.String() != want {
			t.Errorf("%q is %v", text, d)
		}
	}
	for _, text := range []string{"", "gpu", "cuda:", "cuda:-1", "cuda:99999999999", "cuda:1:2", "cuda:2147483648"} {
		_, err := selfsame.ParseDevice(text)
		wantError(t, err, "ValueError", "is not a device")
	}
	f := must(selfsame.NewFunc(func(d selfsame.DataType, at selfsame.Device) string { return d.String() + " on " + at.String() }))(t)
	for _, args := range [][]any{
		{"int8", "cuda:1"}, {[]byte("int8"), selfsame.Device{Type: abi.DeviceCUDA, ID: 1}}, {selfsame.DataTypeOf[int8](), "cuda:1"},
	} {
		if got := must(f.Call(args...))(t); got != "int8 on cuda:1" {
			t.Errorf("%v: %v", args, got)
		}
	}
	_, err = f.Call(1, "cpu")
	wantError(t, err, "TypeError", "Expected `DataType` but got `int`")
	_, err = f.Call("int8", "nowhere")
	wantError(t, err, "ValueError", "`nowhere` is not a device")
	if !strings.Contains(err.Error(), "argument #1") {
		t.Error(err)
	}
}

func TestShapes(t *testing.T) {
	balanced(t)
	s := must(selfsame.NewShape(2, 3, 4))(t)
	echo := must(selfsame.NewFunc(func(s *selfsame.Shape) *selfsame.Shape { return s }))(t)
	if got := must(selfsame.CallAs[*selfsame.Shape](echo, s))(t); got != s || got.Len() != 3 || got.At(2) != 4 {
		t.Errorf("came back as %v", got.Slice())
	}
	if got := must(echo.Call([]int{7, 8}))(t).(*selfsame.Shape); got.Len() != 2 || got.At(0) != 7 {
		t.Errorf("an array as shape: %v", got.Slice())
	}
	_, err := echo.Call([]any{1, "x"})
	wantError(t, err, "TypeError", "Expected `ffi.Shape` but got `Array[index 1: ffi.SmallStr]`")
	sum := 0
	for i, n := range s.All() {
		sum += i * n
	}
	if sum != 11 || must(selfsame.NewShape())(t).Len() != 0 {
		t.Errorf("sum = %d", sum)
	}
	wantPanic(t, "IndexError", "Index 3 out of bounds 3", func() { s.At(3) })
}
