package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/probe"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyproject"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// buildOptions are the flags of `selfsame-ffi build`.
type buildOptions struct {
	dirs    []string
	out     string
	name    string
	set     string // the name of a set
	tags    []string
	runtime string
	version string
	verbose bool
	wheel   bool
	dist    string
	target  string
	bundle  string   // ownPackage, or a folder of wheels; "": none
	pythons []string // that are bundled

	seen apichange.Interface // gets the interface of what is built; nil: nobody asks
}

func newBuildCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:   "build DIR...",
		Short: "Make a Python package, or a wheel, of the Go package in DIR",
		Long: `Build compiles the Go package in DIR into a shared library and writes the Python package that loads it: OUT/NAME/_NAME.so
with OUT/NAME/__init__.py (typed classes and functions, with docstrings) and OUT/NAME/py.typed. Nothing is written into DIR.
Several folders become one library and one Python package, named after the first; with --set NAME each of them becomes a
Python package of its own. All packages of a set share the library, which NAME has, and so one Go runtime.

With --wheel it writes one wheel for all Pythons from 3.9 on, the free-threaded ones too: the same bytes for the same
sources, Go, and C compiler.`,
		Example: "  selfsame-ffi build ./geo\n  PYTHONPATH=build python -c 'import geo'\n" +
			"  selfsame-ffi build --wheel --target manylinux_2_28_aarch64 ./geo",
		Args: arguments(1, many, "the folder of a Go package", "."),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dirs = args
			if !cmd.Flags().Changed("out") && o.wheel {
				o.out = "dist"
			}
			if o.wheel {
				return buildWheel(cmd.Context(), o, cmd.ErrOrStderr())
			}
			for _, name := range []string{"target", "dist", "bundle", "pythons"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is for wheels; add --wheel", name)
				}
			}
			return build(cmd.Context(), o, cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	o.sourceFlags(cmd)
	flags.StringVar(&o.set, "set", "", "make a Python package of each folder, and package `NAME` with the library of all")
	flags.StringVarP(&o.out, "out", "o", "build", "folder to put the Python package in; with --wheel the default is dist")
	o.wheelFlags(cmd)
	return cmd
}

// wheelFlags adds the flags of all commands that write wheels.
func (o *buildOptions) wheelFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.wheel, "wheel", false, "write a wheel instead of a folder")
	flags.StringVar(&o.dist, "dist", "", "name of the distribution, for pip (default: the name of the Python package)")
	flags.StringVar(&o.bundle, "bundle", "", "put selfsame-ffi into the wheel, which then stands alone: `FOLDER` has wheels of it, "+
		"without one that of the active Python is taken")
	flags.Lookup("bundle").NoOptDefVal = ownPackage
	flags.StringSliceVar(&o.pythons, "pythons", nil, "with --bundle=FOLDER: the Pythons to serve, such as 3.13,3.14t (default: all in FOLDER)")
	flags.StringVar(&o.target, "target", "", "platform of the wheel, compiled for with zig, such as manylinux_2_28_aarch64, or all")
}

// sourceFlags adds the flags of all commands that compile.
func (o *buildOptions) sourceFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.name, "name", "", "name of the Python package (default: the name of the first Go package)")
	flags.StringSliceVar(&o.tags, "tags", nil, "build tags of the Go package, separated by commas")
	flags.StringVar(&o.version, "version", "", "version of the Python package (default: that in a file VERSION, or of the git tag)")
	flags.StringVar(&o.runtime, "runtime", python.Selfsame, "Python package whose runtime the extension uses: "+
		python.Selfsame+", or "+python.TvmFFI+" for the stock package tvm_ffi")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "show the commands that are run")
}

// build runs `selfsame-ffi build` without --wheel and reports its steps on log.
func build(ctx context.Context, o buildOptions, log io.Writer) error {
	p, err := o.project(ctx)
	if err != nil {
		return err
	}
	if err := buildFolder(ctx, p, o, log); err != nil {
		return err
	}
	name := p.names()[0]
	_, err = fmt.Fprintf(log, "Next: PYTHONPATH=%s python -c 'import %s; help(%s)'\n", escape.Shell(o.out), name, name)
	return err
}

