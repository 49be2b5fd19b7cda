package kernels

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// compile makes a library of a C++ source with the published headers. It links no library: this program
// defines the symbols that it needs.
func compile(t *testing.T, source string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles C++")
	}
	include, _ := testenv.TvmFFI(t)
	library := filepath.Join(t.TempDir(), "lib.so")
	testenv.Run(t, "g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-Wall", "-I", include, "-o", library, source, "-ldl")
	return library
}

func tensor(t *testing.T, elems []float32, shape ...int) *selfsame.Tensor {
	t.Helper()
	x, err := selfsame.NewTensor(elems, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestKernels(t *testing.T) {
	library := compile(t, "src/kernels.cc")
	names, err := selfsame.LibraryFunctions(library)
	if err != nil || !slices.Equal(names, []string{"axpy", "map", "matmul", "same"}) {
		t.Errorf("functions: %v, %v", names, err)
	}
	k, err := Load(library)
	if err != nil {
		t.Fatal(err)
	}
	y := []float32{1, 2, 3}
	if err := k.Axpy(2, tensor(t, []float32{10, 20, 30}), tensor(t, y)); err != nil || !slices.Equal(y, []float32{21, 42, 63}) {
		t.Errorf("axpy: %v, %v", y, err)
	}
	c := make([]float32, 4)
	err = k.Matmul(tensor(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3), tensor(t, []float32{1, 0, 0, 1, 1, 1}, 3, 2), tensor(t, c, 2, 2))
	if err != nil || !slices.Equal(c, []float32{4, 5, 10, 11}) {
		t.Errorf("matmul: %v, %v", c, err)
	}
	if err := k.Map(func(x float64) float64 { return x*x + 1 }, tensor(t, y)); err != nil || !slices.Equal(y, []float32{442, 1765, 3970}) {
		t.Errorf("map: %v, %v", y, err)
	}
	t.Run("errors", func(t *testing.T) { refusals(t, k) })
	x := tensor(t, y)
	if same, err := k.Same(x); err != nil || same != x {
		t.Errorf("same gave another tensor: %v, %v", same, err)
	}
}

func refusals(t *testing.T, k *Kernels) {
	for want, err := range map[string]error{
		"TypeError: x must be of float32":    k.Axpy(1, doubles(t), doubles(t)),
		"ValueError: x has 1 elements, y 2":  k.Axpy(1, tensor(t, []float32{1}), tensor(t, []float32{1, 2})),
		"ValueError: the shapes of a, b and": k.Matmul(tensor(t, []float32{1}), tensor(t, []float32{1}), tensor(t, []float32{1})),
	} {
		var failure *selfsame.Error
		if !errors.As(err, &failure) || failure.Error()[:len(want)] != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := selfsame.LoadModule(filepath.Join(t.TempDir(), "missing.so")); err == nil {
		t.Error("a missing file was loaded")
	}
}

func doubles(t *testing.T) *selfsame.Tensor {
	t.Helper()
	x, err := selfsame.NewTensor([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestCUDA(t *testing.T) {
	cuda, err := LoadCUDA(compile(t, "src/cuda.cc"))
	if err != nil {
		t.Fatal(err)
	}
	devices, err := cuda.Devices()
	if err != nil {
		t.Fatal(err)
	}
	if devices == 0 {
		if _, err := cuda.ToDevice(tensor(t, []float32{1}), 0); err == nil {
			t.Error("a tensor was copied to a device that is not there")
		}
		t.Skip("there is no CUDA device here: the library loads, its kernel was not run")
	}
	n := 100_003
	a, b, out := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range a {
		a[i], b[i] = float32(i), float32(2*i)
	}
	x, err := cuda.ToDevice(tensor(t, a), 0)
	if err != nil {
		t.Fatal(err)
	}
	y, err := cuda.ToDevice(tensor(t, b), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := selfsame.Elements[float32](x); err == nil || x.Device().String() != "cuda:0" {
		t.Errorf("memory of %v passes for Go's", x)
	}
	if err := cuda.Axpy(0.5, x, y); err != nil {
		t.Fatal(err)
	}
	if err := cuda.ToHost(y, tensor(t, out)); err != nil {
		t.Fatal(err)
	}
	for i, v := range out {
		if v != 2.5*float32(i) {
			t.Fatalf("element %d is %v, want %v", i, v, 2.5*float32(i))
		}
	}
}
