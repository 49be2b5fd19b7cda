// Package testenv finds the files and programs that tests of the C ABI need: compilers, the headers and the library of
// the published tvm-ffi package, and libselfsame.so. It fails tests where a result is an error.
package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Root returns the root folder of the repository.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// Run runs a command and returns its output. If the command fails, so does the test, with the output.
func Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := Program(t, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Try runs a command. Its error includes the output.
func Try(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// TvmFFI returns the folder of the headers of the published tvm-ffi package, and the path of its library, "" if there
// are headers only. Both come from the variables TVM_FFI_INCLUDE and TVM_FFI_LIBRARY, or from the virtual environment
// that `make python` makes. Without headers it skips the test.
func TvmFFI(t testing.TB) (include, library string) {
	t.Helper()
	include, library = os.Getenv("TVM_FFI_INCLUDE"), os.Getenv("TVM_FFI_LIBRARY")
	if include == "" {
		for _, package_ := range packages() {
			if _, err := os.Stat(filepath.Join(package_, "include", "tvm", "ffi", "c_api.h")); err == nil {
				include = filepath.Join(package_, "include")
				library = filepath.Join(package_, "lib", "libtvm_ffi.so")
			}
		}
	}
	if include == "" {
		t.Skip("the headers of the published apache-tvm-ffi package are not here: set TVM_FFI_INCLUDE, or run `make python`")
	}
	if _, err := os.Stat(library); err != nil {
		library = ""
	}
	return include, library
}

func packages() []string {
	found, _ := filepath.Glob(filepath.Join(Root(), "build", "venv", "lib", "python3*", "site-packages", "tvm_ffi"))
	return found
}

var build sync.Once
var built string
var buildErr error

// Library returns the path of libselfsame.so: the variable SELFSAME_LIBRARY, or a library that it builds once per test
// binary, which Remove deletes.
func Library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("SELFSAME_LIBRARY"); path != "" {
		return path
	}
	build.Do(func() {
		var dir string
		if dir, buildErr = os.MkdirTemp("", "selfsame-test-"); buildErr != nil {
			return
		}
		built = filepath.Join(dir, "libselfsame.so")
		buildErr = BuildLibrary(built)
	})
	if buildErr != nil {
		t.Fatal(buildErr)
	}
	return built
}

// Main does TestMain's work for tests that use Library: it deletes what that built.
func Main(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// BuildLibrary builds libselfsame.so at path, as the Makefile does.
func BuildLibrary(path string) error {
	if out, err := exec.Command(filepath.Join(Root(), "scripts", "library.sh"), path).CombinedOutput(); err != nil {
		return fmt.Errorf("building libselfsame.so: %w\n%s", err, out)
	}
	return nil
}
