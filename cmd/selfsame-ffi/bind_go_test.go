package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// foreign compiles the C++ library of testdata, linked to an empty libtvm_ffi.so, as a library of anybody is.
func foreign(t *testing.T, folder string) string {
	t.Helper()
	include, _ := testenv.TvmFFI(t)
	stub := t.TempDir()
	testenv.Run(t, "g++", "-shared", "-fPIC", "-x", "c++", "/dev/null", "-Wl,-soname,libtvm_ffi.so", "-o", filepath.Join(stub, "libtvm_ffi.so"))
	library := filepath.Join(folder, "libfig.so")
	testenv.Run(t, "g++", "-std=c++17", "-O0", "-shared", "-fPIC", "-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1", "-isystem", include,
		"-o", library, "testdata/foreign.cc", "-Wl,--no-as-needed", "-L"+stub, "-ltvm_ffi")
	return library
}

// A Go program uses a C++ library that knows nothing of this project, through the package that bind writes, without a file
// libtvm_ffi.so and without Python.
// Requirement: D14
func TestGoPackageOfAForeignLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C++ and a Go program")
	}
	source := testenv.Value(os.ReadFile("testdata/use_foreign.go.txt"))(t)
	dir := module(t, string(source))
	library := foreign(t, dir)
	testenv.Run(t, "cc", "-shared", "-fPIC", "-x", "c", writeText(t, "int TVMFFIOfTheFuture(void);int f(void){return TVMFFIOfTheFuture();}"),
		"-o", filepath.Join(dir, "lacking.so"))
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "text.so"), []byte("text"), 0o644))
	fig := filepath.Join(dir, "fig")
	if output, err := selfsame(t, "bind", "--go", library, "-o", fig); err != nil || !strings.Contains(output, "package fig, 3 classes, 14 functions") {
		t.Fatalf("%v\n%s", err, output)
	}
	inModule(t, dir, "go", "vet", "./...")
	if output := inModule(t, dir, "go", "run", "."); output != "done\n" {
		t.Errorf("the program printed %q", output)
	}

	// The same library in C++.
	include, _ := testenv.TvmFFI(t)
	header := filepath.Join(t.TempDir(), "fig.hpp")
	ran(t, "bind", "--cpp", library, "-o", header)
	testenv.Run(t, "g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-isystem", include, "-fsyntax-only", "-x", "c++",
		"-include", header, "/dev/null")

	// And in Python; a library that build made has its module already.
	module := filepath.Join(t.TempDir(), "fig.py")
	own := writeText(t, "int main() {}\n")
	if _, err := selfsame(t, "bind", "--cpp", library, "-o", own); err == nil || !strings.Contains(err.Error(), "was not written by selfsame-ffi bind") {
		t.Errorf("somebody's file was overwritten: %v", err)
	}
	ran(t, "bind", "--python", library, "-o", module)
	if text, err := os.ReadFile(module); err != nil || !strings.Contains(string(text), "_ffi.load_module(") || !strings.Contains(string(text), "def Circle_(") {
		t.Errorf("the Python module: error %v\n%s", err, text)
	}

	// A second run changes nothing; a change is shown first.
	if output, err := selfsame(t, "bind", "--go", library, "-o", fig, "--diff"); err != nil || output != "" {
		t.Errorf("the second run: error %v, differences %s", err, output)
	}
	overrides := writeText(t, `{"functions": {"fig.count": {"args": ["counts"], "result": "float"}, "fig.Figure.describe": {"args": ["type: int"]}}}`)
	output, err := selfsame(t, "bind", "--go", library, "-o", fig, "--overrides", overrides, "--diff")
	for _, line := range []string{
		"-func Count(map_ *selfsame.Map[string, int64]) (int64, error) {", "+func Count(counts *selfsame.Map[string, int64]) (float64, error) {",
		"+func (h *Figure) Describe(type_ int64) (string, error) {", " // Count calls the global function `fig.count`.",
	} {
		if err == nil && !strings.Contains(output, "\n"+line+"\n") {
			err = errors.New("it lacks " + line)
		}
	}
	if err != nil {
		t.Errorf("error %v, differences\n%s", err, output)
	}
	wrong := writeText(t, `{"functions": {"fig.gone": {}}}`)
	if _, err := selfsame(t, "bind", "--go", library, "-o", fig, "--overrides", wrong); err == nil || !strings.Contains(err.Error(), "the library has no fig.gone") {
		t.Errorf("overrides of another version: error %v", err)
	}
	for flag, file := range map[string]string{"--cpp": header, "--python": module} {
		if _, err := selfsame(t, "bind", flag, library, "-o", file); err != nil {
			t.Errorf("a second time: %v", err)
		}
	}
	testenv.OK(t, os.WriteFile(filepath.Join(fig, "doc.go"), []byte("package fig\n"), 0o644))
	if _, err := selfsame(t, "bind", "--go", library, "-o", fig); err == nil || !strings.Contains(err.Error(), "not a file that bind wrote") {
		t.Errorf("a folder with somebody's file: error %v", err)
	}
}

// writeText writes a file and returns its path.
func writeText(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// inModule runs a command in the folder of a Go module.
func inModule(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := testenv.Program(t, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// A library of kernels registers nothing, and a dot in a kernel's name makes no namespace: what is written has the name of the file.
func TestLibrariesOfKernelsHaveTheNameOfTheirFile(t *testing.T) {
	library := filepath.Join(t.TempDir(), "libfast-kernels.so")
	testenv.Run(t, "cc", "-shared", "-fPIC", "-x", "c", "-o", library, writeText(t, `
		int add(void *self, void *args, int count, void *result) __asm__("__tvm_ffi_nn.add");
		int add(void *self, void *args, int count, void *result) { return -1; }`))
	for flag, want := range map[string]string{
		"--cpp": "namespace fast_kernels {", "--rust": "pub fn nn_add(", "--python": "def nn_add(", "--go": "package out, 0 classes, 1 function\n",
	} {
		out := filepath.Join(t.TempDir(), "out")
		printed, err := selfsame(t, "bind", flag, library, "-o", out)
		if flag != "--go" && err == nil {
			var text []byte
			text, err = os.ReadFile(out)
			printed = string(text)
		}
		if err != nil || !strings.Contains(printed, want) {
			t.Errorf("%s: error %v, expected %q in\n%s", flag, err, want, printed)
		}
	}
	for flag, name := range map[string]string{"--cpp": "new", "--rust": "match", "--python": "1st"} {
		if _, err := selfsame(t, "bind", flag, library, "--name", name); err == nil || !strings.Contains(err.Error(), "cannot be the name") {
			t.Errorf("%s --name %s: error %v", flag, name, err)
		}
	}
}
