package plane

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The data plane is tested in C, without Go: each program in testdata is built with the plane's sources, once under the
// address and undefined-behaviour sanitizers and once under the thread sanitizer, and reports failed checks.
func TestPlaneUnderSanitizers(t *testing.T) {
	for _, sanitizer := range []string{"address,undefined", "thread"} {
		t.Run(sanitizer, func(t *testing.T) {
			t.Parallel()
			testPlane(t, sanitizer)
		})
	}
}

func testPlane(t *testing.T, sanitizer string) {
	objects := compilePlane(t, sanitizer)
	programs, err := filepath.Glob(filepath.Join("testdata", "*_test.c"))
	if err != nil || len(programs) == 0 {
		t.Fatalf("no test programs: %v", err)
	}
	for _, source := range programs {
		name := strings.TrimSuffix(filepath.Base(source), "_test.c")
		t.Run(name, func(t *testing.T) { testProgram(t, sanitizer, name, source, objects) })
	}
}

func testProgram(t *testing.T, sanitizer, name, source string, objects []string) {
	program := filepath.Join(t.TempDir(), name)
	args := append(flags(sanitizer), "-o", program, source)
	if name == "memory" || name == "hooked_keys" { // they decide which of the plane's allocations fail
		args = append(args, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign")
	}
	testenv.Run(t, "gcc", append(args, objects...)...)
	cmd := testenv.Program(t, program)
	// The leak check reports unreachable memory only; retired tables stay reachable.
	cmd.Env = append(cmd.Environ(), "ASAN_OPTIONS=allocator_may_return_null=1", "TSAN_OPTIONS=halt_on_error=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func flags(sanitizer string) []string {
	return append([]string{
		"-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-rdynamic", "-fsanitize=" + sanitizer,
		"-fno-sanitize-recover=all",
	}, testenv.PlaneIncludes()...)
}

func compilePlane(t *testing.T, sanitizer string) []string {
	t.Helper()
	sources := testenv.PlaneSources(t)
	dir := t.TempDir()
	objects := make([]string, len(sources))
	for i, source := range sources {
		objects[i] = filepath.Join(dir, filepath.Base(source)+".o")
		testenv.Run(t, "gcc", append(flags(sanitizer), "-c", "-o", objects[i], source)...)
	}
	return objects
}
