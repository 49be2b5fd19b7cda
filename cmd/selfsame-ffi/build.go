package main

import (
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

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/extension"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/probe"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pywriter"
)

// buildOptions are the flags of `selfsame-ffi build`.
type buildOptions struct {
	dir     string
	out     string
	name    string
	tags    []string
	runtime string
	verbose bool
}

func newBuildCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:   "build DIR",
		Short: "Make an importable Python package of the Go package in DIR",
		Long: `Build compiles the Go package in DIR into a shared library and writes the Python package that loads it: OUT/NAME/_NAME.so
with OUT/NAME/__init__.py (typed classes and functions, with docstrings) and OUT/NAME/py.typed. Nothing is written into DIR.`,
		Example: "  selfsame-ffi build ./geo\n  PYTHONPATH=build python -c 'import geo'",
		Args:    oneFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dir = args[0]
			return build(cmd.Context(), o, cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "out", "o", "build", "folder to put the Python package in")
	flags.StringVar(&o.name, "name", "", "name of the Python package (default: the name of the Go package)")
	flags.StringSliceVar(&o.tags, "tags", nil, "build tags of the Go package, separated by commas")
	flags.StringVar(&o.runtime, "runtime", pywriter.Selfsame, "Python package whose runtime the extension uses: "+
		pywriter.Selfsame+", or "+pywriter.TvmFFI+" for the stock package tvm_ffi")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "show the commands that are run")
	return cmd
}

// oneFolder accepts exactly one argument; its error says what the argument means.
func oneFolder(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("build: expected one folder, that of a Go package, got %d arguments; try `selfsame-ffi build ./geo`", len(args))
	}
	return nil
}

// build runs `selfsame-ffi build` and reports its steps on log.
func build(ctx context.Context, o buildOptions, log io.Writer) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("build makes extensions for Linux only so far, and this is %s", runtime.GOOS)
	}
	if o.runtime != pywriter.Selfsame && o.runtime != pywriter.TvmFFI {
		return fmt.Errorf("--runtime: expected %s or %s, got %q", pywriter.Selfsame, pywriter.TvmFFI, o.runtime)
	}
	report := progress.New(log, o.verbose)
	tags := append([]string{gosource.SharedTag}, o.tags...)
	if o.runtime == pywriter.TvmFFI {
		tags = append(tags, gosource.TvmFFITag)
	}
	pkg, err := gosource.Find(o.dir, tags)
	if err != nil {
		return err
	}
	if o.name == "" {
		o.name = pkg.Name
	}
	if !pywriter.IsPackageName(o.name) {
		return fmt.Errorf("%q cannot be the name of a Python package; give another with --name", o.name)
	}
	if pywriter.IsStandardModule(o.name) {
		return fmt.Errorf("the package %s would hide the module of that name that Python has; give another name with --name", o.name)
	}
	target := filepath.Join(o.out, o.name)
	if err := prepare(target); err != nil {
		return err
	}
	// Files are made in a folder beside the target and renamed into it at the end: a build that fails changes nothing, and
	// a running Python keeps the old library mapped.
	work, err := workFolder(o.out)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	library := filepath.Join(work, "_"+o.name+".so")
	if err := report.Step("compile "+pkg.ImportPath, func() error {
		return extension.Compile(ctx, pkg, library, work, tags, report.Detail)
	}); err != nil {
		return err
	}
	var content *model.Library
	if err := report.Step("read its classes and functions", func() (err error) {
		content, err = reflection(ctx, pkg, library, tags)
		return err
	}); err != nil {
		return err
	}
	module := &pywriter.Module{
		Name: o.name, ImportPath: pkg.ImportPath, Doc: pkg.Doc, Library: filepath.Base(library),
		Prefixes: slices.Compact([]string{o.name, pkg.Name}), Runtime: o.runtime, Content: *content,
	}
	if err := report.Step("write "+target, func() error { return writePackage(module, library, target) }); err != nil {
		return err
	}
	for _, f := range content.Functions {
		if !module.Owns(f.Name) {
			report.Detail(fmt.Sprintf("%s is not in the module: its name does not begin with %s.", f.Name, o.name))
		}
	}
	fmt.Fprintf(log, "%s: %s, %s. Next: PYTHONPATH=%s python -c 'import %s; help(%s)'\n", target,
		counted(len(content.Classes), "class", "classes"), counted(len(content.Functions), "function", "functions"), o.out, o.name, o.name)
	return nil
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// workFolder makes a temporary folder in out and returns its absolute path.
func workFolder(out string) (string, error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(out, ".selfsame-build-*")
	if err != nil {
		return "", err
	}
	return filepath.Abs(work)
}

// reflection reads the classes and functions that the library registers, and adds comments and names from the source.
func reflection(ctx context.Context, pkg *gosource.Package, library string, tags []string) (*model.Library, error) {
	content, err := probe.Run(ctx, library)
	if err != nil {
		return nil, fmt.Errorf("%s was compiled but its registrations failed: %w", pkg.ImportPath, err)
	}
	if len(content.Classes) == 0 && len(content.Functions) == 0 {
		return nil, fmt.Errorf("%s registers no class and no function; call selfsame.MustRegister or MustRegisterFunc "+
			"from a package-level variable or from init", pkg.ImportPath)
	}
	names, err := gosource.ReadNames(pkg, tags)
	if err != nil {
		return nil, err
	}
	pywriter.Fill(content, names)
	return content, nil
}

// prepare fails if target holds a module that was written by hand.
func prepare(target string) error {
	init := filepath.Join(target, "__init__.py")
	text, err := os.ReadFile(init)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !strings.HasPrefix(string(text), pywriter.Marker):
		return fmt.Errorf("%s was not written by selfsame-ffi build and is not overwritten; give another folder with -o or another name with --name", init)
	}
	return nil
}

// writePackage moves the library into target and writes the module beside it.
func writePackage(module *pywriter.Module, library, target string) error {
	text, err := module.Write()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	if err := os.Rename(library, filepath.Join(target, module.Library)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(target, "__init__.py"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(target, "py.typed"), nil, 0o644)
}
