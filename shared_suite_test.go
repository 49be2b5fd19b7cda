//go:build !selfsame_shared

package selfsame_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The whole suite again, linked without a runtime: on libselfsame.so and on a stock libtvm_ffi.so, found through the
// variables that `make test` sets, and in a process that has neither. The stock runtime counts no live objects, so
// `make test-go-modes` also runs the suite there with the tag debug, which counts the objects that Go has made.
//
// Requirement: D7
func TestSuitePassesOnSharedRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds other test programs")
	}
	program := suiteProgram(t, "selfsame_shared")
	for _, variable := range []string{"SELFSAME_LIBRARY", "TVM_FFI_LIBRARY"} {
		t.Run(variable, func(t *testing.T) { runSuite(t, program, variable) })
	}
	t.Run("debug", func(t *testing.T) {
		if os.Getenv("SELFSAME_DEBUG_SUITE") == "" {
			t.Skip("`make test-go-modes` runs it")
		}
		runSuite(t, suiteProgram(t, "selfsame_shared,debug"), "TVM_FFI_LIBRARY")
	})
	t.Run("none", func(t *testing.T) {
		suite := testenv.Program(t, program, "-test.run=^TestWithoutRuntime$", "-test.v")
		suite.Env = append(os.Environ(), "SELFSAME_TEST_WITHOUT_RUNTIME=1")
		out, err := suite.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestWithoutRuntime") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// suiteProgram builds this package's tests with some build tags.
func suiteProgram(t *testing.T, tags string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), strings.ReplaceAll(tags, ",", "-")+".test")
	testenv.Run(t, "go", "test", "-c", "-tags", tags, "-o", program, ".")
	return program
}

// runSuite runs a test program on the runtime whose library a variable names. A test that is left out for another reason
// than a stated one is a failure.
func runSuite(t *testing.T, program, variable string) {
	t.Helper()
	library := os.Getenv(variable)
	if library == "" {
		t.Skipf("%s is not set: `make test` sets it", variable)
	}
	suite := testenv.Program(t, program, "-test.v")
	suite.Env = append(os.Environ(), "LD_PRELOAD="+library, "SELFSAME_KINDS_LIBRARY="+kindsLibrary(t))
	out, err := suite.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, withoutPassed(string(out)))
	}
	for line := range strings.Lines(string(out)) {
		// TestWithoutRuntime needs a process that has no runtime.
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- SKIP: "); ok && !strings.HasPrefix(name, "TestWithoutRuntime ") {
			t.Errorf("left out: %s", name)
		}
	}
}

// withoutPassed returns what a verbose test program has printed, without what it printed during tests that have passed:
// there are hundreds of them.
func withoutPassed(out string) string {
	var kept, test strings.Builder
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "=== RUN   ") && !strings.Contains(line, "/") {
			kept.WriteString(test.String())
			test.Reset()
		}
		test.WriteString(line)
		if strings.HasPrefix(line, "--- PASS: ") {
			test.Reset()
		}
	}
	return kept.String() + test.String()
}
