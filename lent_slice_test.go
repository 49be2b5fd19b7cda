package selfsame_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

// A parameter of type LentSlice has the memory of a tensor with its data type, and a copy of all else.
//
// Requirement: D10
func TestLentSlicesAreTheCallersMemory(t *testing.T) {
	balanced(t)
	var at *float64
	f := must(selfsame.NewFunc(func(values selfsame.LentSlice[float64]) []float64 {
		at = unsafe.SliceData(values)
		_ = append(values, 7) // copies: there is no spare capacity
		return slices.Clone(values)
	}))(t)
	tensor := must(selfsame.NewTensor([]float64{1, 2, 3}))(t)
	elements := must(selfsame.Elements[float64](tensor))(t)
	for _, argument := range []any{tensor, []float64{1, 2, 3}, []int64{1, 2, 3}} {
		got, err := selfsame.CallAs[[]float64](f, argument)
		if err != nil || !slices.Equal(got, []float64{1, 2, 3}) {
			t.Errorf("%T: %v, %v", argument, got, err)
		}
		if _, isTensor := argument.(*selfsame.Tensor); isTensor != (at == &elements[0]) {
			t.Errorf("%T: at %p, the tensor's elements are at %p", argument, at, &elements[0])
		}
	}
	other := must(selfsame.NewTensor([]float32{0, 0}))(t)
	if got, err := selfsame.CallAs[[]float64](f, other); err != nil || !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("float32: %v, %v", got, err)
	}
	other.Release()
	tensor.Release()
	f.Release()
}

// A lent slice is no result, no field and nothing that a bound func passes on; in a container it is a copy.
//
// Requirement: D10
func TestLentSlicesAreRefusedElsewhere(t *testing.T) {
	_, err := selfsame.NewFunc(func() selfsame.LentSlice[int32] { return nil })
	if err == nil || !strings.Contains(err.Error(), "lent to parameters only; use []int32") {
		t.Errorf("as a result: %v", err)
	}
	type holder struct {
		selfsame.Object
		B selfsame.LentSlice[float64] `ffi:"rw"`
	}
	if _, err := selfsame.Register[holder]("lent.SliceHolder"); err == nil {
		t.Error("as a field: no error")
	}
	f := must(selfsame.NewFunc(func(lists []selfsame.LentSlice[int64]) int { return len(lists[1]) }))(t)
	if n, err := selfsame.CallAs[int](f, [][]int64{nil, {1, 2}}); err != nil || n != 2 {
		t.Errorf("in a list: %d, %v", n, err)
	}
	if _, err := selfsame.Bind[func([]selfsame.LentSlice[int64]) (int, error)](f); err == nil {
		t.Error("bound: no error")
	}
	if _, err := f.Call([]string{"text"}); err == nil || !strings.Contains(err.Error(), "int") {
		t.Errorf("text: %v", err)
	}
	f.Release()
}

// With the option Plain a lent slice stays lent.
//
// Requirement: D10
func TestLentSlicesOfAPlainFunc(t *testing.T) {
	tensor := must(selfsame.NewTensor([]int32{1}))(t)
	elements := must(selfsame.Elements[int32](tensor))(t)
	f := must(selfsame.NewFunc(func(values selfsame.LentSlice[int32]) bool { return &values[0] == &elements[0] }, selfsame.Plain()))(t)
	if lent, err := selfsame.CallAs[bool](f, tensor); err != nil || !lent {
		t.Errorf("%v, %v", lent, err)
	}
	f.Release()
	tensor.Release()
}
