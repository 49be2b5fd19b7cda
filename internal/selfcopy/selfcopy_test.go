package selfcopy

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

var flags = []string{"-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror"}

// build compiles the sources of this package and one of testdata into dir.
func build(t *testing.T, dir, name, source string, more ...string) {
	t.Helper()
	args := append(append([]string{}, flags...), more...)
	args = append(args, "-o", filepath.Join(dir, name), filepath.Join("testdata", source), "selfcopy_linux.c", "image_linux.c", "signals_linux.c")
	testenv.Run(t, "gcc", append(args, "-ldl", "-pthread")...)
}

// TestCopy loads copies of a small library: of a copy's copy's copy, from another folder, of a file that was replaced,
// where loading takes long or never ends, and where memory files or all files are forbidden.
// Requirement: C14
func TestCopy(t *testing.T) {
	for _, id := range []string{"sha1", "none"} {
		t.Run("build id "+id, func(t *testing.T) {
			made := t.TempDir()
			shared := []string{"-shared", "-fPIC", "-DSS_COPY_PATIENCE=1", "-Wl,--build-id=" + id}
			build(t, made, "copied.so", "copied.c", shared...)
			build(t, made, "other.so", "copied.c", append(shared, "-O2")...)
			build(t, made, "loader", "loader.c")
			for _, condition := range []string{"generations", "thread-local", "executable", "other-folder", "replaced", "removed",
				"installed-again", "slow", "locked", "no-memfd", "no-files"} {
				t.Run(condition, func(t *testing.T) { run(t, made, condition) })
			}
		})
	}
}

// run runs the loader in a folder with its own copies of the libraries, and a folder for temporary files that must be
// empty afterwards.
func run(t *testing.T, made, condition string) {
	dir, temporary := t.TempDir(), t.TempDir()
	for name, from := range map[string]string{"copied.so": "copied.so", "same.so": "copied.so", "other.so": "other.so"} {
		content := testenv.Value(os.ReadFile(filepath.Join(made, from)))(t)
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), content, 0o700))
	}
	cmd := testenv.Program(t, filepath.Join(made, "loader"), condition, "./copied.so")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 77 {
		t.Skipf("the system forbids seccomp filters: %s", out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
