package tie_test

import (
	"os"
	"path/filepath"
	"testing"

	_ "github.com/selfsame-ffi/selfsame/internal/control" // the C functions that joining the table calls

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

var sanitizers = map[string][]string{
	"plain":     {"-O2"},
	"thread":    {"-O1", "-fsanitize=thread"},
	"address":   {"-O1", "-fsanitize=address"},
	"undefined": {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"},
}

// build compiles a harness and returns the path of the program.
func build(t *testing.T, flags []string, sources ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "race")
	args := append([]string{"-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-I../../abi/include", "-I."}, flags...)
	args = append(args, sources...)
	if out, err := testenv.Program(t, "gcc", append(args, "-o", binary, "-pthread")...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %v: %v\n%s", args, err, out)
	}
	return binary
}

// readAll opens files that only the C compiler reads, so that go test knows a cached result to be stale when one changes.
func readAll(t *testing.T, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(names))
		}
		for _, name := range names {
			testenv.Value(os.ReadFile(name))(t)
		}
	}
}

func run(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := testenv.Program(t, program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestSanitizers runs the record code from many threads, compiled with each sanitizer. The harness counts what it made
// and fails when an object, a block or a record is left over.
// Requirement: C12
func TestSanitizers(t *testing.T) {
	readAll(t, "testdata/*")
	for name, flags := range sanitizers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, build(t, flags, "testdata/tie_race.c", "tie.c", "registration_lock.c", "spare_records.c"))
		})
	}
}

// TestRegistrationLock runs the lock of registrations on threads and in a forked child, with each sanitizer.
func TestRegistrationLock(t *testing.T) {
	readAll(t, "testdata/*")
	for name, flags := range sanitizers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, build(t, flags, "testdata/registration_lock.c", "registration_lock.c"))
		})
	}
}

// TestWordSanitizers runs the transitions of the wrapper word, the very code of the Python core, from many threads
// against a stand-in for the interpreter: with a lock, as most have, and without one. SELFSAME_RACE_ROUNDS (default 40, in
// make tsan 2000) is how long: ten rounds take some 50 ms without a sanitizer.
// Requirement: C12
func TestWordSanitizers(t *testing.T) {
	const core = "../../python/src/selfsame_ffi/_core/"
	rounds := os.Getenv("SELFSAME_RACE_ROUNDS")
	if rounds == "" {
		rounds = "40"
	}
	readAll(t, core+"tie/*.[ch]", "testdata/*")
	for _, free := range []string{"0", "1"} {
		for name, flags := range sanitizers {
			t.Run(map[string]string{"0": "lock", "1": "free"}[free]+"/"+name, func(t *testing.T) {
				t.Parallel()
				flags := append([]string{"-DSS_FREE_THREADED=" + free, `-DSS_STAND_IN="stand_in.h"`, "-Itestdata", "-I" + core}, flags...)
				run(t, build(t, flags, "testdata/word_race.c", "tie.c", "registration_lock.c", "spare_records.c", core+"tie/word_lock.c", core+"tie/counters.c"), rounds)
			})
		}
	}
}
