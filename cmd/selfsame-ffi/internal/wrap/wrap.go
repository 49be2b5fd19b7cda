// Package wrap writes the Go module of a wrapped package: any Go package as a Python package.
package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/compile"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/wrapped"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyproject"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/decide"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

// Source is a Go package to wrap.
type Source struct {
	Path    string // import path
	Version string // "" for the newest, or the one that go.mod has
	Module  string // of a folder: the path of its module
	Folder  string // of a folder: where the module is
	Dir     string // of a folder: where the package is

	Replace []Replacement // of a folder: how its module finds others that are not published
}

// Options say what to write.
type Options struct {
	Sources  []Source
	Name     string // of the Python package and the Go package
	Dir      string // the folder of the Go module
	Release  string // of the frontend
	Replace  string // the folder of the frontend's sources, "" for the published module
	Include  []string
	Exclude  []string
	Accept   bool // write although names went from the Python package
	Wheel    bool // a wheel is built then
	GoModule string

	Before apichange.Interface // of the Python package as the last run built it; nil: of none

	Pyproject bool   // write a pyproject.toml and a workflow, unless there are some
	Dist      string // name of the distribution in it, "" for the package's
}

// ParseSource reads an argument: an import path, perhaps with a version, or a folder, which begins with a dot or a slash as for
// the go command.
func ParseSource(ctx context.Context, arg string) (Source, error) {
	if strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "/") {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			return Source{}, fmt.Errorf("%s: no such folder; give the folder of a Go package, or an import path", arg)
		}
		return localSource(ctx, arg)
	}
	importPath, version, _ := strings.Cut(arg, "@")
	if importPath == "" || strings.ContainsAny(importPath, " \t\\\"'`*") {
		return Source{}, fmt.Errorf("expected an import path or a folder, got %q", arg)
	}
	if strings.Contains(importPath, "/") && isStandard(importPath) && !inStandardLibrary(ctx, importPath) {
		return Source{}, fmt.Errorf("%s: expected an import path that begins with a host, as in github.com/%s, a package that Go has, "+
			"or a folder, as in ./%s", arg, importPath, importPath)
	}
	return Source{Path: importPath, Version: version}, nil
}

// inStandardLibrary reports whether Go has a package of a path.
func inStandardLibrary(ctx context.Context, importPath string) bool {
	root, err := goCommand(ctx, "", nil, "env", "GOROOT")
	if err != nil {
		return true // the command that comes next says what is wrong
	}
	_, err = os.Stat(filepath.Join(strings.TrimSpace(root), "src", filepath.FromSlash(importPath)))
	return err == nil
}

// localSource describes the package in a folder, which may be in a workspace.
func localSource(ctx context.Context, dir string) (Source, error) {
	env := []string{"GOFLAGS=" + gocmd.FlagsAlone(ctx)}
	if gosource.ForeignWorkspace(ctx, dir) != "" {
		env = append(env, "GOWORK=off")
	}
	out, err := goCommand(ctx, dir, env, "list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", ".")
	if err != nil {
		return Source{}, err
	}
	parts := strings.Split(strings.TrimSpace(out), "\t")
	if len(parts) != 4 {
		return Source{}, fmt.Errorf("%s is in no Go module; run `go mod init` there", dir)
	}
	s := Source{Path: parts[0], Dir: parts[1], Module: parts[2], Folder: parts[3]}
	s.Replace, err = localReplacements(ctx, s.Folder)
	return s, err
}

// Tags are the build tags with which packages are read, which are those of the build.
var Tags = []string{gosource.SharedTag}

// Read reads the packages and decides what to write.
func (m *Module) Read(ctx context.Context) (*load.World, *form.Plan, error) {
	o := m.o
	rules, err := overrides.Read(filepath.Join(o.Dir, overrides.File))
	if err != nil {
		return nil, nil, err
	}
	if err := rules.Select(o.Include, o.Exclude); err != nil {
		return nil, nil, err
	}
	if err := m.tidy(ctx); err != nil {
		return nil, nil, err
	}
	var paths []string
	for _, s := range o.Sources {
		paths = append(paths, s.Path)
	}
	// The frontend is read with them: the check of the generated files needs its types.
	w, err := load.Read(ctx, o.Dir, m.environment(), paths, []string{gosource.FrontendPath, gosource.GenPath, gosource.OverlayPath, "errors", "io", "iter"}, compile.Flags(ctx, Tags, o.Wheel))
	if err != nil {
		return nil, nil, err
	}
	plan, err := decide.New(w, o.Name, rules).Plan()
	if err == nil {
		err = rules.Unmet()
	}
	return w, plan, err
}

