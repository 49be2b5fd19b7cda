package selfsame

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// lentTensor makes a DLTensor of one dimension in memory that p pins, and returns it as the value of an argument.
func lentTensor[E TensorElement](p *runtime.Pinner, elements []E, change func(tensor *abi.DLTensor, shape, strides *int64)) abi.Any {
	sizes := []int64{int64(len(elements)), 1}
	tensor := &abi.DLTensor{
		Data: unsafe.Pointer(unsafe.SliceData(elements)), NDim: 1, DType: DataTypeOf[E](), Device: abi.Device{Type: abi.DeviceCPU},
		Shape: unsafe.Pointer(&sizes[0]), Strides: unsafe.Pointer(&sizes[1]),
	}
	if change != nil {
		change(tensor, &sizes[0], &sizes[1])
	}
	for _, memory := range []any{tensor, &sizes[0], unsafe.SliceData(elements)} {
		p.Pin(memory)
	}
	return abi.Any{TypeIndex: abi.IndexDLTensorPtr, Bits: uint64(uintptr(unsafe.Pointer(tensor)))}
}

// A lent DLTensor gives its elements to a slice, side by side or not, converted or not.
//
// Requirement: D10
func TestSlicesTakeLentTensors(t *testing.T) {
	var p runtime.Pinner
	defer p.Unpin()
	numbers := []float64{1, 2, 3, 4}
	for name, c := range map[string]struct {
		v    abi.Any
		want []float64
		lent bool
	}{
		"whole":      {lentTensor(&p, numbers, nil), numbers, true},
		"no strides": {lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Strides = nil }), numbers, true},
		"an offset": {lentTensor(&p, numbers, func(d *abi.DLTensor, n, _ *int64) { *n, d.ByteOffset = 2, 16 }),
			[]float64{3, 4}, true},
		"each second": {lentTensor(&p, numbers, func(_ *abi.DLTensor, n, step *int64) { *n, *step = 2, 2 }), []float64{1, 3}, false},
		"backwards": {lentTensor(&p, numbers, func(d *abi.DLTensor, _, step *int64) { d.ByteOffset, *step = 24, -1 }),
			[]float64{4, 3, 2, 1}, false},
		"one": {lentTensor(&p, numbers, func(_ *abi.DLTensor, n, step *int64) { *n, *step = 1, 77 }), []float64{1}, true},
		"none": {lentTensor(&p, numbers, func(d *abi.DLTensor, n, _ *int64) { *n, d.Data, d.ByteOffset = 0, nil, 8 }),
			[]float64{}, true},
		"float32":  {lentTensor(&p, []float32{1, 2}, nil), []float64{1, 2}, false},
		"int8":     {lentTensor(&p, []int8{-1, 2}, nil), []float64{-1, 2}, false},
		"unsigned": {lentTensor(&p, []uint64{1, math.MaxInt64}, nil), []float64{1, math.MaxInt64}, false},
	} {
		var copied []float64
		var lent LentSlice[float64]
		if err := convOf[[]float64](t).From(&c.v, unsafe.Pointer(&copied)); err != nil || !slices.Equal(copied, c.want) {
			t.Errorf("%s, copied: %v, %v", name, copied, err)
		}
		if err := convOf[LentSlice[float64]](t).From(&c.v, unsafe.Pointer(&lent)); err != nil || !slices.Equal(lent, c.want) {
			t.Errorf("%s, lent: %v, %v", name, lent, err)
		}
		first, n, ok := convert.AdjacentNumbers(&c.v, DataTypeOf[float64]())
		if ok != c.lent || ok && (unsafe.Pointer(unsafe.SliceData(lent)) != first || n != len(c.want)) {
			t.Errorf("%s: at %p, lent %v", name, first, ok)
		}
		if cap(lent) != len(lent) || cap(copied) != len(copied) {
			t.Errorf("%s: capacities %d and %d of %d", name, cap(lent), cap(copied), len(c.want))
		}
	}
}

// A tensor that no slice can be made of is refused, whatever its numbers say.
//
// Requirement: D10
func TestLentTensorsThatDoNotFitAreRefused(t *testing.T) {
	var p runtime.Pinner
	defer p.Unpin()
	numbers := []float64{1, 2}
	extent := func(n int64) abi.Any {
		return lentTensor(&p, numbers, func(_ *abi.DLTensor, shape, _ *int64) { *shape = n })
	}
	for _, c := range []struct {
		v    abi.Any
		want string
	}{
		{abi.Any{TypeIndex: abi.IndexDLTensorPtr}, "DLTensor*"},
		{extent(-1), "one dimension"},
		{extent(1<<61 + 1), "fits into memory"},
		{extent(math.MaxInt64), "fits into memory"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.NDim = 0 }), "one dimension"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.NDim = -1 }), "one dimension"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Shape = nil }), "one dimension"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Data = nil }), "with memory"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.Device.Type = 2 }), "the CPU can read"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.DType.Lanes = 2 }), "of numbers"},
		{lentTensor(&p, numbers, func(d *abi.DLTensor, _, _ *int64) { d.DType.Bits = 16 }), "of numbers"},
		{lentTensor(&p, []complex64{1}, nil), "of numbers"},
	} {
		var copied []float64
		var lent LentSlice[float64]
		for kind, err := range map[string]error{
			"copied": convOf[[]float64](t).From(&c.v, unsafe.Pointer(&copied)),
			"lent":   convOf[LentSlice[float64]](t).From(&c.v, unsafe.Pointer(&lent)),
		} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", kind, err, c.want)
			}
		}
		if copied != nil || lent != nil {
			t.Errorf("%q: stored %v, %v", c.want, copied, lent)
		}
	}
}

func convOf[T any](t *testing.T) *convert.Conv {
	t.Helper()
	c := testenv.Value(convert.For(reflect.TypeFor[T]()))(t)
	return c
}
