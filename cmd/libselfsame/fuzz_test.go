package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Runs the inputs that libFuzzer kept through its harnesses (conformance/fuzz), without libFuzzer: the data plane alone
// under the sanitizers, and the packed-call entry of the whole library.
func TestFuzzCorpora(t *testing.T) {
	t.Run("dtype", func(t *testing.T) {
		args := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
		args = append(append(args, testenv.PlaneIncludes()...), testenv.PlaneSources(t)...)
		replay(t, "dtype", args...)
	})
	t.Run("packed", func(t *testing.T) {
		library := testenv.Library(t)
		replay(t, "packed", library, "-Wl,-rpath,"+filepath.Dir(library))
	})
}

func replay(t *testing.T, harness string, args ...string) {
	t.Helper()
	folder, dir := filepath.Join(testenv.Root(), "conformance", "fuzz"), t.TempDir()
	program := filepath.Join(dir, harness)
	testenv.Run(t, "gcc", append([]string{
		"-std=c11", "-D_GNU_SOURCE", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", filepath.Join(testenv.Root(), "abi", "include"),
		"-o", program, filepath.Join(folder, harness+".c"), filepath.Join(folder, "replay.c"),
	}, args...)...)
	var files []string
	for i, input := range testenv.Corpus(t, filepath.Join(folder, harness+".corpus")) {
		file := filepath.Join(dir, fmt.Sprintf("input%d", i))
		testenv.OK(t, os.WriteFile(file, input, 0o600))
		files = append(files, file)
	}
	if out, err := testenv.Program(t, program, files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, tail(out, 2000))
	}
}

func tail(out []byte, n int) []byte { return out[max(0, len(out)-n):] }
