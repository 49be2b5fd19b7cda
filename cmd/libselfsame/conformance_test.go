package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testenv.Remove()
	os.Exit(code)
}

// Rows A2 to A7 and E1: a C++ program of the published headers behaves the same on this library and on the stock one.
func TestConformance(t *testing.T) {
	include, stock := testenv.TvmFFI(t)
	object := filepath.Join(t.TempDir(), "conformance.o")
	testenv.Run(t, "g++", "-std=c++17", "-O1", "-Wall", "-I", include, "-c", "-o", object,
		filepath.Join("testdata", "conformance.cc"))
	t.Run("selfsame", func(t *testing.T) { runConformance(t, object, testenv.Library(t)) })
	t.Run("stock", func(t *testing.T) {
		if stock == "" {
			t.Skip("the published library is not here: set TVM_FFI_LIBRARY")
		}
		runConformance(t, object, stock)
	})
}

func runConformance(t *testing.T, object, library string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "conformance")
	testenv.Run(t, "g++", "-o", program, object, library, "-pthread", "-Wl,-rpath,"+filepath.Dir(library))
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