// buildFolder makes the folder of the Python package.
func buildFolder(ctx context.Context, p *project, o buildOptions, log io.Writer) error {
	report := progress.New(log, o.verbose)
	for _, name := range p.names() {
		if err := prepare(filepath.Join(o.out, name), p.libraryName()); err != nil {
			return err
		}
	}
	// Files are made in a folder beside the target and renamed into it at the end: a build that fails changes nothing, and
	// a running Python keeps the old library mapped.
	work, err := whole.NewWork(o.out)
	if err != nil {
		return err
	}
	defer work.Close()
	restore, err := p.inOneWorkspace(ctx)
	if err != nil {
		return err
	}
	defer restore()
	library := filepath.Join(work.Path, p.libraryName())
	if err := p.compile(ctx, report, compilation{out: library}); err != nil {
		return err
	}
	content, err := p.reflection(ctx, report, library)
	if err != nil {
		return err
	}
	made, err := p.pythonPackages(ctx, content)
	if err != nil {
		return err
	}
	for _, one := range made {
		target := filepath.Join(o.out, one.Name)
		if err := o.see(one); err != nil {
			return err
		}
		if err := report.Step("write "+target, func() error { return writePackage(one, library, target) }); err != nil {
			return err
		}
		fmt.Fprintf(log, "%s: %s, %s\n", escape.TerminalLine(target),
			counted(len(forUsers(one.Content.Classes)), "class", "classes"), counted(len(one.Content.Functions), "function", "functions"))
	}
	for _, f := range content.Functions {
		if !slices.ContainsFunc(made, func(one pythonPackage) bool { return one.Owns(f.Name) }) {
			report.Detail(fmt.Sprintf("%s is in no module: its name does not begin with %s.", f.Name, strings.Join(p.names(), " or ")))
		}
	}
	return nil
}

// forUsers returns the classes that users name: not those such as shop._GoValue.
func forUsers(classes []model.Class) []model.Class {
	return slices.DeleteFunc(slices.Clone(classes), func(c model.Class) bool { return strings.Contains(c.Key, "._") })
}

// see notes the interface of a Python package.
func (o *buildOptions) see(made pythonPackage) error {
	if o.seen == nil {
		return nil
	}
	text, err := made.Write()
	o.seen.Parse(text)
	for _, f := range made.more {
		o.seen.Parse(string(f.text))
	}
	return err
}

// project checks the options and finds the Go packages.
func (o *buildOptions) project(ctx context.Context) (*project, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("extensions are made on Linux only so far, and this is %s", runtime.GOOS)
	}
	if o.runtime != python.Selfsame && o.runtime != python.TvmFFI {
		return nil, fmt.Errorf("--runtime: expected %s or %s, got %q", python.Selfsame, python.TvmFFI, o.runtime)
	}
	file, err := pyproject.Find(o.dirs[0])
	if err != nil {
		return nil, err
	}
	if file != nil && o.set != "" && file.Tool.Set != o.set {
		file = nil // that of a package of the set
	}
	if file != nil {
		o.follow(file)
	}
	p := &project{name: o.name, runtime: o.runtime, tags: append([]string{gosource.SharedTag}, o.tags...), pyproject: file}
	if o.runtime == python.TvmFFI {
		p.tags = append(p.tags, gosource.TvmFFITag)
	}
	for _, dir := range o.dirs {
		pkg, err := gosource.Find(dir, p.tags)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.packages, func(other *gosource.Package) bool { return other.ImportPath == pkg.ImportPath }) {
			return nil, fmt.Errorf("%s: the package %s was given already", dir, pkg.ImportPath)
		}
		p.packages = append(p.packages, pkg)
	}
	if p.name == "" {
		p.name = p.packages[0].Name
	}
	if o.set != "" {
		p.name, p.set = o.set, true
		if err := p.checkSet(o.name); err != nil {
			return nil, err
		}
	}
	for _, name := range p.names() {
		if !python.IsPackageName(name) {
			return nil, fmt.Errorf("%q cannot be the name of a Python package; give another with %s", name, p.nameFlag())
		}
		if python.IsStandardModule(name) {
			return nil, fmt.Errorf("the package %s would hide the module of that name that Python has; give another name with %s", name, p.nameFlag())
		}
	}
	if p.dist = cmp.Or(o.dist, wheel.NameFor(p.name)); !wheel.IsName(p.dist) {
		return nil, fmt.Errorf("--dist: expected letters, digits, '-', '_' and '.', got %q", p.dist)
	}
	return p, o.findVersion(ctx, p)
}

