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
	const modules = "module example.org/x\n\ngo 1.24\n\nrequire (\n\texample.org/y v0.0.0\n\t" + FrontendPath + " v0.0.0\n)\n\n" +
		"replace (\n\texample.org/y => ./y\n\t" + FrontendPath + " => ./frontend\n)\n"
	write(t, filepath.Join(dir, "go.mod"), modules)
	write(t, filepath.Join(dir, "frontend", "go.mod"), "module "+FrontendPath+"\n")
	write(t, filepath.Join(dir, "frontend", "f.go"), "package selfsame\n")
	write(t, filepath.Join(dir, "x.go"), "package x\n\nimport (\n\t_ \"embed\"\n\t_ \"strings\"\n\n\t_ \"example.org/x/inner\"\n\t_ \""+FrontendPath+"\"\n\t_ \"example.org/y\"\n)\n\n//go:embed words.txt\nvar words string\n")
	write(t, filepath.Join(dir, "x_test.go"), "package x\n")
	write(t, filepath.Join(dir, "notes.md"), "")
	write(t, filepath.Join(dir, "words.txt"), "a")
	write(t, filepath.Join(dir, "inner", "inner.go"), "package inner\n")
	write(t, filepath.Join(dir, "other", "other.go"), "package other\n")
	write(t, filepath.Join(dir, "y", "go.mod"), "module example.org/y\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "y", "y.go"), "package y\n")
	w := Watch(t.Context(), []*Package{testenv.Value(Find(dir, nil))(t)})
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
	want := []string{"frontend/f.go", "frontend/go.mod", "go.mod", "inner/inner.go", "words.txt", "x.go", "y/go.mod", "y/y.go"}
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

// A build lists packages once: what a package needs is known without the go command.
func TestFindKnowsWhatAPackageNeeds(t *testing.T) {
	dir := t.TempDir()
	modules := "module example.org/x\n\ngo 1.24\n\nrequire " + FrontendPath + " v0.0.0\n\nreplace " + FrontendPath + " => ./frontend\n"
	write(t, filepath.Join(dir, "go.mod"), modules)
	write(t, filepath.Join(dir, "frontend", "go.mod"), "module "+FrontendPath+"\n")
	write(t, filepath.Join(dir, "frontend", "f.go"), "package selfsame\n")
	for _, name := range []string{"x", "inner/inner"} {
		text := "package " + filepath.Base(name) + "\n\nimport _ \"" + FrontendPath + "\"\n"
		if name == "x" {
			text += "import _ \"example.org/x/inner\"\nimport _ \"example.org/x/plain\"\n"
		}
		write(t, filepath.Join(dir, name+".go"), text)
	}
	write(t, filepath.Join(dir, "plain", "plain.go"), "package plain\n")
	p, err := Find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	var paths []string
	for _, other := range Registering(p) {
		paths = append(paths, other.ImportPath)
	}
	if want := []string{"example.org/x", "example.org/x/inner"}; !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
	src, err := parseSource(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if other := src.byPath("example.org/x/plain"); other == nil || other.pkg.Name != "plain" {
		t.Errorf("got %v", other)
	}
}
