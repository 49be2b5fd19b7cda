// Package wrap writes the Go module of a wrapped package: any Go package as a Python package.
package wrap

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/wrapped"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/python"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
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
	GoModule string
}

// ParseSource reads an argument: an import path, perhaps with a version, or a folder, which begins with a dot or a slash as for
// the go command.
func ParseSource(ctx context.Context, arg string) (Source, error) {
	if strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "/") {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			return Source{}, fmt.Errorf("%s: no such folder; give the folder of a Go package, or an import path", arg)
		}
		return folder(ctx, arg)
	}
	importPath, version, _ := strings.Cut(arg, "@")
	if importPath == "" || strings.ContainsAny(importPath, " \t\\\"'`*") {
		return Source{}, fmt.Errorf("expected an import path or a folder, got %q", arg)
	}
	return Source{Path: importPath, Version: version}, nil
}

// folder describes the package in a folder, which may be in a workspace.
func folder(ctx context.Context, dir string) (Source, error) {
	out, err := goCommand(ctx, dir, nil, "list", "-f", "{{.ImportPath}}\t{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", ".")
	if err != nil {
		return Source{}, err
	}
	parts := strings.Split(strings.TrimSpace(out), "\t")
	if len(parts) != 3 {
		return Source{}, fmt.Errorf("%s is in no Go module; run `go mod init` there", dir)
	}
	return Source{Path: parts[0], Module: parts[1], Folder: parts[2]}, nil
}

// Prepare makes the Go module, unless it is there, and gets the packages. A module that it made is gone when it fails.
func Prepare(ctx context.Context, o *Options) error {
	made, err := o.begin(ctx)
	if err != nil {
		return err
	}
	err = o.require(ctx)
	if err != nil && made {
		for _, name := range []string{"go.mod", "go.sum", "."} { // the folder, if nothing else is in it
			_ = os.Remove(filepath.Join(o.Dir, name))
		}
	}
	return err
}

// begin makes the Go module, without any requirement. It returns false where there is one, which must be the one that the user
// asks for.
func (o *Options) begin(ctx context.Context) (made bool, err error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return false, err
	}
	mod := filepath.Join(o.Dir, "go.mod")
	if _, err := os.Stat(mod); err == nil {
		return false, o.checkModule(ctx)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := empty(o.Dir); err != nil {
		return false, err
	}
	text := fmt.Sprintf("module %s\n\ngo 1.24.0\n", cmp.Or(o.GoModule, o.defaultModule()))
	return true, os.WriteFile(mod, []byte(text), 0o644)
}

func (o *Options) checkModule(ctx context.Context) error {
	if o.GoModule == "" {
		return nil
	}
	there, err := goOutput(ctx, o.Dir, "list", "-m")
	if there = strings.TrimSpace(there); err == nil && there != o.GoModule {
		err = fmt.Errorf("the folder %s has the Go module %s, not %s; leave --module out, or give another folder with --dir", o.Dir, there, o.GoModule)
	}
	return err
}

// require adds the packages to the Go module.
func (o *Options) require(ctx context.Context) error {
	edits := []string{"mod", "edit", "-require=" + gosource.FrontendPath + "@v" + o.Release}
	if o.Replace != "" {
		edits = append(edits, "-replace="+gosource.FrontendPath+"="+o.Replace)
	}
	for _, s := range o.Sources {
		if s.Folder != "" {
			edits = append(edits, "-require="+s.Module+"@v0.0.0", "-replace="+s.Module+"="+s.Folder)
		}
	}
	if _, err := goOutput(ctx, o.Dir, edits...); err != nil {
		return err
	}
	for _, s := range o.Sources {
		if s.Folder != "" || isStandard(s.Path) {
			continue
		}
		if s.Version == "" && isRequired(o.Dir, s.Path) {
			continue
		}
		if err := get(ctx, o.Dir, s); err != nil {
			return err
		}
	}
	return nil
}

// defaultModule returns the path of the Go module where the user gives none. A module of its own that is wrapped may have the first.
func (o *Options) defaultModule() string {
	module := "example.com/" + o.Name
	if slices.ContainsFunc(o.Sources, func(s Source) bool { return s.Module == module }) {
		module += "-python"
	}
	return module
}

// get adds a package's module to go.mod. Where the newest version has moved to another path, the newest under this path is taken.
func get(ctx context.Context, dir string, s Source) error {
	_, err := goOutput(ctx, dir, "get", s.Path+"@"+cmp.Or(s.Version, "latest"))
	if err == nil || s.Version != "" || !strings.Contains(err.Error(), "module declares its path as") {
		return err
	}
	const tries = 10
	for module := s.Path; strings.Contains(module, "/"); module = path.Dir(module) {
		out, failed := goOutput(ctx, dir, "list", "-m", "-versions", module)
		versions := strings.Fields(out)
		if failed != nil || len(versions) < 2 {
			continue
		}
		for i := len(versions) - 1; i > 0 && i >= len(versions)-tries; i-- {
			if _, failed := goOutput(ctx, dir, "get", s.Path+"@"+versions[i]); failed == nil {
				return nil
			}
		}
	}
	return err
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// isRequired says whether the go.mod of a folder has the module of a package.
func isRequired(dir, importPath string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	for p := importPath; p != "." && p != "/"; p = path.Dir(p) {
		if strings.Contains(string(text), p+" v") {
			return true
		}
	}
	return false
}

// empty fails when a folder has files of somebody else.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("the folder %s has files but no go.mod; give another folder with --dir", dir)
	}
	return nil
}

// Tags are the build tags with which packages are read, which are those of the build.
var Tags = []string{gosource.SharedTag}

