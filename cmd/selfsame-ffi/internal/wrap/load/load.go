// Package load reads the types, the comments and the module of a Go package that is to be wrapped.
package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Package is a package to wrap.
type Package struct {
	Types *types.Package
	Dir   string
	Files []string // Go files, absolute
	Docs  *Docs
}

// World has the packages to wrap and those that they import.
type World struct {
	Packages []*Package
	Modules  []Module // all that are linked in, in the order of their paths
	Importer types.Importer
	exports  map[string]string // import path: file with export data
	listed   map[string]*listed
	list     func(args ...string) *exec.Cmd // the go command that lists packages as Read did
}

// Module is a Go module.
type Module struct{ Path, Version, Dir string }

type listed struct {
	ImportPath, Dir, Name, Export string
	GoFiles, CgoFiles             []string
	Module                        *Module
	Error                         *struct{ Err string }
	DepsErrors                    []*struct{ Err string }
}

// Read reads packages by their import paths, as the go command finds them from the folder dir with env in its environment. Only the
// importer knows the packages in more. The flags are those of the build that follows, so nothing is compiled twice.
func Read(ctx context.Context, dir string, env, paths, more, flags []string) (*World, error) {
	list := func(args ...string) *exec.Cmd {
		return gocmd.Command(ctx, dir, append([]string{"CGO_ENABLED=1"}, env...),
			slices.Concat([]string{"list", "-e", "-export"}, flags, args)...)
	}
	cmd := list(slices.Concat([]string{"-deps", "-json=ImportPath,Dir,Name,Export,GoFiles,CgoFiles,Module,Error,DepsErrors", "--"}, paths, more)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	w := &World{exports: map[string]string{}, listed: map[string]*listed{}, list: list}
	seen := map[string]bool{}
	for dec := json.NewDecoder(&out); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		w.listed[p.ImportPath], w.exports[p.ImportPath] = p, p.Export
		if m := p.Module; m != nil && !seen[m.Path] {
			seen[m.Path] = true
			w.Modules = append(w.Modules, *m)
		}
	}
	for _, path := range more { // a package of ours that does not compile is not the user's fault, and must be told
		if l := w.listed[path]; l == nil || l.Export == "" {
			return nil, fmt.Errorf("%s: %s", path, l.failure())
		}
	}
	w.Importer = gosource.Importer(w.open)
	for _, path := range paths {
		p, err := w.read(path)
		if err != nil {
			return nil, err
		}
		w.Packages = append(w.Packages, p)
	}
	return w, nil
}

// failure says why a package was not compiled.
func (l *listed) failure() string {
	switch {
	case l == nil:
		return "go list finds no such package"
	case l.Error != nil:
		return strings.TrimSpace(l.Error.Err)
	case len(l.DepsErrors) > 0:
		return strings.TrimSpace(l.DepsErrors[0].Err)
	}
	return "it was not compiled; `go vet` says why"
}

// open opens the export data of a package.
func (w *World) open(path string) (io.ReadCloser, error) {
	if w.exports[path] == "" {
		return nil, fmt.Errorf("%s was not compiled", path)
	}
	return os.Open(w.exports[path])
}

func (w *World) read(path string) (*Package, error) {
	l := w.listed[path]
	switch {
	case l == nil || l.Error != nil || len(l.DepsErrors) > 0:
		return nil, fmt.Errorf("%s: %s", path, l.failure())
	case l.Name == "main":
		return nil, fmt.Errorf("%s is a program (package main), which nothing can import", path)
	}
	t, err := w.Importer.Import(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Package{Types: t, Dir: l.Dir}
	for _, name := range append(append([]string{}, l.GoFiles...), l.CgoFiles...) {
		p.Files = append(p.Files, l.Dir+string(os.PathSeparator)+name)
	}
	p.Docs = ReadDocs(p.Files)
	return p, nil
}

// DocsOf returns the comments of a package among those that were listed, nil for others.
func (w *World) DocsOf(path string) *Docs {
	for _, p := range w.Packages {
		if p.Types.Path() == path {
			return p.Docs
		}
	}
	if files := w.FilesOf(path); files != nil {
		return ReadDocs(files)
	}
	return nil
}

// FilesOf returns the Go files of a package among those that were listed, nil for others.
func (w *World) FilesOf(path string) (files []string) {
	if l := w.listed[path]; l != nil {
		for _, name := range l.GoFiles {
			files = append(files, l.Dir+string(os.PathSeparator)+name)
		}
	}
	return files
}

// IsImportable reports whether code of another module may import a package.
func IsImportable(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "internal" || part == "vendor" {
			return false
		}
	}
	return path != "unsafe" && path != "C"
}
