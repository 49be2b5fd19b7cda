package python_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// py is the Python of all tests of this process.
var py *python.Interpreter

// The tests run with the Python that SELFSAME_HOST_PYTHON names, else with that of the virtual environment that `make python`
// makes. Without one they are skipped.
func TestMain(m *testing.M) {
	program := os.Getenv("SELFSAME_HOST_PYTHON")
	if program == "" {
		program = filepath.Join(testenv.Root(), "build", "venv", "bin", "python")
		if _, err := os.Stat(program); err != nil {
			fmt.Println("skipped: no build/venv; run `make python`, or set SELFSAME_HOST_PYTHON")
			return
		}
	}
	if name := os.Getenv("SELFSAME_HOST_CASE"); name != "" { // a process of its own, which a test started
		cases[name](program)
		return
	}
	var err error
	if py, err = python.Start(python.Executable(program), python.Args("prog", "-x")); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	if err := py.Close(); err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// must returns value, and fails the test for an error.
func must[T any](t testing.TB) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%+v", err)
		}
		return value
	}
}
