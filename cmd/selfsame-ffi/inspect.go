package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/library"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/listing"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/probe"
)

func newInspectCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect LIBRARY...",
		Short: "List the classes and functions that a library registers",
		Long: `Inspect loads libraries in a process of its own, in turn, and lists what they register, with types and docs. LIBRARY is
any shared library for the C ABI of tvm-ffi, the folder of a Python package that build wrote, or a wheel.`,
		Example: "  selfsame-ffi inspect build/geo\n  selfsame-ffi inspect --json dist/geo-0.1.0-*.whl",
		Args:    arguments(1, many, "a library"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inspect(cmd.Context(), args, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// inspection is what `inspect --json` writes.
type inspection struct {
	*library.File
	*model.Library
}

// inspect lists the libraries at paths on out. The first is described as a file, too.
func inspect(ctx context.Context, paths []string, asJSON bool, out, log io.Writer) error {
	file, content, err := readContent(ctx, paths...)
	if err != nil {
		return err
	}
	if hint := withoutABI(file, content); hint != "" {
		fmt.Fprintln(log, "inspect: "+escape.TerminalLine(paths[0]+": "+hint))
	}
	if asJSON {
		return writeJSON(out, inspection{file, content})
	}
	if _, err := fmt.Fprintf(out, "%s\n%s\n\n", escape.TerminalLine(strings.Join(paths, ", ")), escape.TerminalLine(about(file, content))); err != nil {
		return err
	}
	return listing.Write(out, content, isTerminal(out))
}

// writeJSON writes a value as JSON that a terminal may show.
func writeJSON(out io.Writer, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := out.Write(escape.JSON(text.Bytes()))
	return err
}

// readContent reads the libraries that paths name, without leaving files behind. The first file is that of the first path.
func readContent(ctx context.Context, paths ...string) (*library.File, *model.Library, error) {
	work, err := os.MkdirTemp("", "selfsame-ffi-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	var first *library.File
	var sources []probe.Source
	for _, path := range paths {
		found, err := library.Find(path, work)
		if err != nil {
			return nil, nil, err
		}
		file, err := library.Open(found)
		if err != nil {
			return nil, nil, err
		}
		file.Path = path
		if !file.RunsOn(runtime.GOOS, runtime.GOARCH) {
			return nil, nil, fmt.Errorf("%s is for %s and cannot be loaded on this machine (%s); inspect one that was built for it",
				path, file.Place(), library.Place(runtime.GOOS, runtime.GOARCH))
		}
		first = cmp.Or(first, file)
		sources = append(sources, probe.Source{Path: found, Exports: file.Exports})
	}
	content, err := probe.Run(ctx, sources...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), err)
	}
	return first, content, nil
}

// withoutABI says what a library that registers nothing lacks, "" for any other.
func withoutABI(file *library.File, content *model.Library) string {
	if len(content.Classes) > 0 || len(content.Functions) > 0 {
		return ""
	}
	if slices.ContainsFunc(file.Undefined, func(name string) bool { return strings.HasPrefix(name, "TVMFFI") }) || file.Extension {
		return "it uses the C ABI of tvm-ffi and registers nothing when it is loaded"
	}
	return "it does not use the C ABI of tvm-ffi (no symbol TVMFFI... or __tvm_ffi_...), so it has nothing to list; expected a library for that ABI, " +
		"such as selfsame-ffi build makes"
}

// about returns one line on a library.
func about(file *library.File, content *model.Library) string {
	parts := []string{
		counted(len(content.Classes), "class", "classes"), counted(len(content.Functions), "function", "functions"), file.Machine,
	}
	if file.ABI != "" {
		parts = append(parts, "C ABI "+file.ABI)
	}
	if file.Go != "" {
		parts = append(parts, file.Go)
	}
	return strings.Join(parts, ", ")
}

// isTerminal reports whether text for out may have colours.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
