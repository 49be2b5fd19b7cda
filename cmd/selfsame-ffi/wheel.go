package main

import (
	"context"
	"errors"
	"fmt"
	"go/doc"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/python"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// oldestTvmFFI is the oldest apache-tvm-ffi on which packages for it are tested (docs/compat.md).
const oldestTvmFFI = "0.1.15"

// buildWheel runs `selfsame-ffi build --wheel` and reports its steps on log.
func buildWheel(ctx context.Context, o buildOptions, log io.Writer) error {
	report := progress.New(log, o.verbose)
	to, err := target.Parse(o.target)
	if err != nil {
		return err
	}
	p, err := o.project(ctx)
	if err != nil {
		return err
	}
	if o.dist == "" {
		o.dist = p.name
	}
	if !wheel.IsName(o.dist) {
		return fmt.Errorf("--dist: expected letters, digits, '-', '_' and '.', got %q", o.dist)
	}
	python, _ := interpreter() // for its zig only
	env, err := to.Environment(ctx, python)
	if err != nil {
		return err
	}
	work, err := whole.NewWork(o.out)
	if err != nil {
		return err
	}
	defer work.Close()

	p.goos = to.GOOS()
	library := filepath.Join(work.Path, p.libraryName())
	main := compilation{out: library, release: true, env: env, goos: p.goos, platform: o.target}
	if err := p.compile(ctx, report, main); err != nil {
		return err
	}
	readable := library
	if !to.RunsHere() { // only a library for this machine can be loaded and read
		readable = filepath.Join(work.Path, "here"+p.libraryName())
		if err := p.compile(ctx, report, compilation{out: readable, platform: "this machine, to read it"}); err != nil {
			return err
		}
	}
	content, err := p.reflection(ctx, report, readable)
	if err != nil {
		return err
	}
	tag, err := to.Tag(library)
	if err != nil {
		return fmt.Errorf("no wheel can be made of %s: %w", p.importPaths(), err)
	}
	more, err := p.pythonFiles()
	if err != nil {
		return err
	}
	module := p.module(content)
	module.Extras = extras(more)
	files, err := packageFiles(module, library, more)
	if err != nil {
		return err
	}
	metadata, err := p.metadata(o.dist)
	if err != nil {
		return err
	}
	if metadata.Licenses, err = p.licenses(ctx, env); err != nil {
		return err
	}
	made := &wheel.Wheel{Metadata: metadata, Platform: tag, Files: files}
	file := filepath.Join(o.out, made.FileName())
	if err := report.Step("write "+file, func() error { return writeWheel(made, file) }); err != nil {
		return err
	}
	fmt.Fprintf(log, "%s: for Python 3.9 and later. Next: python -m pip install %s\n", escape.TerminalLine(file), escape.Shell(file))
	return nil
}

// packageFiles returns the files of the Python package, below site-packages.
func packageFiles(module *python.Module, library string, more []pythonFile) ([]wheel.File, error) {
	text, err := module.Write()
	if err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(library)
	if err != nil {
		return nil, err
	}
	files := []wheel.File{
		{Path: path.Join(module.Name, "__init__.py"), Content: []byte(text)},
		{Path: path.Join(module.Name, module.Library), Content: binary, Executable: true},
		{Path: path.Join(module.Name, "py.typed")},
	}
	for _, f := range more {
		files = append(files, wheel.File{Path: path.Join(module.Name, f.name), Content: f.text})
	}
	return files, nil
}

// metadata describes the distribution of the name dist. README.md and LICENSE of the package or its module go into it.
func (p *project) metadata(dist string) (wheel.Metadata, error) {
	first := p.packages[0]
	requires := "selfsame-ffi>=" + release.Version
	if p.runtime == python.TvmFFI {
		requires = "apache-tvm-ffi>=" + oldestTvmFFI
	}
	m := wheel.Metadata{
		Name: dist, Version: p.version, Summary: new(doc.Package).Synopsis(first.Doc), Requires: []string{requires},
	}
	readme, err := firstFile("README.md", first.Dir, first.Module.Dir)
	if err != nil {
		return m, err
	}
	m.Description = string(readme)
	m.License, err = firstFile("LICENSE", first.Dir, first.Module.Dir)
	return m, err
}

// firstFile reads the file of a name from the first of the folders that has one, nil without one.
func firstFile(name string, folders ...string) ([]byte, error) {
	for _, folder := range folders {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		return content, err
	}
	return nil, nil
}

// writeWheel writes a wheel.
func writeWheel(w *wheel.Wheel, file string) error {
	content, err := w.Bytes()
	if err != nil {
		return err
	}
	return whole.File(file, content, 0o644)
}
