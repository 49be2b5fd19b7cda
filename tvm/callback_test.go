package tvm_test

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// scale multiplies: an object of Go that a compiled program makes and passes on.
type scale struct {
	selfsame.Object
	Factor float32
}

// Apply returns a tensor of x's elements times the factor.
func (s *scale) Apply(x *selfsame.Tensor) (*selfsame.Tensor, error) {
	numbers, err := selfsame.Elements[float32](x)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		out[i] = n * s.Factor
	}
	return selfsame.NewTensor(out, x.Shape()...)
}

var registerScale = sync.OnceFunc(func() {
	scales := selfsame.MustRegister[scale]("classify.Scale", selfsame.Method("apply", (*scale).Apply, ""))
	selfsame.MustRegisterFunc("classify.scale", func(x *selfsame.Tensor) (*selfsame.Handle[scale], error) {
		numbers, err := selfsame.Elements[float32](x)
		if err != nil {
			return nil, err
		}
		if numbers[0] == 0 {
			return nil, selfsame.Errorf("ValueError", "the first number is 0")
		}
		return scales.New(func(s *scale) { s.Factor = 1 / numbers[0] }), nil
	})
	selfsame.MustRegisterFunc("classify.scaled", (*scale).Apply)
})

// A compiled program calls a Go func.
func TestFuncsOfGoInAProgram(t *testing.T) {
	executable(t) // loads the runtime
	e, err := tvm.LoadExecutable(filepath.Join(modelFolder, "inverting.so"))
	e = must(t, e, err)
	registerScale()
	_, err = e.NewVM(tvm.Config{})
	wantError(t, err, "classify.inverted")
	selfsame.MustRegisterFunc("classify.inverted", func(x *selfsame.Tensor) (*selfsame.Tensor, error) {
		numbers, err := selfsame.Elements[float32](x)
		if err != nil {
			return nil, err
		}
		out := make([]float32, len(numbers))
		for i, n := range numbers {
			out[i] = 1 - n
		}
		return selfsame.NewTensor(out, x.Shape()...)
	})
	vm, err := e.NewVM(tvm.Config{})
	vm = must(t, vm, err)
	defer vm.Release()
	x, err := selfsame.NewTensor([]float32{0, 0.25, 3, -1})
	x = must(t, x, err)
	if got := elements(t, call[*selfsame.Tensor](t, vm, "main", x)); !slices.Equal(got, []float32{1, 0.75, 0, 2}) {
		t.Errorf("got %v", got)
	}

	// The program keeps an object of a Go class between two calls. An error of Go ends the program's function.
	x, err = selfsame.NewTensor([]float32{4, 1, -2, 8})
	x = must(t, x, err)
	if got := elements(t, call[*selfsame.Tensor](t, vm, "scaled", x)); !slices.Equal(got, []float32{1, 0.25, 0, 2}) {
		t.Errorf("scaled: got %v", got)
	}
	scaled, err := vm.Func("scaled")
	x, zero := selfsame.NewTensor(make([]float32, 4))
	_, err = must(t, scaled, err).Call(must(t, x, zero))
	wantError(t, err, "ValueError", "the first number is 0")
}
