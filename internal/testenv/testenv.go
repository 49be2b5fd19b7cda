// Package testenv finds what tests of the C ABI need beside Go: compilers, the headers and the library of the
// published tvm-ffi package, and libselfsame.so.
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

// Root is the module's directory.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// Run runs a command and fails the test with its output when it fails.
func Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := Program(t, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Try runs a command; the error carries its output.
func Try(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// TvmFFI gives the headers' directory of the published tvm-ffi package, and its library ("" when only the headers are
// there). Both come from the environment (TVM_FFI_INCLUDE, TVM_FFI_LIBRARY) or from the environment `make python`
// builds. The test is skipped when there are no headers.
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

// Library gives the path of libselfsame.so: SELFSAME_LIBRARY, or one built for this test run.
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

// Remove deletes what Library built. For TestMain.
func Remove() {
	if built != "" {
		_ = os.RemoveAll(filepath.Dir(built))
	}
}

// BuildLibrary builds libselfsame.so at path, as the Makefile does.
func BuildLibrary(path string) error {
	if out, err := exec.Command(filepath.Join(Root(), "scripts", "library.sh"), path).CombinedOutput(); err != nil {
		return fmt.Errorf("building libselfsame.so: %w\n%s", err, out)
	}
	return nil
}