// follow takes what pyproject.toml says for what the command line does not.
func (o *buildOptions) follow(file *pyproject.File) {
	if len(o.dirs) == 1 {
		o.dirs = file.Packages()
	}
	if o.name == "" {
		o.name = file.Tool.Name
	}
	o.set = file.Tool.Set
	if o.tags == nil {
		o.tags = file.Tool.Tags
	}
	if o.dist == "" {
		o.dist = file.Project.Name
	}
	if o.bundle == "" {
		o.bundle = file.Bundle(ownPackage)
	}
}

// findVersion sets the project's version: that of the command line, of pyproject.toml, of an unpacked source distribution, or that of
// the Go module.
func (o *buildOptions) findVersion(ctx context.Context, p *project) (err error) {
	if o.version != "" {
		if p.version, err = wheel.ParseVersion(o.version); err != nil {
			return fmt.Errorf("--version: %w", err)
		}
		return nil
	}
	if file := p.pyproject; file != nil {
		if file.Project.Version != "" {
			if p.version, err = wheel.ParseVersion(file.Project.Version); err != nil {
				return fmt.Errorf("%s: project.version: %w", filepath.Join(file.Dir, pyproject.Name), err)
			}
			return nil
		}
		if p.version, err = file.SourceVersion(); err != nil || p.version != "" {
			return err
		}
	}
	first := p.packages[0]
	p.version, err = wheel.FindVersion(ctx, first.Dir, first.Module.Dir)
	if errors.Is(err, wheel.ErrNoVersion) && !o.wheel {
		p.version, err = wheel.Unknown, nil
	}
	return err
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// readLibrary reads the classes and functions that the library registers.
func readLibrary(ctx context.Context, importPath, library string) (*model.Library, error) {
	content, err := probe.Run(ctx, probe.Source{Path: library})
	if err != nil {
		return nil, fmt.Errorf("%s was compiled but its registrations failed: %w", importPath, err)
	}
	if len(content.Classes) == 0 && len(content.Functions) == 0 {
		return nil, fmt.Errorf("%s registers no class and no function; call selfsame.MustRegister or MustRegisterFunc "+
			"from a package-level variable or from init", importPath)
	}
	return content, nil
}

// prepare fails if target is the folder of a module that was written by hand, or of anything else that is no package of the tool.
func prepare(target, library string) error {
	init := filepath.Join(target, "__init__.py")
	text, err := os.ReadFile(init)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return prepareWithout(target, library)
	case err != nil:
		return err
	case !whole.Written(text, python.Marker):
		return fmt.Errorf("%s was not written by selfsame-ffi build and is not overwritten; give another folder with -o or another name with --name", init)
	}
	return nil
}

// prepareWithout fails if target, which has no module, has more than what a build that was killed may have left.
func prepareWithout(target, library string) error {
	entries, err := os.ReadDir(target)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name != library && name != "py.typed" && name != "__pycache__" && !strings.HasSuffix(name, whole.Unfinished) {
			return fmt.Errorf("the folder %s has %s and was not made by selfsame-ffi build; give another folder with -o or another name with --name",
				target, name)
		}
	}
	return nil
}

// writePackage moves the library into target and writes the module and the package's Python files beside it. The library is in
// a folder beside target, in which a package that is new is made first, so that it comes as a whole.
func writePackage(made pythonPackage, library, target string) error {
	text, err := made.Write()
	if err != nil {
		return err
	}
	release, err := whole.Lock(filepath.Dir(target)) // one build at a time
	if err != nil {
		return err
	}
	defer release()
	folder := target
	if _, err := os.Stat(target); errors.Is(err, os.ErrNotExist) {
		folder = filepath.Join(filepath.Dir(library), "package")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := whole.Sweep(folder); err != nil {
		return err
	}
	if made.Library != "" {
		if err := os.Rename(library, filepath.Join(folder, made.Library)); err != nil {
			return err
		}
	}
	files := slices.Concat(made.more, []pythonFile{{"__init__.py", []byte(text)}, {"py.typed", nil}})
	keep := map[string]bool{}
	for _, f := range files {
		keep[f.name] = true
		if err := whole.File(filepath.Join(folder, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	if err := whole.RemoveOld(folder, "*.py", python.WrapHeader, keep); err != nil {
		return err
	}
	if folder == target {
		return nil
	}
	return os.Rename(folder, target)
}
