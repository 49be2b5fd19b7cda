package selfsame_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestModules(t *testing.T) {
	path := kindsLibrary(t)
	m := must(selfsame.LoadModule(path))(t) // loaded for the life of the process, so before the count
	balanced(t)
	names := must(selfsame.LibraryFunctions(path))(t)
	if !slices.IsSorted(names) || len(names) != 40 {
		t.Errorf("%d functions: %v", len(names), names)
	}
	for _, name := range names {
		if f := must(m.Func(name))(t); !m.Has(name) || f == nil {
			t.Errorf("%s is listed and missing", name)
		}
	}
	if m.Kind() != "library" || !m.Has("axpy") || m.Has("nothing") || m.Doc("axpy") != "" || m.Doc("adder") != "Gives a function that adds n." {
		t.Errorf("kind %q, axpy %v, nothing %v", m.Kind(), m.Has("axpy"), m.Has("nothing"))
	}
	if text := m.Metadata("axpy"); !strings.Contains(text, "type_schema") || !strings.Contains(text, "ffi.Function") {
		t.Errorf("metadata of axpy: %q", text)
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
	wantError(t, err, "ValueError", "Module.Func: module `library` has no function `nothing`")
	wantError(t, m.Import(m), "RuntimeError", "Cyclic")
	adder := must(m.Func("adder"))(t)
	add := must(selfsame.CallAs[*selfsame.Function](adder, 5))(t)
	adder.Release()
	m.Release()
	selfsame.Collect()
	if got := must(add.Call(2))(t); got != int64(7) {
		t.Errorf("a function of the module's code gives %v when nobody holds the module", got)
	}
	wantPanic(t, "RuntimeError", "Module: used after Release", func() { m.Kind() })
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

// A library whose functions need one that nobody has is refused when it is loaded: a call would end the process.
// Requirement: D14
func TestModulesThatLackFunctionsAreRefused(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write := func(name, text string) {
		testenv.OK(t, os.WriteFile(name, []byte(text), 0o644))
	}
	write("lacking.c", "int nobody_has(void); int weak(void) __attribute__((weak)); int strlen();\n"+
		"int f(void) { return nobody_has() + (weak ? weak() : 0) + strlen(\"\"); }")
	testenv.Run(t, "cc", "-shared", "-fPIC", "lacking.c", "-o", "lacking.so")
	_, err := selfsame.LoadModule("lacking.so")
	wantError(t, err, "RuntimeError", "LoadModule: lacking.so: it needs nobody_has, which no library in the process has")
	write("whole.c", "int strlen(); int f(void) { return strlen(\"\"); }")
	testenv.Run(t, "cc", "-shared", "-fPIC", "whole.c", "-o", "whole.so")
	must(selfsame.LoadModule("whole.so"))(t)
	must(selfsame.LoadModule("./whole.so"))(t)
	for _, name := range []string{"libversioned.so.1.2", "plugin"} {
		testenv.Run(t, "cc", "-shared", "-fPIC", "whole.c", "-o", name)
		must(selfsame.LoadModule(name))(t)
	}
	_, err = selfsame.LoadModule("")
	wantError(t, err, "ValueError", "LoadModule: expected the path of a library, got an empty text")
	if _, err = selfsame.LoadModule("gone.so"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "LoadModule: gone.so: file does not exist in "+folder) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err = selfsame.LoadModule("lacking.c"); err == nil || !strings.Contains(err.Error(), "LoadModule: lacking.c: its name is not that of a shared library (.so)") {
		t.Errorf("a file of another format: %v", err)
	}
}
