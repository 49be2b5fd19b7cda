package container_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// TestAgainstHeaderCode lets C++ code from the published headers and the runtime change the same containers in one
// process, at random and in turn, under the address sanitizer.
// Requirement: A7
func TestAgainstHeaderCode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C++")
	}
	include, published := testenv.TvmFFI(t)
	library := testenv.Library(t)
	sources, err := filepath.Glob(filepath.Join("testdata", "cross", "*.cc"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	program := filepath.Join(t.TempDir(), "cross")
	args := []string{"-std=c++17", "-O0", "-g", "-Wall", "-fsanitize=address", "-I", include, "-o", program}
	args = append(args, sources...)
	testenv.Run(t, "g++", append(args, library)...)
	run := func(library, arg string) string {
		t.Helper()
		dir := t.TempDir()
		testenv.OK(t, os.Symlink(library, filepath.Join(dir, "libtvm_ffi.so")))
		cmd := testenv.Program(t, program, arg)
		// C++'s List puts memory from operator new under a deleter that calls free: the ABI has it so. Objects that Go holds
		// on to look like a leak; the program compares the counts of live objects itself.
		cmd.Env = append(cmd.Environ(), "ASAN_OPTIONS=alloc_dealloc_mismatch=0:detect_leaks=0:allocator_may_return_null=1", "LD_LIBRARY_PATH="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", arg, err, out)
		}
		return string(out)
	}
	rounds := os.Getenv("SELFSAME_CONTAINER_ROUNDS")
	if rounds == "" {
		rounds = "500"
	}
	run(library, rounds)
	if published != "" {
		run(published, "messages") // what the tests expect is what upstream says
		compareLines(t, run(library, "report"), run(published, "report"))
	}
}

// TestAgainstOlderHeaders does so with the headers of older versions: TVM_FFI_OLDER_INCLUDES names their directories,
// separated by colons.
// Requirements: A7, C6
func TestAgainstOlderHeaders(t *testing.T) {
	directories := filepath.SplitList(os.Getenv("TVM_FFI_OLDER_INCLUDES"))
	if len(directories) == 0 {
		t.Skip("no headers of older versions: set TVM_FFI_OLDER_INCLUDES")
	}
	library := testenv.Library(t)
	for _, include := range directories {
		program := filepath.Join(t.TempDir(), "older")
		testenv.Run(t, "g++", "-std=c++17", "-O0", "-g", "-fsanitize=address", "-I", include, "-o", program,
			filepath.Join("testdata", "older", "maps.cc"), library, "-Wl,-rpath,"+filepath.Dir(library))
		cmd := testenv.Program(t, program)
		cmd.Env = append(cmd.Environ(), "ASAN_OPTIONS=detect_leaks=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", include, err, out)
		}
	}
}

// compareLines fails the test with the lines in which two reports differ.
func compareLines(t *testing.T, got, want string) {
	t.Helper()
	ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(ours) < 1000 {
		t.Errorf("the report has only %d lines", len(ours))
	}
	for i := 0; i < max(len(ours), len(theirs)); i++ {
		if i >= len(ours) || i >= len(theirs) || ours[i] != theirs[i] {
			t.Errorf("line %d:\n %s\nwant\n %s", i, strings.Join(ours[min(i, len(ours)):min(i+1, len(ours))], ""),
				strings.Join(theirs[min(i, len(theirs)):min(i+1, len(theirs))], ""))
		}
	}
}
