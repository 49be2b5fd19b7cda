//go:build !selfsame_shared

package selfsame_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The whole suite again, linked without a runtime: on libselfsame.so and on a stock libtvm_ffi.so, found through the
// variables that `make test` sets, and in a process that has neither.
func TestD7OnSharedRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a second test program")
	}
	program := filepath.Join(t.TempDir(), "selfsame.test")
	build := exec.Command("go", "test", "-c", "-tags", "selfsame_shared", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, variable := range []string{"SELFSAME_LIBRARY", "TVM_FFI_LIBRARY"} {
		t.Run(variable, func(t *testing.T) {
			library := os.Getenv(variable)
			if library == "" {
				t.Skipf("%s is not set: `make test` sets it", variable)
			}
			suite := exec.Command(program)
			suite.Env = append(os.Environ(), "LD_PRELOAD="+library)
			if out, err := suite.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		suite := exec.Command(program, "-test.run=^TestWithoutRuntime$", "-test.v")
		suite.Env = append(os.Environ(), "SELFSAME_TEST_WITHOUT_RUNTIME=1")
		out, err := suite.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestWithoutRuntime") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
