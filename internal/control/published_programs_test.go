package control

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// C++ programs compiled with the published headers print the same with this library as with the published one.
// Requirements: A11, A12, A13
func TestProgramsPrintTheSameAsWithThePublishedLibrary(t *testing.T) {
	include, library := testenv.TvmFFI(t)
	if library == "" {
		t.Skip("the published library is not here: set TVM_FFI_LIBRARY")
	}
	dir := t.TempDir()
	testenv.OK(t, os.Symlink(testenv.Library(t), filepath.Join(dir, "libtvm_ffi.so")))
	sources, err := filepath.Glob("testdata/published_programs/*.cc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".cc")
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(dir, name)
			testenv.Run(t, "g++", "-std=c++17", "-O0", "-I", include, source, "-o", program, library)
			output := func(at string) []string {
				cmd := testenv.Program(t, program)
				cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+at)
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s with the library in %s: %v", name, at, err)
				}
				return strings.Split(string(out), "\n")
			}
			want, got := output(filepath.Dir(library)), output(dir)
			for i := range max(len(want), len(got)) {
				if i >= len(want) || i >= len(got) || want[i] != got[i] {
					t.Fatalf("line %d differs:\n published: %s\n      here: %s", i+1, line(want, i), line(got, i))
				}
			}
		})
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}
