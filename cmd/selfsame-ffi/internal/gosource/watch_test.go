package gosource

// Requirement: G1

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestWatchSeesWhatAnExtensionIsBuiltFrom(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.org/x\n\ngo 1.24\n\nrequire example.org/y v0.0.0\n\nreplace example.org/y => ./y\n")
	write(t, filepath.Join(dir, "x.go"), "package x\n\nimport (\n\t_ \"embed\"\n\t_ \"strings\"\n\n\t_ \"example.org/x/inner\"\n\t_ \"example.org/y\"\n)\n\n//go:embed words.txt\nvar words string\n")
	write(t, filepath.Join(dir, "x_test.go"), "package x\n")
	write(t, filepath.Join(dir, "notes.md"), "")
	write(t, filepath.Join(dir, "words.txt"), "a")
	write(t, filepath.Join(dir, "inner", "inner.go"), "package inner\n")
	write(t, filepath.Join(dir, "other", "other.go"), "package other\n")
	write(t, filepath.Join(dir, "y", "go.mod"), "module example.org/y\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "y", "y.go"), "package y\n")
	w := testenv.Value(Watch(t.Context(), []*Package{{Dir: dir, ImportPath: "example.org/x"}}, nil))(t)
	seen := func() map[string][2]int64 {
		t.Helper()
		state := testenv.Value(w.State())(t)
		relative := map[string][2]int64{}
		for path, what := range state {
			name := testenv.Value(filepath.Rel(dir, path))(t)
			relative[name] = what
		}
		return relative
	}
	before := seen()
	want := []string{"go.mod", "inner/inner.go", "words.txt", "x.go", "y/go.mod", "y/y.go"}
	if got := slices.Sorted(maps.Keys(before)); !slices.Equal(got, want) {
		t.Errorf("it watches %q, want %q", got, want)
	}
	write(t, filepath.Join(dir, "x_test.go"), "package x // changed\n")
	if !maps.Equal(before, seen()) {
		t.Error("a test counts as a source")
	}
	write(t, filepath.Join(dir, "words.txt"), "ab")
	changed := seen()
	if maps.Equal(before, changed) {
		t.Error("a changed embedded file is not seen")
	}
	write(t, filepath.Join(dir, "inner", "more.go"), "package inner\n")
	if maps.Equal(changed, seen()) {
		t.Error("a new file is not seen")
	}
	testenv.OK(t, os.Remove(filepath.Join(dir, "inner", "more.go")))
	if !maps.Equal(changed, seen()) {
		t.Error("the removed file is still seen")
	}
}
