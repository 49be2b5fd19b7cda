package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/bindings"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/cpp"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/client"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/rust"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/library"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pycalls"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/shipped"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// bindOptions are the flags of `selfsame-ffi bind`.
type bindOptions struct {
	libraries []string
	cpp       bool
	rust      bool
	golang    bool
	python    bool
	name      string
	out       string
	overrides string
	packages  []string // Python packages whose sources name arguments
	all       bool
	// interpreter is the Python that has the modules of bind --go --python.
	interpreter string
	diff        bool
}

func newBindCommand() *cobra.Command {
	var o bindOptions
	cmd := &cobra.Command{
		Use:   "bind --go|--cpp|--rust|--python LIBRARY...",
		Short: "Write a typed Go, C++, Rust or Python interface of a library",
		Long: `Bind reads the classes and functions of a LIBRARY and writes a Go package, a header for C++17 or a module for the Rust crate
tvm-ffi. LIBRARY is any shared library for the C ABI of tvm-ffi, the folder of a Python package that build wrote, or a wheel; of
several, each may need those before it. A program loads the library with one call, geo.Load(path), geo::load(path) or
geo::load(path)?, and then uses the classes: geo::Point p(3, 4); p.norm().

With --python it writes a module for the package selfsame-ffi, for a library that build did not make. The module loads the
library from its own folder.

With --go and --python, each LIBRARY is the name of a Python module. bind reads its stubs, else its sources, and writes a Go package
for programs that run Python with the Go package host/python; of several modules, each gets a folder in --out. --overrides names
a stub, a file as module.pyi, whose definitions go before those of the module.

With --go alone, --out is the folder of the package. Files that bind wrote there before are replaced or removed, others stay.
What the library does not say, such as names of arguments, --python-package finds in the sources of the Python package that calls
it, and --overrides in a JSON file. For libraries that the tool knows by the names of their files, it has overrides of its own.`,
		Example: "  selfsame-ffi bind --go libxgrammar_bindings.so -o xgrammar\n  selfsame-ffi bind --cpp build/geo -o geo.hpp\n" +
			"  selfsame-ffi bind --rust build/geo -o src/geo.rs\n  selfsame-ffi bind --go --python json -o pyjson",
		Args: arguments(1, many, "a library"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.libraries = args
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.golang, "go", false, "write a Go package")
	flags.BoolVar(&o.cpp, "cpp", false, "write a header for C++")
	flags.BoolVar(&o.rust, "rust", false, "write a module for Rust")
	flags.BoolVar(&o.python, "python", false, "write a Python module")
	flags.StringVar(&o.name, "name", "", "name of the package, namespace or module (default: with --go and --out that of the folder, else what most registered names begin with, else the name of the library)")
	flags.StringVarP(&o.out, "out", "o", "", "file to write (default: standard output); with --go the folder (default: the name)")
	flags.StringVar(&o.overrides, "overrides", "", "file with names and types that the library does not say: JSON, or with --go and --python a stub")
	flags.StringSliceVar(&o.packages, "python-package", nil, "Python package, or its folder, whose sources say how arguments are called; with --overrides, these come last")
	flags.BoolVar(&o.all, "all", false, "with --go: the functions that the library has for itself and for its tests, too")
	flags.StringVar(&o.interpreter, "interpreter", "python3", "the Python that has the packages of --python-package, or the modules of --go and --python and the package typeshed-client")
	flags.BoolVar(&o.diff, "diff", false, "show what would change, and write nothing")
	return cmd
}

// run runs `selfsame-ffi bind`.
func (o *bindOptions) run(ctx context.Context, out io.Writer) error {
	if o.golang && o.python && !o.cpp && !o.rust {
		return o.writeHosted(ctx, out)
	}
	if chosen := len(slices.DeleteFunc([]bool{o.cpp, o.rust, o.golang, o.python}, func(b bool) bool { return !b })); chosen != 1 {
		return errors.New("expected one of --go, --cpp, --rust and --python")
	}
	file, content, err := readContent(ctx, o.libraries...)
	if err != nil {
		return err
	}
	if err := o.say(ctx, content); err != nil {
		return err
	}
	content.InNativeTypes()
	content.JoinOverloads()
	if o.name == "" && o.golang && o.out != "" {
		folder, err := filepath.Abs(o.out)
		if err != nil {
			return err
		}
		o.name = filepath.Base(folder)
	}
	if o.name == "" {
		o.name = commonPrefix(content)
	}
	var sources []string
	for _, path := range o.libraries {
		sources = append(sources, filepath.Base(path))
	}
	if o.name == "" {
		base, _, _ := strings.Cut(sources[0], ".")
		o.name = client.PackageName(strings.TrimPrefix(base, "lib"))
	}
	if o.golang {
		return o.writeGo(content, sources, out)
	}
	if !python.IsPackageName(o.name) || o.cpp && slices.Contains(naming.Cpp.Keywords, o.name) ||
		o.rust && slices.Contains(naming.Rust.Keywords, o.name) {
		return fmt.Errorf("%q cannot be the name of a namespace; give another with --name", o.name)
	}
	text, err := o.text(file, content, sources)
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err := io.WriteString(out, text)
		return err
	}
	if ours, err := whole.IsOurs(o.out, cpp.Mark, rust.Mark, python.BindMarker); err != nil {
		return err
	} else if !ours && !o.diff {
		return fmt.Errorf("%s was not written by selfsame-ffi bind and is not overwritten; remove it, or give another file with --out", o.out)
	}
	folder, name := filepath.Split(o.out)
	return writeFiles(folder, map[string]string{name: text}, nil, o.diff, out)
}

