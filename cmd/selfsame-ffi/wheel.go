package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/doc"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/bundle"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
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
	if strings.EqualFold(o.target, target.All) {
		return buildWheels(ctx, o, log)
	}
	made, err := oneWheel(ctx, o, log)
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "%s: for Python %s\n", escape.TerminalLine(made.file), made.pythons)
	_, err = fmt.Fprint(log, made.next())
	return err
}

// buildWheels makes a wheel for each target. It goes on after one that cannot be made, and fails at the end.
func buildWheels(ctx context.Context, o buildOptions, log io.Writer) error {
	var made []madeWheel
	var failed []string
	for _, name := range target.Every {
		o.target = name
		one, err := oneWheel(ctx, o, log)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(log, "%s: %s\n", name, escape.Terminal(err.Error()))
			failed = append(failed, name)
			continue
		}
		made = append(made, one)
	}
	fmt.Fprintln(log)
	for _, one := range made {
		fmt.Fprintf(log, "%s: for Python %s\n", escape.TerminalLine(one.file), one.pythons)
	}
	if i := slices.IndexFunc(made, func(one madeWheel) bool { return one.to.RunsHere() }); i >= 0 {
		fmt.Fprint(log, made[i].next())
	}
	if failed != nil {
		return fmt.Errorf("no wheel was made for %s, see above", strings.Join(failed, ", "))
	}
	return nil
}

// A madeWheel is a wheel that was written.
type madeWheel struct {
	file    string
	to      target.Target
	pythons string // that it is for, for the user
	needs   string // its requirement of selfsame-ffi, "" for none
}

// oneWheel makes the wheel for one target.
func oneWheel(ctx context.Context, o buildOptions, log io.Writer) (made madeWheel, err error) {
	if made.to, err = target.Parse(o.target); err != nil {
		return made, err
	}
	file, m, err := makeWheel(ctx, o, log)
	made.file, made.pythons = file, m.Python
	if there := made.to.Pythons(); o.bundle == "" && o.runtime == python.Selfsame && there.Newest != 0 {
		made.pythons += fmt.Sprintf("; selfsame-ffi has wheels for Python %s there", there)
	}
	if i := slices.IndexFunc(m.Requires, func(r string) bool { return strings.HasPrefix(r, "selfsame-ffi") }); i >= 0 {
		made.needs = m.Requires[i]
	}
	return made, err
}

// next says how the wheel is installed.
func (w madeWheel) next() string {
	text, where, find := "", "", ""
	if !w.to.RunsHere() {
		where = "on a machine of that platform, "
	}
	if w.needs != "" {
		text = fmt.Sprintf("It requires %s, which comes from where this tool comes from: `make wheels` of a clone writes wheels of it into "+
			"build/dist, for pip's --find-links. With --bundle the wheel has it and needs nothing else.\n", w.needs)
		if clone := release.Checkout(); clone != "" && w.to.RunsHere() {
			find = "--find-links " + escape.Shell(filepath.Join(clone, "build", "dist")) + " "
		} else if clone != "" {
			where, find = "on a machine of that platform, beside a copy of the clone's build/dist, ", "--find-links dist "
		}
	}
	return text + fmt.Sprintf("Next: %spython -m pip install %s%s\n", where, find, escape.Shell(w.file))
}

