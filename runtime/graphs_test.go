package runtime

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// C++ programs over classes that were defined with the ABI's headers print the same on this library as on the one that
// the headers come with.
func TestGraphsAgainstPublished(t *testing.T) {
	include, library := os.Getenv("TVM_FFI_INCLUDE"), os.Getenv("TVM_FFI_LIBRARY")
	if include == "" || library == "" {
		t.Skip("TVM_FFI_INCLUDE and TVM_FFI_LIBRARY name the published headers and library; they are not set")
	}
	if info, err := os.Stat(library); err == nil && info.IsDir() {
		library = filepath.Join(library, "libtvm_ffi.so")
	}
	dir := t.TempDir()
	ours := filepath.Join(dir, "libtvm_ffi.so")
	run(t, "go", "build", "-buildmode=c-shared", "-o", ours, "../cmd/libselfsame")
	sources, err := filepath.Glob("testdata/graphs/*.cc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".cc")
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(dir, name)
			run(t, "c++", "-std=c++17", "-O1", "-I", include, source, "-o", program, library)
			output := func(at string) []string {
				cmd := exec.Command(program)
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

func run(t *testing.T, command string, args ...string) {
	t.Helper()
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", command, strings.Join(args, " "), err, out)
	}
}
