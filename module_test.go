package selfsame_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestModules(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C++")
	}
	include, _ := testenv.TvmFFI(t)
	path := filepath.Join(t.TempDir(), "kernels.so")
	testenv.Run(t, "g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-I", include, "-o", path, "examples/kernels/src/kernels.cc")
	m := must(selfsame.LoadModule(path))(t) // for good, so before the count
	balanced(t)
	if names := must(selfsame.LibraryFunctions(path))(t); !slices.Equal(names, []string{"axpy", "map", "matmul", "same"}) {
		t.Errorf("functions: %v", names)
	}
	if m.Kind() != "library" || !m.Has("axpy") || m.Has("nothing") || m.Doc("axpy") != "" {
		t.Errorf("kind %q, axpy %v, nothing %v", m.Kind(), m.Has("axpy"), m.Has("nothing"))
	}
	axpy := must(m.Func("axpy"))(t)
	echo := must(selfsame.NewFunc(func(m *selfsame.Module) *selfsame.Module { return m }))(t)
	if got := must(selfsame.CallAs[*selfsame.Module](echo, m))(t); got != m {
		t.Error("a module came back as another handle")
	}
	if got := must(echo.Call(m))(t); got != any(m) {
		t.Errorf("as any: %v", got)
	}
	_, err := m.Func("nothing")
	wantError(t, err, "ValueError", "Module `library` has no function `nothing`")
	wantError(t, m.Import(m), "RuntimeError", "Cyclic")
	m.Release()
	wantPanic(t, "RuntimeError", "a Module was used after Release", func() { m.Kind() })
	y := []float32{1}
	must(axpy.Call(3, must(selfsame.NewTensor([]float32{2}))(t), must(selfsame.NewTensor(y))(t)))(t)
	if y[0] != 7 {
		t.Errorf("after the module's release axpy gives %v", y[0])
	}
	if _, err := selfsame.LoadModule(filepath.Join(t.TempDir(), "missing.so")); err == nil {
		t.Error("a missing file was loaded")
	}
	if _, err := selfsame.LibraryFunctions(os.Args[0] + ".missing"); err == nil {
		t.Error("a missing file has functions")
	}
}