// Read reads the packages and decides what to write.
func Read(ctx context.Context, o *Options) (*load.World, *form.Plan, error) {
	rules, err := overrides.Read(filepath.Join(o.Dir, overrides.File))
	if err != nil {
		return nil, nil, err
	}
	if err := rules.Select(o.Include, o.Exclude); err != nil {
		return nil, nil, err
	}
	imports := filepath.Join(o.Dir, "a_needs.go") // the generated files, if there are any, may import fewer packages
	if err := os.WriteFile(imports, needs(o), 0o644); err != nil {
		return nil, nil, err
	}
	_, err = goOutput(ctx, o.Dir, "mod", "tidy")
	if err = errors.Join(err, os.Remove(imports)); err != nil {
		return nil, nil, err
	}
	var paths []string
	for _, s := range o.Sources {
		paths = append(paths, s.Path)
	}
	// The frontend is read with them: the check of the generated files needs its types.
	w, err := load.Read(ctx, o.Dir, paths, []string{gosource.FrontendPath, "errors", "io", "iter"}, Tags)
	if err != nil {
		return nil, nil, err
	}
	plan, err := decide.New(w, o.Name, rules).Plan()
	return w, plan, err
}

// needs returns a file that imports what the generated files will, so that go.mod is complete before those are written.
func needs(o *Options) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n\t_ %q\n", wrapped.Header, o.Name, gosource.FrontendPath)
	for _, s := range o.Sources {
		fmt.Fprintf(&b, "\t_ %q\n", s.Path)
	}
	b.WriteString(")\n")
	return b.Bytes()
}

// Write writes the files, and removes generated ones that are no longer written. First it says on log which names of the Python
// package come and go; when some go and the options do not accept that, it writes nothing.
func Write(o *Options, w *load.World, plan *form.Plan, log io.Writer) error {
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
	for _, name := range added {
		fmt.Fprintf(log, "+ %s\n", name)
	}
	for _, name := range gone {
		fmt.Fprintf(log, "- %s\n", name)
	}
	if !first && len(gone) > 0 && !o.Accept {
		return fmt.Errorf("%d names would go from the Python package, see above; nothing was written. Add --accept to write it", len(gone))
	}
	if err := SaveNames(o.Dir, names); err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, f := range files {
		keep[f.Name] = true
		if err := os.WriteFile(filepath.Join(o.Dir, f.Name), f.Text, 0o644); err != nil {
			return err
		}
	}
	if err := removeOld(filepath.Join(o.Dir, "*.go"), wrapped.Header, keep); err != nil {
		return err
	}
	folder := filepath.Join(o.Dir, "python")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	constants := filepath.Join(folder, python.ConstantsFile)
	if text := python.Constants(plan); text == nil {
		_ = os.Remove(constants)
	} else if err := os.WriteFile(constants, text, 0o644); err != nil {
		return err
	}
	if err := writeSubmodules(folder, plan); err != nil {
		return err
	}
	return writeOnce(o, w)
}

// writeSubmodules writes the Python modules of several packages, and removes those of packages that are no longer wrapped.
func writeSubmodules(folder string, plan *form.Plan) error {
	if err := removeOld(filepath.Join(folder, "*.py"), python.WrapHeader, map[string]bool{python.ConstantsFile: true}); err != nil {
		return err
	}
	for _, f := range python.Submodules(plan) {
		file := filepath.Join(folder, f.Name)
		if _, err := os.Stat(file); err == nil {
			return fmt.Errorf("%s is yours, and the module of a Go package would have its name; give it another name", file)
		}
		if err := os.WriteFile(file, f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// removeOld removes the generated files that match a pattern: those that begin with the header and whose names are not
// among those to keep.
func removeOld(pattern, header string, keep map[string]bool) error {
	old, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, file := range old {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !keep[filepath.Base(file)] && bytes.HasPrefix(text, []byte(header)) {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeOnce writes the files that belong to a person from then on.
func writeOnce(o *Options, w *load.World) error {
	doc := w.Packages[0].Docs.Package
	if doc == "" {
		doc = "Package " + o.Name + " wraps " + o.Sources[0].Path + "."
	}
	var comment strings.Builder
	for line := range strings.Lines(doc) {
		comment.WriteString(strings.TrimRight("// "+escape.GoComment(strings.TrimRight(line, "\n")), " ") + "\n")
	}
	version := "0.0.0"
	for _, m := range w.Modules {
		if strings.HasPrefix(o.Sources[0].Path+"/", m.Path+"/") && m.Version != "" {
			version, _, _ = strings.Cut(strings.TrimPrefix(m.Version, "v"), "-")
			version, _, _ = strings.Cut(version, "+")
		}
	}
	for name, text := range map[string]string{
		overrides.File: comment.String() + fmt.Sprintf(overrides.Template, o.Name),
		"VERSION":      version + "\n",
		"README.md":    fmt.Sprintf("# %s\n\nThe Go package %s for Python.\n\n    import %s\n", o.Name, o.Sources[0].Path, o.Name),
		".gitignore":   "/build/\n/dist/\n",
	} {
		file := filepath.Join(o.Dir, name)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goOutput runs the go command on the module that is written, which it may complete, so no workspace may take part.
func goOutput(ctx context.Context, dir string, args ...string) (string, error) {
	flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -mod=mod")
	return goCommand(ctx, dir, []string{"GOFLAGS=" + flags, "GOWORK=off"}, args...)
}

// goCommand runs the go command in a folder. Its error has what the command said.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"CGO_ENABLED=1"}, env)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out.String(), nil
}
