package main

import (
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// A C++ program of the published headers behaves the same on this library and on the stock one.
// Requirements: A2, A3, A4, A5, A6, A7, E1
func TestConformance(t *testing.T) {
	include, stock := testenv.TvmFFI(t)
	sources, err := filepath.Glob(filepath.Join("testdata", "conformance", "*.cc"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	dir := t.TempDir()
	objects := make([]string, len(sources))
	for i, source := range sources {
		objects[i] = filepath.Join(dir, filepath.Base(source)+".o")
		testenv.Run(t, "g++", "-std=c++17", "-O0", "-Wall", "-I", include, "-c", "-o", objects[i], source)
	}
	t.Run("selfsame", func(t *testing.T) { runConformance(t, objects, testenv.Library(t)) })
	t.Run("stock", func(t *testing.T) {
		if stock == "" {
			t.Skip("the published library is not here: set TVM_FFI_LIBRARY")
		}
		runConformance(t, objects, stock)
	})
}

func runConformance(t *testing.T, objects []string, library string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "conformance")
	args := append([]string{"-o", program}, objects...)
	testenv.Run(t, "g++", append(args, library, "-pthread", "-Wl,-rpath,"+filepath.Dir(library))...)
	if out, err := testenv.Program(t, program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
