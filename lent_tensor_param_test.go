package selfsame

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A LentTensor is the caller's own memory, of a Tensor as of a DLTensor*, and the func may write to it.
//
// Requirement: D10
func TestLentTensorsAreTheCallersMemory(t *testing.T) {
	var p runtime.Pinner
	defer p.Unpin()
	numbers := []float32{1, 2, 3, 4}
	v := lentTensor(&p, numbers, nil)
	var lent LentTensor
	testenv.OK(t, convOf[LentTensor](t).From(&v, unsafe.Pointer(&lent)))
	elements, err := LentElements[float32](lent)
	if err != nil || !slices.Equal(elements, numbers) {
		t.Fatalf("%v, %v", elements, err)
	}
	elements[2] = 7
	if numbers[2] != 7 || lent.Data() != unsafe.Pointer(&numbers[0]) {
		t.Errorf("%v at %p", numbers, lent.Data())
	}
	if lent.Len() != 4 || !slices.Equal(lent.Shape(), []int{4}) || !slices.Equal(lent.Strides(), []int{1}) || !lent.Contiguous() {
		t.Errorf("%v: %d, %v, %v", lent, lent.Len(), lent.Shape(), lent.Strides())
	}
	if lent.String() != "LentTensor([4], float32, cpu:0)" {
		t.Error(lent.String())
	}
	if lent.DataType() != DataTypeOf[float32]() || lent.Device() != CPU {
		t.Errorf("%v, %v", lent.DataType(), lent.Device())
	}
	if _, err := LentElements[float64](lent); err == nil || !strings.Contains(err.Error(), "LentElements: expected a tensor of float64") {
		t.Errorf("another type: %v", err)
	}
	v = lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Strides = nil })
	if err := convOf[LentTensor](t).From(&v, unsafe.Pointer(&lent)); err != nil || lent.Strides() != nil || !lent.Contiguous() {
		t.Errorf("without strides: %v, %v", lent.Strides(), err)
	}
}

// A tensor without memory is no LentTensor, unless it has no elements.
//
// Requirement: D10
func TestLentTensorsHaveMemory(t *testing.T) {
	var p runtime.Pinner
	defer p.Unpin()
	numbers := []float32{1, 2, 3, 4}
	bare := lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Data, d.ByteOffset = nil, 8 })
	empty := lentTensor(&p, numbers, func(d *abi.DLTensor, n, _ *int64) { *n, d.Data = 0, nil })
	var lent LentTensor
	err := convOf[LentTensor](t).From(&bare, unsafe.Pointer(&lent))
	if err == nil || !strings.Contains(err.Error(), "expected a tensor with memory, got one of shape [4] without") {
		t.Error(err)
	}
	testenv.OK(t, convOf[LentTensor](t).From(&empty, unsafe.Pointer(&lent)))
	if elements, err := LentElements[float32](lent); err != nil || len(elements) != 0 {
		t.Errorf("%v, %v", elements, err)
	}
}

// A func with a LentTensor is called with a Tensor, and makes no handle of it.
//
// Requirement: D10
func TestFuncsTakeLentTensors(t *testing.T) {
	double := orFatal(NewFunc(func(values LentTensor, factor float64) (int, error) {
		elements, err := LentElements[float64](values)
		for i := range elements {
			elements[i] *= factor
		}
		return len(elements), err
	}))(t)
	defer double.Release()
	tensor := orFatal(NewTensor([]float64{1, 2, 3, 4}, 2, 2))(t)
	defer tensor.Release()
	if n, err := CallAs[int](double, tensor, 2.0); err != nil || n != 4 {
		t.Fatalf("%d, %v", n, err)
	}
	if elements := orFatal(Elements[float64](tensor))(t); !slices.Equal(elements, []float64{2, 4, 6, 8}) {
		t.Error(elements)
	}
	for _, wrong := range []any{nil, 3, "text", []float64{1}} {
		if _, err := CallAs[int](double, wrong, 2.0); err == nil || !strings.Contains(err.Error(), "ffi.Tensor") {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

// A lent tensor is no result, no field and nothing in a func that is bound.
//
// Requirement: D10
func TestLentTensorsAreRefusedElsewhere(t *testing.T) {
	_, err := NewFunc(func() LentTensor { return LentTensor{} })
	if err == nil || !strings.Contains(err.Error(), "lent to parameters only; use *selfsame.Tensor") {
		t.Errorf("as a result: %v", err)
	}
	type holder struct {
		Object
		B LentTensor `ffi:"rw"`
	}
	if _, err := Register[holder]("lent.TensorHolder"); err == nil {
		t.Error("as a field: no error")
	}
	f := orFatal(NewFunc(func(tensor LentTensor) int { return tensor.Len() }))(t)
	defer f.Release()
	if _, err := Bind[func(LentTensor) (int, error)](f); err == nil {
		t.Error("bound: no error")
	}
}

// The zero LentTensor has no tensor.
//
// Requirement: D10
func TestTheZeroLentTensor(t *testing.T) {
	var none LentTensor
	if none.String() != "LentTensor(none)" {
		t.Error(none.String())
	}
	if _, err := LentElements[int8](none); err == nil || !strings.Contains(err.Error(), "zero LentTensor") {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Shape: no panic")
		}
	}()
	none.Shape()
}

func orFatal[T any](made T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
}
