package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// pythonFolder is the folder of a Go package with Python files that go into the Python package beside the generated module.
const pythonFolder = "python"

// pythonFile is a Python file of a Go package.
type pythonFile struct {
	name string // such as _extra.py
	text []byte
}

// pythonFiles reads the Python files of the Go packages, in the order of their names.
func pythonFiles(packages []*gosource.Package) ([]pythonFile, error) {
	var all []pythonFile
	for _, pkg := range packages {
		folder := filepath.Join(pkg.Dir, pythonFolder)
		entries, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || filepath.Ext(name) != ".py" {
				continue
			}
			if name == "__init__.py" || slices.ContainsFunc(all, func(f pythonFile) bool { return f.name == name }) {
				return nil, fmt.Errorf("%s: the Python package has a file of that name already; give it another", filepath.Join(folder, name))
			}
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return nil, err
			}
			all = append(all, pythonFile{name, text})
		}
	}
	return all, nil
}

var (
	allList  = regexp.MustCompile(`(?m)^__all__\s*(?::[^=\n]*)?=\s*[\[(]([^\])]*)[\])]`)
	listItem = regexp.MustCompile(`["']([^"']+)["']`)
	oldName  = regexp.MustCompile(`(?m)^# (Deprecated: .*(?:\n# .*)*)\n(\w+)\b`)
)

// extras returns what the files whose name begins with an underscore give to the Python package: the names of their __all__, and which
// of them a comment calls deprecated.
func extras(files []pythonFile) []python.Extra {
	var made []python.Extra
	for _, f := range files {
		m := allList.FindSubmatch(f.text)
		if !strings.HasPrefix(f.name, "_") || m == nil {
			continue
		}
		extra := python.Extra{Module: strings.TrimSuffix(f.name, ".py"), Deprecated: map[string]string{}}
		for _, found := range oldName.FindAllSubmatch(f.text, -1) {
			extra.Deprecated[string(found[2])] = strings.ReplaceAll(string(found[1]), "\n# ", " ")
		}
		for _, item := range listItem.FindAllSubmatch(m[1], -1) {
			extra.Names = append(extra.Names, string(item[1]))
		}
		made = append(made, extra)
	}
	return made
}
