package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/packed"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// packOptions are the flags of `selfsame-ffi pack`.
type packOptions struct {
	requirements               []string
	out, platform, interpreter string
	links                      []string
}

func newPackCommand() *cobra.Command {
	var o packOptions
	cmd := &cobra.Command{
		Use:   "pack [REQUIREMENT...]",
		Short: "Pack Python packages for a Go program that brings Python along",
		Long: `Pack writes a Go package with an archive of Python packages, which a program that imports host/python/embedded brings along.
Each REQUIREMENT is one of pip's, such as numpy==2.4.6, or the file of a wheel. pip fetches wheels for CPython 3.14 and the platform;
selfsame-ffi of the tool's version is among them without being named. The Go package then needs no Python to be built or run. For
the platform of this machine, Linux libraries that the wheels expect of the system, such as the C++ library, are packed too.

Packages for several platforms lie in one folder: go build takes that of its target.`,
		Example: "  selfsame-ffi pack numpy scikit-learn -o pypackages\n  selfsame-ffi pack numpy -o pypackages --platform darwin/arm64",
		Args:    arguments(0, many, "a requirement"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.requirements = args
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "out", "o", "pypackages", "folder of the Go package, whose name is the folder's")
	flags.StringVar(&o.platform, "platform", packed.Here(), "system and processor, as Go names them")
	flags.StringVar(&o.interpreter, "interpreter", "python3", "a Python of any version that has pip")
	flags.StringArrayVar(&o.links, "find-links", nil, "folder with wheels that pip looks into too; may be given again")
	return cmd
}

// run runs `selfsame-ffi pack`.
func (o *packOptions) run(ctx context.Context, out io.Writer) error {
	requirements := o.requirements
	if !slices.ContainsFunc(requirements, isOwnWheel) {
		requirements = append(slices.Clone(requirements), "selfsame-ffi=="+release.Version)
	}
	archive, names, err := packed.Fetch(ctx, o.interpreter, o.platform, requirements, o.links)
	if err != nil {
		return err
	}
	absolute, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	files, err := packed.GoPackage(filepath.Base(absolute), o.platform, archive, names)
	if err != nil {
		return err
	}
	if err := o.write(files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s, %.1f MB\n", escape.TerminalLine(o.out), escape.TerminalLine(strings.Join(names, ", ")), float64(len(archive))/1e6)
	return err
}

// write writes the files, the archive before the source that embeds it. One run at a time writes in the folder.
func (o *packOptions) write(files map[string][]byte) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	unlock, err := whole.Lock(o.out)
	if err != nil {
		return err
	}
	defer unlock()
	if err := whole.Sweep(o.out); err != nil {
		return err
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(files))) {
		if err := whole.File(filepath.Join(o.out, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// isOwnWheel reports whether a requirement is the project's own distribution.
func isOwnWheel(requirement string) bool {
	name := strings.ToLower(strings.ReplaceAll(filepath.Base(requirement), "_", "-"))
	return strings.HasPrefix(name, "selfsame-ffi")
}
