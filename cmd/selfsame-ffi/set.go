package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Why the packages of a set import a further package, which has the library. Each Go library in a process brings a runtime of its own:
// a heap, its threads, a copy of the frontend. A library of several packages has these once. It lies in one package, as any of the set
// may be imported first and none of them is more than the others. That package says in a list of installed ones what belongs
// together, and its name is that of the distribution.

// names returns those of the Python packages that users import.
func (p *project) names() []string {
	if !p.set {
		return []string{p.name}
	}
	names := make([]string, len(p.packages))
	for i, pkg := range p.packages {
		names[i] = pkg.Name
	}
	return append(names, p.name)
}

// nameFlag returns the flag that gives the project another name.
func (p *project) nameFlag() string {
	if p.set {
		return "--set, or rename the Go package"
	}
	return "--name"
}

// modules returns the folders of the packages' Go modules.
func (p *project) modules() []string {
	var folders []string
	for _, pkg := range p.packages {
		if !slices.Contains(folders, pkg.Module.Dir) {
			folders = append(folders, pkg.Module.Dir)
		}
	}
	return folders
}

// checkSet fails when the packages cannot be a set. name is that of --name.
func (p *project) checkSet(name string) error {
	switch {
	case name != "":
		return fmt.Errorf("--set: its packages have the names of the Go packages; leave --name out, got %q", name)
	case p.runtime != python.Selfsame:
		return fmt.Errorf("--set: expected --runtime %s, got %s", python.Selfsame, p.runtime)
	}
	for i, name := range p.names() {
		if at := slices.Index(p.names()[:i], name); at >= 0 {
			return fmt.Errorf("--set: two Python packages would have the name %s; rename the Go package in %s, or the set", name, p.packages[at].Dir)
		}
	}
	return nil
}

// setDoc says what the set consists of.
func (p *project) setDoc() string {
	names := p.names()[:len(p.packages)]
	return fmt.Sprintf("The Python packages %s, which share one library of Go code.", strings.Join(names, ", "))
}

// setOf describes the Python packages of a set: first, which has the library, and one for each Go package. Each has what is registered
// under its name, and what belongs to none of the set.
func (p *project) setOf(ctx context.Context, first python.Module, content *model.Library) ([]pythonPackage, error) {
	first.Doc = p.setDoc()
	made := []pythonPackage{{Module: &first}}
	names, hasVersions := p.names(), len(p.modules()) > 1
	ofNone := func(name string) bool {
		prefix, _, _ := strings.Cut(name, ".")
		return !slices.Contains(names, prefix)
	}
	for _, pkg := range p.packages {
		one := python.Module{
			Name: pkg.Name, Set: p.name, ImportPath: pkg.ImportPath, Doc: pkg.Doc, Prefixes: []string{pkg.Name}, Version: p.version,
			Runtime: p.runtime, Content: *content,
		}
		one.Content.Classes, one.Content.Functions = nil, nil
		for _, c := range content.Classes {
			if at := slices.IndexFunc(c.Joined, one.Owns); at >= 0 {
				c.Alias = c.Joined[at]
			} else if !one.Owns(c.Key) && !ofNone(c.Key) {
				continue
			}
			one.Content.Classes = append(one.Content.Classes, c)
		}
		for _, f := range content.Functions {
			if one.Owns(f.Name) || ofNone(f.Name) {
				one.Content.Functions = append(one.Content.Functions, f)
			}
		}
		if hasVersions {
			if own, err := wheel.FindVersion(ctx, pkg.Dir, pkg.Module.Dir); err == nil {
				one.Version = own
			}
		}
		more, err := pythonFiles([]*gosource.Package{pkg})
		if err != nil {
			return nil, err
		}
		one.Extras = extras(more)
		made = append(made, pythonPackage{&one, more})
	}
	for i, pkg := range p.packages {
		for j, other := range p.packages {
			if slices.Contains(pkg.Deps, other.ImportPath) {
				made[i+1].Imported = append(made[i+1].Imported, made[j+1].Module)
			}
		}
	}
	return made, nil
}

// inOneWorkspace lets the go command see the modules of the packages together until restore is called. It does nothing where the
// packages are of one module, or of a workspace of the user's.
func (p *project) inOneWorkspace(ctx context.Context) (restore func(), err error) {
	folders := p.modules()
	if len(folders) == 1 {
		return func() {}, nil
	}
	first := p.packages[0].Dir
	used, err := gocmd.Command(ctx, first, nil, "env", "GOWORK").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOWORK: %w", err)
	}
	if file := strings.TrimSpace(string(used)); file != "" && file != "off" {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp("", "selfsame-ffi-set-*")
	if err != nil {
		return nil, err
	}
	unset, err := setEnvironment(map[string]string{"GOWORK": filepath.Join(folder, "go.work")})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	restore = func() {
		unset()
		_ = os.RemoveAll(folder)
	}
	if err := p.makeWorkspace(ctx, folders); err != nil {
		restore()
		return nil, fmt.Errorf("the Go modules of a set cannot be built together: %w", err)
	}
	return restore, nil
}

// makeWorkspace writes the file that GOWORK names, and what go.sum of no module has: the version that one module requires of what
// another one uses.
func (p *project) makeWorkspace(ctx context.Context, folders []string) error {
	run := func(args ...string) (string, error) {
		said, err := gocmd.Command(ctx, p.packages[0].Dir, []string{"CGO_ENABLED=1"}, args...).CombinedOutput()
		if err != nil {
			return string(said), fmt.Errorf("go %s: %w\n%s", strings.Join(args[:2], " "), err, strings.TrimSpace(string(said)))
		}
		return "", nil
	}
	if _, err := run(append([]string{"work", "init"}, folders...)...); err != nil {
		return err
	}
	list := []string{"list", "-deps", "-tags", strings.Join(p.tags, ",")}
	for _, pkg := range p.packages {
		list = append(list, pkg.ImportPath)
	}
	if said, err := run(list...); !strings.Contains(said, "go.sum") {
		return err
	}
	_, err := run("mod", "download")
	return err
}
