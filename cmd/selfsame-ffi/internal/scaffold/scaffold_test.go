package scaffold

// Requirement: G1

import (
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWriteMakesAProject(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	if err := Write(dir, Project{Name: "shop", Module: "example.org/shop", Release: "0.1.0", Replace: "/src/selfsame"}); err != nil {
		t.Fatal(err)
	}
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "<<") || strings.Contains(string(text), ">>\n") {
			t.Errorf("%s has a mark that was not filled in:\n%s", name, text)
		}
		if filepath.Ext(name) == ".go" {
			formatted, err := format.Source(text)
			if err != nil || string(formatted) != string(text) {
				t.Errorf("%s is not as gofmt writes it, error %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".github/workflows/test.yml", ".gitignore", "README.md", "VERSION", "go.mod", "pyproject.toml", "shop.go", "shop_test.go", "tests/test_shop.py"}
	if !slices.Equal(names, want) {
		t.Errorf("wrote %q, want %q", names, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"module example.org/shop\n", "selfsame v0.1.0\n", "selfsame => /src/selfsame\n"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("go.mod lacks %q:\n%s", line, text)
		}
	}
	if err := Write(dir, Project{Name: "shop"}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a second time: got error %v", err)
	}
}