// Write writes the files, and removes generated ones that are no longer written. First it says on log which names of the Python
// package come and go; when some go and the options do not accept that, it writes nothing. A run that ends before the last file,
// which has the names, is made good by the next one.
func (m *Module) Write(w *load.World, plan *form.Plan, log io.Writer) error {
	o := m.o
	files, faults, err := wrapped.Write(plan, w.Importer)
	for _, fault := range faults {
		fmt.Fprintf(log, "left out, and written once more without: %s\n", escape.TerminalLine(fault))
	}
	if err != nil {
		return err
	}
	names := Names(plan)
	added, gone, first, err := Changes(o.Dir, names)
	if err != nil {
		return err
	}
	for _, name := range added[:min(len(added), MostNames)] {
		fmt.Fprintf(log, "+ %s\n", name)
	}
	if more := len(added) - MostNames; more > 0 {
		fmt.Fprintf(log, "+ %d more names, which %s has\n", more, InterfaceFile)
	}
	for _, name := range gone {
		fmt.Fprintf(log, "- %s\n", name)
	}
	if !first && len(gone) > 0 && !o.Accept {
		for _, hint := range renamed(plan, o.Before, gone, added) {
			fmt.Fprintln(log, hint)
		}
		names := "names"
		if len(gone) == 1 {
			names = "name"
		}
		return fmt.Errorf("%d %s would go from the Python package, see above; nothing was written. Add --accept to write it", len(gone), names)
	}
	folder := filepath.Join(o.Dir, "python")
	modules := python.Submodules(plan)
	if text := python.Constants(plan); text != nil {
		modules = append(modules, emit.File{Name: python.ConstantsFile, Text: text})
	}
	if err := errors.Join(yours(o.Dir, files), yours(folder, modules)); err != nil {
		return err
	}
	m.written = true
	if err := m.save(); err != nil {
		return err
	}
	if err := writeGenerated(o.Dir, "*.go", wrapped.Header, files); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeGenerated(folder, "*.py", python.WrapHeader, modules); err != nil {
		return err
	}
	if err := writeOnce(o, w, plan); err != nil {
		return err
	}
	if err := m.writeVersion(w, log); err != nil {
		return err
	}
	return SaveNames(o.Dir, names)
}

// yours fails when a folder has a file of a person under the name of one that is to be written.
func yours(folder string, files []emit.File) error {
	for _, f := range files {
		file := filepath.Join(folder, f.Name)
		ours, err := whole.IsOurs(file, wrapped.Header, generatedBy, python.WrapHeader)
		if err != nil {
			return err
		}
		if !ours {
			return fmt.Errorf("%s is yours, and a generated file would have its name; give it another name", file)
		}
	}
	return nil
}

// writeGenerated writes files into a folder, and then removes the others there that match the pattern and begin with the header.
func writeGenerated(folder, pattern, header string, files []emit.File) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[f.Name] = true
		if err := whole.File(filepath.Join(folder, f.Name), f.Text, 0o644); err != nil {
			return err
		}
	}
	return whole.RemoveOld(folder, pattern, header, keep)
}

// writeOnce writes the files that belong to a person from then on, unless they are there.
func writeOnce(o *Options, w *load.World, plan *form.Plan) error {
	doc := w.Packages[0].Docs.Package
	if doc == "" {
		doc = "Package " + o.Name + " wraps " + o.Sources[0].Path + "."
	}
	var comment strings.Builder
	for line := range strings.Lines(doc) {
		comment.WriteString(strings.TrimRight("// "+escape.GoComment(strings.TrimRight(line, "\n")), " ") + "\n")
	}
	once, err := o.described(plan).Files()
	if err != nil {
		return err
	}
	once[overrides.File] = []byte(comment.String() + fmt.Sprintf(overrides.Template, o.Name))
	for name, text := range once {
		if !o.Pyproject && (name == pyproject.Name || filepath.Dir(name) == ".github/workflows") {
			continue
		}
		file := filepath.Join(o.Dir, filepath.FromSlash(name))
		if info, err := os.Stat(file); err == nil && info.Size() > 0 { // a full disk leaves empty ones
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), whole.File(file, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}
