// Package pyproject reads pyproject.toml: the metadata in its table project, and what [tool.selfsame] says of the build.
package pyproject

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Name is the name of the file.
const Name = "pyproject.toml"

// Backend is the build backend of the files that this package reads.
const Backend = "selfsame_ffi.build"

// File is a pyproject.toml that names Backend.
type File struct {
	Dir     string // its folder
	Project Project
	Tool    Tool
}

// Project is the table project, as https://packaging.python.org/en/latest/specifications/pyproject-toml describes it.
type Project struct {
	Name         string                       `toml:"name"`
	Version      string                       `toml:"version"`
	Description  string                       `toml:"description"`
	Readme       any                          `toml:"readme"`
	Python       string                       `toml:"requires-python"`
	License      any                          `toml:"license"`
	LicenseFiles []string                     `toml:"license-files"`
	Authors      []person                     `toml:"authors"`
	Maintainers  []person                     `toml:"maintainers"`
	Keywords     []string                     `toml:"keywords"`
	Classifiers  []string                     `toml:"classifiers"`
	URLs         map[string]string            `toml:"urls"`
	Scripts      map[string]string            `toml:"scripts"`
	GUIScripts   map[string]string            `toml:"gui-scripts"`
	EntryPoints  map[string]map[string]string `toml:"entry-points"`
	Dependencies []string                     `toml:"dependencies"`
	Optional     map[string][]string          `toml:"optional-dependencies"`
	Dynamic      []string                     `toml:"dynamic"`
}

type person struct {
	Name  string `toml:"name"`
	Email string `toml:"email"`
}

// Tool is the table tool.selfsame.
type Tool struct {
	Packages []string `toml:"packages"` // folders of Go packages, below that of the file; none: its own
	Name     string   `toml:"name"`     // of the Python package; "": that of the first Go package
	Set      string   `toml:"set"`      // each Go package is a Python package of its own, and this one has the library of all; "": they are one
	Tags     []string `toml:"tags"`     // build tags
	Bundle   any      `toml:"bundle"`   // true, or the folder of selfsame-ffi's wheels: the wheel stands alone
}

// Read reads the file of a folder. It returns nil for a folder without one, and for one of another backend.
func Read(dir string) (*File, error) {
	path := filepath.Join(dir, Name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var document struct {
		BuildSystem struct {
			Backend string `toml:"build-backend"`
		} `toml:"build-system"`
		Project Project `toml:"project"`
		Tool    struct {
			Selfsame Tool `toml:"selfsame"`
		} `toml:"tool"`
	}
	found, err := toml.Decode(string(text), &document)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if document.BuildSystem.Backend != Backend {
		return nil, nil
	}
	for _, key := range found.Undecoded() {
		if name := key.String(); strings.HasPrefix(name, "project.") || strings.HasPrefix(name, "tool.selfsame.") {
			return nil, fmt.Errorf("%s: the key %s is unknown; docs/shipping.md lists the keys of [tool.selfsame]", path, name)
		}
	}
	f := &File{Dir: dir, Project: document.Project, Tool: document.Tool.Selfsame}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// dynamic are the fields that the build can fill in.
var dynamic = []string{"version", "description", "readme", "license", "license-files", "dependencies"}

// check fails for values that no build can take.
func (f *File) check() error {
	p := f.Project
	for _, name := range p.Dynamic {
		if !slices.Contains(dynamic, name) {
			return fmt.Errorf("project.dynamic: expected some of %s, got %q", strings.Join(dynamic, ", "), name)
		}
	}
	switch {
	case p.Name == "":
		return errors.New("project.name is missing; give the name of the distribution")
	case !wheel.IsName(p.Name):
		return fmt.Errorf("project.name: expected letters, digits, '-', '_' and '.', got %q", p.Name)
	case p.Version == "" && !slices.Contains(p.Dynamic, "version"):
		return errors.New("project.version is missing; give it, or write dynamic = [\"version\"] for that of the Go module")
	case p.Version != "" && slices.Contains(p.Dynamic, "version"):
		return errors.New("project.version is there and in project.dynamic too; leave one out")
	}
	if f.Tool.Set != "" && (f.Tool.Name != "" || len(f.Tool.Packages) == 0) {
		return errors.New("tool.selfsame.set: expected packages and no name beside it")
	}
	for _, dir := range f.Tool.Packages {
		if !filepath.IsLocal(filepath.FromSlash(dir)) {
			return fmt.Errorf("tool.selfsame.packages: expected folders below that of %s, got %q", Name, dir)
		}
	}
	switch f.Tool.Bundle.(type) {
	case nil, bool, string:
		return nil
	}
	return fmt.Errorf("tool.selfsame.bundle: expected true or a folder, got %v", f.Tool.Bundle)
}

// Packages returns the folders of the Go packages.
func (f *File) Packages() []string {
	if len(f.Tool.Packages) == 0 {
		return []string{f.Dir}
	}
	dirs := make([]string, len(f.Tool.Packages))
	for i, dir := range f.Tool.Packages {
		dirs[i] = filepath.Join(f.Dir, filepath.FromSlash(dir))
	}
	return dirs
}

// Bundle returns the folder of wheels that tool.selfsame.bundle names, own for true, "" for none.
func (f *File) Bundle(own string) string {
	switch b := f.Tool.Bundle.(type) {
	case string:
		if filepath.IsAbs(b) {
			return b
		}
		return filepath.Join(f.Dir, filepath.FromSlash(b))
	case bool:
		if b {
			return own
		}
	}
	return ""
}

// Find returns the file that describes the package in a folder: that of the folder itself, or that of a folder above it, up to
// the folder of the Go module, that lists the package. It returns nil without one.
func Find(dir string) (*File, error) {
	own, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for at := own; ; at = filepath.Dir(at) {
		f, err := Read(at)
		if err != nil {
			return nil, err
		}
		if f != nil && (at == own || slices.Contains(f.Packages(), own)) {
			return f, nil
		}
		_, err = os.Stat(filepath.Join(at, "go.mod"))
		if (err == nil && at != own) || at == filepath.Dir(at) {
			return nil, nil
		}
	}
}

// SourceVersion returns the version of an unpacked source distribution, which its file PKG-INFO has; "" elsewhere.
func (f *File) SourceVersion() (string, error) {
	text, err := os.ReadFile(filepath.Join(f.Dir, "PKG-INFO"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for line := range bytes.Lines(text) {
		if version, ok := bytes.CutPrefix(line, []byte("Version: ")); ok {
			return string(bytes.TrimSpace(version)), nil
		}
	}
	return "", err
}
