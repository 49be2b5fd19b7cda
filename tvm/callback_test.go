package tvm_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// A compiled program calls a Go func.
func TestFuncsOfGoInAProgram(t *testing.T) {
	executable(t) // loads the runtime
	e, err := tvm.LoadExecutable(filepath.Join(modelFolder, "inverting.so"))
	e = must(t, e, err)
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
}
