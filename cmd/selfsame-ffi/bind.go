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

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/bind"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pywriter"
)

// bindOptions are the flags of `selfsame-ffi bind`.
type bindOptions struct {
	library string
	cpp     bool
	rust    bool
	name    string
	out     string
}

func newBindCommand() *cobra.Command {
	var o bindOptions
	cmd := &cobra.Command{
		Use:   "bind --cpp|--rust LIBRARY",
		Short: "Write a typed C++ header or Rust module for a Go package",
		Long: `Bind reads the classes and functions of LIBRARY (a shared library, the folder of a Python package that build wrote, or a
wheel) and writes a header for C++17 or a module for the Rust crate tvm-ffi. A program loads the library with one call,
geo::load(path) or geo::load(path)?, and then uses the classes: geo::Point p(3, 4); p.norm().`,
		Example: "  selfsame-ffi bind --cpp build/geo -o geo.hpp\n  selfsame-ffi bind --rust build/geo -o src/geo.rs",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("bind: expected one library, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.library = args[0]
			return bindLibrary(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.cpp, "cpp", false, "write a header for C++")
	flags.BoolVar(&o.rust, "rust", false, "write a module for Rust")
	flags.StringVar(&o.name, "name", "", "name of the namespace or module (default: what most registered names begin with)")
	flags.StringVarP(&o.out, "out", "o", "", "file to write (default: standard output)")
	return cmd
}

// bindLibrary runs `selfsame-ffi bind`.
func bindLibrary(ctx context.Context, o bindOptions, out io.Writer) error {
	if o.cpp == o.rust {
		return errors.New("bind: expected either --cpp or --rust")
	}
	_, content, err := readContent(ctx, o.library)
	if err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	if o.name == "" {
		o.name = commonPrefix(content)
	}
	if !pywriter.IsPackageName(o.name) {
		return fmt.Errorf("bind: %q cannot be the name of a namespace; give another with --name", o.name)
	}
	lib := &bind.Library{Name: o.name, Source: filepath.Base(o.library), Content: *content}
	write := bind.CppHeader
	if o.rust {
		write = bind.RustModule
	}
	text, err := write(lib)
	if err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	if o.out == "" {
		_, err := io.WriteString(out, text)
		return err
	}
	return os.WriteFile(o.out, []byte(text), 0o644)
}

// commonPrefix returns the part before the dot of most registered names.
func commonPrefix(content *model.Library) string {
	count := map[string]int{}
	best := ""
	add := func(name string) {
		prefix, _, ok := strings.Cut(name, ".")
		if !ok {
			return
		}
		count[prefix]++
		if count[prefix] > count[best] {
			best = prefix
		}
	}
	for _, c := range content.Classes {
		add(c.Key)
	}
	for _, f := range content.Functions {
		add(f.Name)
	}
	return best
}