// text returns the text of the header or module.
func (o *bindOptions) text(file *library.File, content *model.Library, sources []string) (string, error) {
	if o.python {
		if file.Extension {
			return "", errors.New("build wrote a Python module for this library already; expected a library that build did not make")
		}
		m := python.Module{
			Name: o.name, Foreign: sources, Namespace: client.CommonNamespace(content), Prefixes: []string{o.name}, Runtime: python.Selfsame,
			Requires: release.Version, Content: *content,
		}
		return m.Write()
	}
	lib := &bindings.Library{Name: o.name, Source: strings.Join(sources, ", "), Content: *content, Foreign: !file.Extension}
	if o.rust {
		return rust.Module(lib)
	}
	return cpp.Header(lib)
}

// say adds what the library does not say: from the overrides of the tool, the sources of Python packages, and the file of overrides.
func (o *bindOptions) say(ctx context.Context, content *model.Library) error {
	if o.golang && !o.all {
		defer client.WithoutPrivate(content)
	}
	if err := shipped.Known(o.libraries, content); err != nil {
		return err
	}
	if len(o.packages) > 0 {
		calls, err := pycalls.Read(ctx, o.interpreter, o.packages)
		if err != nil {
			return err
		}
		calls.Apply(content)
	}
	if o.overrides == "" {
		return nil
	}
	if err := o.override(content); err != nil {
		return fmt.Errorf("%s: %w", o.overrides, err)
	}
	return nil
}

// override applies the file of overrides.
func (o *bindOptions) override(content *model.Library) error {
	file, err := os.Open(o.overrides)
	if err != nil {
		return err
	}
	defer file.Close()
	read, err := model.ReadOverrides(file)
	if err != nil {
		return err
	}
	return read.Apply(content)
}

// writeGo writes the Go package.
func (o *bindOptions) writeGo(content *model.Library, sources []string, out io.Writer) error {
	name := client.PackageName(o.name)
	if o.out == "" {
		o.out = name
	}
	files, err := client.Files(&client.Library{Name: name, Sources: sources, Content: *content})
	if err != nil {
		return err
	}
	old, err := client.Written(o.out)
	if err != nil {
		return err
	}
	if err := writeFiles(o.out, files, old, o.diff, out); err != nil || o.diff {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: package %s, %s, %s\n", escape.TerminalLine(o.out), name, counted(len(content.Classes), "class", "classes"),
		counted(len(content.Functions), "function", "functions"))
	return err
}

// commonPrefix returns the part before the dot of most registered names, "" when none has a dot. The functions of the library's
// module are not registered: a dot is part of their names.
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
		if !f.Module {
			add(f.Name)
		}
	}
	return best
}
