package scaffold

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// Wrapped says what to write for a package that wraps another one.
type Wrapped struct {
	Project
	Path      string // of the package that is wrapped
	Again     string // what wrap takes for another version, "" for a folder
	Example   *Example
	Classes   []Class
	Functions []string
}

// Example makes an object of a class.
type Example struct{ Variable, Class string }

// Class is a class of the Python package.
type Class struct {
	Name    string
	Made    bool // without arguments
	Members []string
}

// Files returns the files that such a package gets beside its Go files.
func (w *Wrapped) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for file, template := range map[string]string{
		"README.md": "wrapped_README.md.tmpl", "tests/test_" + w.Name + ".py": "wrapped_test.py.tmpl", ".gitignore": "gitignore.tmpl",
		"pyproject.toml": "pyproject.toml.tmpl", ".github/workflows/test.yml": "ci.yml.tmpl",
	} {
		text, err := render(template, w)
		if err != nil {
			return nil, err
		}
		files[file] = text
	}
	return files, nil
}

// list writes texts as the items of a Python list, on several lines where one would be long.
func list(items []string) string {
	const width = 100
	line, lines := "", []string{}
	for _, item := range items {
		item = escape.PythonString(item)
		if len(line)+len(item) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += item + ","
	}
	if len(lines) == 0 {
		return strings.TrimSuffix(line, ",")
	}
	return "\n        " + strings.Join(append(lines, line), "\n        ") + "\n    "
}
