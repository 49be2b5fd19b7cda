// Package scaffold writes the files of a new Go package for Python.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed files
var files embed.FS

// Project says what to write.
type Project struct {
	Name    string // of the Go package, the Python package and the registered names
	Module  string // path of the Go module
	Release string // of the frontend that it requires
	Replace string // folder with the frontend's sources, "" for the published module
}

// layout has the template of each file.
var layout = []struct{ file, template string }{
	{"go.mod", "go.mod.tmpl"},
	{"NAME.go", "package.go.tmpl"},
	{"NAME_test.go", "package_test.go.tmpl"},
	{"tests/test_NAME.py", "test_package.py.tmpl"},
	{"README.md", "README.md.tmpl"},
	{"VERSION", "VERSION.tmpl"},
	{".gitignore", "gitignore.tmpl"},
	{".github/workflows/test.yml", "ci.yml.tmpl"},
}

// Write writes the project into dir, which is made. It fails, and writes nothing, when dir has files.
func Write(dir string, p Project) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("the folder %s is not empty; give another name, or an empty folder with --dir", dir)
	}
	for _, l := range layout {
		text, err := render(l.template, p)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(l.file, "NAME", p.Name)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// render fills a template in. Its marks are << and >>, because the CI file has braces of its own.
func render(name string, p Project) ([]byte, error) {
	source, err := files.ReadFile("files/" + name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Delims("<<", ">>").Parse(string(source))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
