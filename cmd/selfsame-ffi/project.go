package main

import (
	"cmp"
	"context"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/borrowed"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/compile"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyproject"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
)

// A project is what one Python package is made of.
type project struct {
	packages []*gosource.Package // the first gives the Python package its doc
	tags     []string
	name     string // of the Python package
	set      bool   // each Go package is a Python package of its own; name is that of the one with the library, which they import
	dist     string // of the distribution
	version  string
	runtime  string
	goos     string // the system that it is for, as GOOS has it

	pyproject *pyproject.File // nil without one
}

// libraryName returns the file name of the shared library.
func (p *project) libraryName() string {
	if p.goos == "windows" {
		return "_" + p.name + ".dll"
	}
	return "_" + p.name + ".so"
}

// importPaths names the Go packages.
func (p *project) importPaths() string {
	paths := make([]string, len(p.packages))
	for i, pkg := range p.packages {
		paths[i] = pkg.ImportPath
	}
	return strings.Join(paths, " and ")
}

// compilation says where a library is compiled to, and for which machine.
type compilation struct {
	out      string
	release  bool
	env      []string
	goos     string // "" for this machine's
	platform string // for the user, "" for this machine
}

// compile makes the shared library.
func (p *project) compile(ctx context.Context, report *progress.Reporter, c compilation) error {
	step := "compile " + p.importPaths()
	if p.set {
		step = "compile the library of " + p.name
	}
	if c.platform != "" {
		step += " for " + c.platform
	}
	if c.env == nil {
		python, _ := interpreter() // for its zig only
		env, err := target.Here(ctx, python)
		if err != nil {
			return err
		}
		if env != nil {
			step += " with zig, as there is no C compiler"
		}
		c.env = env
	}
	return report.Step(step, func() error {
		return compile.Library(ctx, p.packages, compile.Options{
			Out: c.out, GOOS: cmp.Or(c.goos, runtime.GOOS), Tags: p.tags, Release: c.release, Env: c.env, Warn: report.Warning,
			Compiled: report.Package,
		}, report.Detail)
	})
}

// warnBorrowed warns of pointers that are used when nothing keeps their handle.
func (p *project) warnBorrowed(report *progress.Reporter) error {
	for _, pkg := range p.packages {
		found, err := borrowed.Check(pkg)
		if err != nil {
			return err
		}
		for _, f := range found {
			report.Warning(f.String())
		}
	}
	return nil
}

// reflection reads the classes and functions that the library registers, and adds comments and names from the sources.
func (p *project) reflection(ctx context.Context, report *progress.Reporter, library string) (content *model.Library, err error) {
	if err := p.warnBorrowed(report); err != nil {
		return nil, err
	}
	err = report.Step("read its classes and functions", func() error {
		if content, err = readLibrary(ctx, p.importPaths(), library); err != nil {
			return err
		}
		for _, pkg := range p.packages {
			names, err := gosource.ReadNames(pkg, p.tags)
			if err != nil {
				return err
			}
			python.Fill(content, names)
		}
		return nil
	})
	return content, err
}

// A pythonPackage is a Python package that is made: its module, and the files beside it.
type pythonPackage struct {
	*python.Module
	more []pythonFile
}

// pythonPackages describes the Python packages: one, or that with the library of a set and those of its Go packages.
func (p *project) pythonPackages(ctx context.Context, content *model.Library) ([]pythonPackage, error) {
	first := python.Module{
		Name: p.name, ImportPath: p.importPaths(), Library: p.libraryName(), Version: p.version, Runtime: p.runtime, Requires: release.Version,
	}
	if p.set {
		return p.setOf(ctx, first, content)
	}
	first.Doc, first.Prefixes, first.Content = p.packages[0].Doc, []string{p.name}, *content
	for _, pkg := range p.packages {
		if pkg.Name != p.name {
			first.Prefixes = append(first.Prefixes, pkg.Name)
		}
	}
	more, err := pythonFiles(p.packages)
	first.Extras = extras(more)
	return []pythonPackage{{&first, more}}, err
}
