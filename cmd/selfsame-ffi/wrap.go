package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/coverage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/decide"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// wrapOptions are the flags of `selfsame-ffi wrap`.
type wrapOptions struct {
	buildOptions
	wrap.Options
	writeOnly bool
}

func newWrapCommand() *cobra.Command {
	var o wrapOptions
	cmd := &cobra.Command{
		Use:   "wrap IMPORTPATH[@VERSION]... | FOLDER",
		Short: "Make a Python package of any Go package, with no line written",
		Long: `Wrap writes a Go module that registers everything a Go package exports, and builds it: types are classes, interfaces are
base classes that Python classes may implement, errors are exceptions. At the end it prints what is bound, and why the rest is
not. Several packages of one module become one Python package.

The module is yours: the generated files say so at their top, and overrides.go, the folders python and tests, README.md
and VERSION are never changed. A second run with another version says first which names of the Python package come and go.`,
		Example: "  selfsame-ffi wrap github.com/RoaringBitmap/roaring/v2 --wheel\n  selfsame-ffi wrap ./geo --dir geo-python",
		Args:    arguments(1, many, "the import path or the folder of a Go package", "net/url"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"target", "dist", "bundle", "pythons"} {
				if cmd.Flags().Changed(name) && !o.wheel {
					return fmt.Errorf("--%s is for wheels; add --wheel", name)
				}
			}
			return wrapPackages(cmd.Context(), &o, args, cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.buildOptions.name, "name", "", "name of the Python package (default: after the import path)")
	flags.StringVar(&o.Dir, "dir", "", "folder of the Go module to write (default: the name)")
	flags.StringVarP(&o.out, "out", "o", "", "folder to put the Python package or the wheel in (default: build, or dist, in the module's folder)")
	o.wheelFlags(cmd)
	flags.StringSliceVar(&o.Include, "include", nil, "bind these only: names in Go, such as Bitmap or Bitmap.Add, with * and ?")
	flags.StringSliceVar(&o.Exclude, "exclude", nil, "leave these out")
	replaceFlag(cmd, &o.Replace)
	flags.StringVar(&o.GoModule, "module", "", "path of the Go module (default: example.com/NAME, or\nexample.com/NAME-python where that is wrapped)")
	flags.BoolVar(&o.Pyproject, "pyproject", true, "write pyproject.toml, with which pip, uv, build and tox build the module,\nand a workflow that tests and publishes it")
	flags.BoolVar(&o.Accept, "accept", false, "write although names go from the Python package")
	flags.BoolVar(&o.writeOnly, "write-only", false, "write the Go module and do not build it")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "show the commands that are run")
	return cmd
}

// wrapPackages runs `selfsame-ffi wrap` and reports its steps on log.
func wrapPackages(ctx context.Context, o *wrapOptions, args []string, log io.Writer) error {
	if err := gosource.CheckGo(ctx, ""); err != nil {
		return err
	}
	report := progress.New(log, o.verbose)
	for _, arg := range args {
		s, err := wrap.ParseSource(ctx, arg)
		if err != nil {
			return err
		}
		o.Sources = append(o.Sources, s)
	}
	if err := o.complete(); err != nil {
		return err
	}
	last, err := o.lastBuilt()
	if err != nil {
		return err
	}
	o.Before = last.Names
	restore, err := standAlone(ctx)
	if err != nil {
		return err
	}
	defer restore()
	module, err := wrap.Open(ctx, &o.Options)
	if err != nil {
		return err
	}
	defer module.Close()
	if err := report.Step("get "+strings.Join(args, " "), func() error { return module.Require(ctx) }); err != nil {
		return err
	}
	var plan *form.Plan
	err = report.Step("write "+o.Dir, func() error {
		w, made, err := module.Read(ctx)
		if err != nil {
			return err
		}
		plan = made
		return module.Write(w, plan, log)
	})
	if err != nil {
		return err
	}
	if !o.writeOnly {
		if err := o.build(ctx, plan, log); err != nil {
			return err
		}
	}
	coverage.Of(plan).Print(log)
	return nil
}

// standAlone makes the go command obey no go.work file, and no folder vendor, until restore is called: the module that is written
// names all that it needs, no workspace lists it, and nothing is copied into it.
func standAlone(ctx context.Context) (restore func(), err error) {
	return setEnvironment(map[string]string{"GOWORK": "off", "GOFLAGS": gocmd.FlagsAlone(ctx)})
}

// complete fills in the names and folders that were not given.
func (o *wrapOptions) complete() error {
	o.Name = o.buildOptions.name
	if o.Name == "" {
		o.Name = decide.PackageName(o.Sources[0].Path)
		if python.IsStandardModule(o.Name) || python.IsBuiltin(o.Name) {
			o.Name = "go" + o.Name
		}
	}
	switch {
	case !python.IsPackageName(o.Name) || strings.ToLower(o.Name) != o.Name || strings.HasPrefix(o.Name, "_"):
		return fmt.Errorf("%q cannot be the name of the Python package; give another with --name", o.Name)
	case python.IsStandardModule(o.Name):
		return fmt.Errorf("the package %s would hide the module of that name that Python has; give another with --name", o.Name)
	}
	if o.Dir == "" {
		o.Dir = o.Name
	}
	o.Release, o.Dist, o.Wheel = release.Version, o.dist, o.wheel
	var err error
	o.Replace, err = absoluteReplace(o.Replace)
	return err
}

// build builds the module, and gives items that the frontend refuses a reason.
func (o *wrapOptions) build(ctx context.Context, plan *form.Plan, log io.Writer) error {
	b := o.buildOptions
	b.dirs, b.name, b.runtime = []string{o.Dir}, o.Name, python.Selfsame
	b.seen = apichange.Interface{}
	if b.out == "" {
		b.out = filepath.Join(o.Dir, "build")
		if b.wheel {
			b.out = filepath.Join(o.Dir, "dist")
		}
	}
	folder, err := os.MkdirTemp("", "selfsame-ffi-wrap-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	refused := filepath.Join(folder, "refused")
	restore, err := setEnvironment(map[string]string{"SELFSAME_REFUSED": refused}) // for the process that reads the library
	if err != nil {
		return err
	}
	defer restore()
	if b.wheel {
		err = buildWheel(ctx, b, log)
	} else {
		err = build(ctx, b, log)
	}
	if err != nil {
		return err
	}
	if err := o.compare(b.seen, log); err != nil {
		return err
	}
	text, err := os.ReadFile(refused)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(text)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if !plan.Refuse(name, reason) {
			fmt.Fprintf(log, "%s: %s\n", escape.TerminalLine(name), escape.TerminalLine(reason))
		}
	}
	return nil
}
