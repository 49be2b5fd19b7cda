package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/bundle"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/editable"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyproject"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/sdist"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// newBackendCommand makes the command that the Python module selfsame_ffi.build runs for each hook of PEP 517 and PEP 660. The
// working folder is that of pyproject.toml, and the result is a line of JSON.
func newBackendCommand() *cobra.Command {
	var settings string
	cmd := &cobra.Command{
		Use:    "backend HOOK [FOLDER]",
		Short:  "Do what a build frontend such as pip asks selfsame_ffi.build for",
		Hidden: true,
		Args:   arguments(1, 2, "a hook and a folder", "wheel dist"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b := backend{log: cmd.ErrOrStderr()}
			if err := json.Unmarshal([]byte(settings), &b.settings); err != nil {
				return fmt.Errorf("backend: --settings: %w", err)
			}
			if len(args) == 2 {
				b.out = args[1]
			}
			result, err := b.run(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(result)
		},
	}
	cmd.Flags().StringVar(&settings, "settings", "{}", "the config_settings, in JSON")
	return cmd
}

// A backend does the work of one hook.
type backend struct {
	settings backendSettings
	out      string
	log      io.Writer
	file     *pyproject.File
}

// backendSettings are the config_settings of `pip -C` and `build -C`.
type backendSettings struct {
	Target string `json:"target"`
	Bundle string `json:"bundle"`
}

// run does the work of a hook and returns its result.
func (b *backend) run(ctx context.Context, hook string) (any, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if b.file, err = pyproject.Read(dir); err != nil {
		return nil, err
	}
	if b.file == nil {
		return nil, fmt.Errorf("%s has no %s with build-backend = %q", dir, pyproject.Name, pyproject.Backend)
	}
	if os.Getenv("GOTOOLCHAIN") == "" { // the requirements name the Go that the module needs
		if err := os.Setenv("GOTOOLCHAIN", "local"); err != nil {
			return nil, err
		}
	}
	needs := requirements{log: b.log, target: b.settings.Target, dirs: b.file.Packages()}
	switch hook {
	case "requires-wheel", "requires-editable":
		return needs.wheel(ctx), nil
	case "requires-sdist":
		return needs.sdist(ctx), nil
	}
	if gosource.ForeignWorkspace(ctx, b.file.Packages()[0]) != "" { // as where an unpacked distribution lies in a repository
		if err := os.Setenv("GOWORK", "off"); err != nil {
			return nil, err
		}
	}
	switch hook {
	case "metadata":
		return b.metadata(ctx, true)
	case "metadata-editable": // which brings no selfsame-ffi along
		return b.metadata(ctx, false)
	case "wheel":
		return b.wheel(ctx)
	case "editable":
		return b.editable(ctx)
	case "sdist":
		return b.sdist(ctx)
	}
	return nil, fmt.Errorf("backend: there is no hook %q", hook)
}

// options returns the flags of `selfsame-ffi build`.
func (b *backend) options() buildOptions {
	o := buildOptions{
		dirs: []string{b.file.Dir}, out: b.out, runtime: python.Selfsame, wheel: true,
		target: cmp.Or(b.settings.Target, os.Getenv("SELFSAME_TARGET")), bundle: b.settings.Bundle,
	}
	if strings.EqualFold(o.bundle, "true") {
		o.bundle = ownPackage
	}
	return o
}

// metadata writes the folder of metadata that the wheel will have, and returns its name. bundles says whether it may have
// selfsame-ffi in it.
func (b *backend) metadata(ctx context.Context, bundles bool) (string, error) {
	o := b.options()
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	restore, err := p.inOneWorkspace(ctx)
	if err != nil {
		return "", err
	}
	defer restore()
	to, err := target.Parse(o.target)
	if err != nil {
		return "", err
	}
	active, _ := interpreter() // for its zig only
	env, err := to.Environment(ctx, active)
	if err != nil {
		return "", err
	}
	var with *bundle.Bundle
	if o.bundle != "" && bundles {
		if with, err = o.bundled(ctx, to); err != nil {
			return "", err
		}
	}
	m, err := p.metadata(to, with)
	if err != nil {
		return "", err
	}
	if err := p.addLicenses(ctx, &m, env); err != nil {
		return "", err
	}
	made := wheel.Wheel{Metadata: m}
	for _, f := range made.Info() {
		file := filepath.Join(b.out, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := whole.File(file, f.Content, 0o644); err != nil {
			return "", err
		}
	}
	return m.InfoFolder(), nil
}

// wheel writes the wheel, and returns its name.
func (b *backend) wheel(ctx context.Context) (string, error) {
	file, _, err := makeWheel(ctx, b.options(), b.log)
	return filepath.Base(file), err
}

// editable builds the package in its folder, writes a wheel that leads there, and returns its name.
func (b *backend) editable(ctx context.Context) (string, error) {
	o := developOptions{buildOptions: b.options(), backend: true}
	if o.target != "" {
		return "", errors.New("an editable installation is for this machine; leave the setting target out")
	}
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	stamp, err := o.buildInPlace(ctx, p, b.log)
	if err != nil {
		return "", err
	}
	m, err := p.sourceMetadata()
	if err != nil {
		return "", err
	}
	made := &wheel.Wheel{Metadata: m, Platform: "any", Files: editable.Files(p.dist, p.name, o.out, stamp)}
	return made.FileName(), writeWheel(made, filepath.Join(b.out, made.FileName()))
}

// sdist writes the source distribution, and returns its name.
func (b *backend) sdist(ctx context.Context) (string, error) {
	o := b.options()
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	m, err := p.sourceMetadata()
	if err != nil {
		return "", err
	}
	for _, field := range []string{"Requires-Python", "Requires-Dist", "License-File"} {
		m.Add("Dynamic", field) // what a wheel says there depends on its platform, on what it brings along, and on what is linked into it
	}
	content, err := sdist.Bytes(ctx, b.file.Dir, p.modules(), m)
	if err != nil {
		return "", err
	}
	name := sdist.Name(m) + ".tar.gz"
	return name, whole.File(filepath.Join(b.out, name), content, 0o644)
}