// makeWheel writes a wheel and returns its path.
func makeWheel(ctx context.Context, o buildOptions, log io.Writer) (file string, m wheel.Metadata, err error) {
	report := progress.New(log, o.verbose)
	to, err := target.Parse(o.target)
	if err != nil {
		return "", m, err
	}
	p, err := o.project(ctx)
	if err != nil {
		return "", m, err
	}
	restore, err := p.inOneWorkspace(ctx)
	if err != nil {
		return "", m, err
	}
	defer restore()
	python, _ := interpreter() // for its zig only
	env, err := to.Environment(ctx, python)
	if err != nil {
		return "", m, err
	}
	var with *bundle.Bundle
	if o.bundle != "" {
		if with, err = o.bundled(ctx, to); err != nil {
			return "", m, err
		}
	}
	metadata, err := p.metadata(to, with)
	if err != nil {
		return "", m, err
	}
	work, err := whole.NewWork(o.out)
	if err != nil {
		return "", m, err
	}
	defer work.Close()

	p.goos = to.GOOS()
	library := filepath.Join(work.Path, p.libraryName())
	main := compilation{out: library, release: true, env: env, goos: p.goos, platform: o.target}
	if err := p.compile(ctx, report, main); err != nil {
		return "", m, err
	}
	readable := library
	if !to.RunsHere() { // only a library for this machine can be loaded and read
		readable = filepath.Join(work.Path, "here"+p.libraryName())
		if err := p.compile(ctx, report, compilation{out: readable, platform: "this machine, to read it"}); err != nil {
			return "", m, err
		}
	}
	content, err := p.reflection(ctx, report, readable)
	if err != nil {
		return "", m, err
	}
	tag, err := to.Tag(library)
	if err != nil {
		return "", m, fmt.Errorf("no wheel can be made of %s: %w", p.importPaths(), err)
	}
	if with != nil {
		if tag, err = oldestFor(tag, to, with, work.Path); err != nil {
			return "", m, err
		}
	}
	packages, err := p.pythonPackages(ctx, content)
	if err != nil {
		return "", m, err
	}
	var files []wheel.File
	for _, one := range packages {
		if err := o.see(one); err != nil {
			return "", m, err
		}
		if with != nil {
			one.Bundle = bundle.Module(p.dist)
		}
		more, err := packageFiles(one, library)
		if err != nil {
			return "", m, err
		}
		files = append(files, more...)
	}
	if err := p.addLicenses(ctx, &metadata, env); err != nil {
		return "", m, err
	}
	if with != nil {
		files = append(files, with.Files(p.dist)...)
	}
	made := &wheel.Wheel{Metadata: metadata, Platform: tag, Files: files}
	file = filepath.Join(o.out, made.FileName())
	warnOfSameVersion(report, file, made)
	return file, metadata, report.Step("write "+file, func() error { return writeWheel(made, file) })
}

// metadata describes the wheel for a target, with the selfsame-ffi that is in it or nil. It lacks what addLicenses adds.
func (p *project) metadata(to target.Target, with *bundle.Bundle) (wheel.Metadata, error) {
	m, err := p.sourceMetadata()
	if err != nil {
		return m, err
	}
	return m, p.served(&m, to, with)
}

// addLicenses adds the licences of what is linked into the library. env is that of the go command.
func (p *project) addLicenses(ctx context.Context, m *wheel.Metadata, env []string) error {
	licenses, err := p.licenses(ctx, env)
	m.Licenses = append(m.Licenses, licenses...)
	return err
}

// warnOfSameVersion warns when a wheel of the same version has other files: pip does not replace an installed package by one of the
// same version.
func warnOfSameVersion(report *progress.Reporter, file string, made *wheel.Wheel) {
	before, err := os.ReadFile(file)
	if err != nil {
		return // there is none
	}
	if now, err := made.Bytes(); err == nil && !bytes.Equal(before, now) {
		report.Warning(fmt.Sprintf("%s has other code under the same version %s, and pip keeps what it has installed of a version: raise it "+
			"(by a tag, the file VERSION or pyproject.toml), or install with --force-reinstall", file, made.Metadata.Version))
	}
}

// packageFiles returns the files of the Python package, below site-packages.
func packageFiles(made pythonPackage, library string) ([]wheel.File, error) {
	text, err := made.Write()
	if err != nil {
		return nil, err
	}
	files := []wheel.File{
		{Path: path.Join(made.Name, "__init__.py"), Content: []byte(text)},
		{Path: path.Join(made.Name, "py.typed")},
	}
	if made.Library != "" {
		binary, err := os.ReadFile(library)
		if err != nil {
			return nil, err
		}
		files = append(files, wheel.File{Path: path.Join(made.Name, made.Library), Content: binary, Executable: true})
	}
	for _, f := range made.more {
		files = append(files, wheel.File{Path: path.Join(made.Name, f.name), Content: f.text})
	}
	return files, nil
}

// sourceMetadata describes the distribution, whatever it is for: by pyproject.toml where there is one, else by README.md and LICENSE of the package or its
// module.
func (p *project) sourceMetadata() (wheel.Metadata, error) {
	first := p.packages[0]
	requires := "selfsame-ffi>=" + release.Version
	if p.runtime == python.TvmFFI {
		requires = "apache-tvm-ffi>=" + oldestTvmFFI
	}
	m := wheel.Metadata{
		Name: p.dist, Version: p.version, Summary: new(doc.Package).Synopsis(first.Doc), Requires: []string{requires},
	}
	folders := []string{first.Dir, first.Module.Dir}
	if p.set {
		m.Summary, folders = p.setDoc(), nil
		if len(p.modules()) == 1 {
			folders = []string{first.Module.Dir}
		}
	}
	readme, err := firstFile("README.md", folders...)
	if err != nil {
		return m, err
	}
	m.Description = string(readme)
	if m.License, err = firstFile("LICENSE", folders...); err != nil || p.pyproject == nil {
		return m, err
	}
	return m, p.pyproject.Fill(&m)
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
