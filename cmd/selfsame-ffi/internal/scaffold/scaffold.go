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
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

//go:embed files
var files embed.FS

// Project says what to write.
type Project struct {
	Name    string // of the Go package, the Python package and the registered names
	Module  string // path of the Go module
	Release string // of the frontend that it requires
	Replace string // folder with the frontend's sources, "" for the published module
	Dist    string // name of the distribution, "" for that of the package
}

// layout has the template of each file.
var layout = []struct{ file, template string }{
	{"go.mod", "go.mod.tmpl"},
	{"NAME.go", "package.go.tmpl"},
	{"NAME_test.go", "package_test.go.tmpl"},
	{"tests/test_NAME.py", "test_package.py.tmpl"},
	{"README.md", "README.md.tmpl"},
	{"pyproject.toml", "pyproject.toml.tmpl"},
	{"VERSION", "VERSION.tmpl"},
	{".gitignore", "gitignore.tmpl"},
	{".github/workflows/test.yml", "ci.yml.tmpl"},
}

// Write writes the project into dir, which is made. It fails, and writes nothing, when dir has files that are not of the project, or
// not as they are written: a run that was interrupted is made good by the next one.
func Write(dir string, p Project) error {
	p.Replace = quoted(p.Replace)
	texts := map[string][]byte{}
	for _, l := range layout {
		text, err := render(l.template, p)
		if err != nil {
			return err
		}
		texts[strings.ReplaceAll(l.file, "NAME", p.Name)] = text
	}
	if err := free(dir, texts); err != nil {
		return err
	}
	for _, l := range slices.Backward(layout) { // go.mod, which makes a module of the folder, is the last
		file := strings.ReplaceAll(l.file, "NAME", p.Name)
		if err := whole.File(filepath.Join(dir, filepath.FromSlash(file)), texts[file], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// free fails when a folder has anything but a repository without files and some of the texts.
func free(dir string, texts map[string][]byte) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, outside := filepath.Rel(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || outside != nil:
			return errors.Join(err, outside)
		case name == ".git":
			return fs.SkipDir
		case d.IsDir() && slices.Contains([]string{".", "tests", ".github", filepath.Join(".github", "workflows")}, name),
			strings.HasSuffix(name, whole.Unfinished):
			return nil
		}
		if want, ours := texts[filepath.ToSlash(name)]; ours && d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil || len(text) == 0 || bytes.Equal(text, want) {
				return err
			}
		}
		return fmt.Errorf("the folder %s is not empty; give another name, or an empty folder with --dir", dir)
	})
}

// quoted returns a path as go.mod has it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`(),;") {
		return strconv.Quote(path)
	}
	return path
}

// render fills a template in. Its marks are << and >>, because the CI file has braces of its own.
func render(name string, p any) ([]byte, error) {
	source, err := files.ReadFile("files/" + name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Delims("<<", ">>").Funcs(template.FuncMap{"list": list, "distribution": wheel.NameFor}).Parse(string(source))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
