package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/client"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/hosted"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

// writeHosted writes a Go package for each Python module.
func (o *bindOptions) writeHosted(ctx context.Context, out io.Writer) error {
	overrides := ""
	if o.overrides != "" {
		if len(o.libraries) > 1 {
			return errors.New("--overrides goes with one module")
		}
		text, err := os.ReadFile(o.overrides)
		if err != nil {
			return err
		}
		overrides = string(text)
	}
	if o.name != "" && len(o.libraries) > 1 {
		return errors.New("--name goes with one module")
	}
	for _, module := range o.libraries {
		name := o.name
		if name == "" {
			name = client.PackageName("py" + strings.ReplaceAll(module, ".", ""))
		}
		folder := o.out
		if folder == "" || len(o.libraries) > 1 {
			folder = filepath.Join(folder, name)
		}
		if err := o.writeHostedModule(ctx, module, overrides, name, folder, out); err != nil {
			return err
		}
	}
	return nil
}

func (o *bindOptions) writeHostedModule(ctx context.Context, module, overrides, name, folder string, out io.Writer) error {
	described, err := pymodule.Read(ctx, o.interpreter, module, overrides)
	if err != nil {
		return err
	}
	text, coverage, err := hosted.File(described, name)
	if err != nil {
		return err
	}
	file := name + ".go"
	before, err := os.ReadFile(filepath.Join(folder, file))
	if err == nil && !strings.HasPrefix(string(before), hosted.Mark) && !o.diff {
		return fmt.Errorf("%s was not written by selfsame-ffi bind and is not overwritten; remove it, or give another folder with --out",
			filepath.Join(folder, file))
	}
	if !o.diff {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if err := writeFiles(folder, map[string]string{file: string(text)}, nil, o.diff, out); err != nil || o.diff {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: package %s: %d typed, %d dynamic, %d left out\n", escape.TerminalLine(folder), name, coverage.Typed,
		len(coverage.Dynamic), len(coverage.LeftOut))
	for _, rows := range []struct {
		what string
		of   []pymodule.Reason
	}{{"dynamic", coverage.Dynamic}, {"left out", coverage.LeftOut}} {
		for _, row := range rows.of {
			if err == nil {
				_, err = fmt.Fprintf(out, "  %s  %s: %s\n", rows.what, escape.TerminalLine(row[0]), escape.TerminalLine(row[1]))
			}
		}
	}
	return err
}
