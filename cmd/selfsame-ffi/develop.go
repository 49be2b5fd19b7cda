package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/editable"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// developOptions are the flags of `selfsame-ffi develop`.
type developOptions struct {
	buildOptions
	python string
	again  bool // build only: the package is installed already

	backend bool // for pip, in an environment that goes after the build
}

func newDevelopCommand() *cobra.Command {
	var o developOptions
	cmd := &cobra.Command{
		Use:   "develop [DIR...]",
		Short: "Build the Go package in DIR in place, for a Python to import",
		Long: `Develop builds the Go package in DIR (the current folder without one) into DIR/build/develop and installs it into a
Python as an editable package. An import builds it again when a Go file has changed since. Go code that a process has
loaded stays there: importlib.reload raises ImportError when the library has changed, and a new process runs the new code.
pip uninstall removes the package from the Python.`,
		Example: "  selfsame-ffi develop ./geo && python -c 'import geo'",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dirs = args
			if len(args) == 0 {
				o.dirs = []string{"."}
			}
			return develop(cmd.Context(), o, cmd.ErrOrStderr())
		},
	}
	o.sourceFlags(cmd)
	cmd.Flags().StringVar(&o.python, "python", "", "the Python to install into (default: that of the active environment)")
	cmd.Flags().BoolVar(&o.again, "again", false, "build only")
	if err := cmd.Flags().MarkHidden("again"); err != nil {
		panic(err)
	}
	return cmd
}

// develop runs `selfsame-ffi develop` and reports its steps on log.
func develop(ctx context.Context, o developOptions, log io.Writer) error {
	if o.runtime != python.Selfsame {
		return fmt.Errorf("expected --runtime %s, got %s; for the stock package use `selfsame-ffi build`", python.Selfsame, o.runtime)
	}
	for i, dir := range o.dirs {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		o.dirs[i] = absolute
	}
	p, err := o.project(ctx)
	if err != nil {
		return err
	}
	var python *editable.Python
	if !o.again {
		if o.python == "" {
			if o.python, err = interpreter(); err != nil {
				return err
			}
		}
		if python, err = editable.Ask(ctx, o.python); err != nil {
			return err
		}
		if err := python.Accepts(p.dist); err != nil {
			return err
		}
	}
	stamp, err := o.buildInPlace(ctx, p, log)
	if err != nil {
		return err
	}
	if o.again {
		return nil
	}
	metadata, err := p.sourceMetadata()
	if err != nil {
		return err
	}
	if err := python.Install(metadata, p.name, o.out, stamp); err != nil {
		return err
	}
	fmt.Fprintf(log, "%s: `import %s` works in %s. It builds again when a Go file has changed.\n", escape.TerminalLine(o.out), p.name, escape.TerminalLine(o.python))
	return nil
}

// buildInPlace builds the package below the first Go package and returns the path of the stamp that says when to build it again.
func (o *developOptions) buildInPlace(ctx context.Context, p *project, log io.Writer) (stamp string, err error) {
	watched := gosource.Watch(ctx, p.packages)
	state, err := watched.State() // before the build: what changes during it is built again
	if err != nil {
		return "", err
	}
	o.out = filepath.Join(p.packages[0].Dir, "build", "develop")
	if err := buildFolder(ctx, p, o.buildOptions, log); err != nil {
		return "", err
	}
	return o.writeStamp(p, watched, state)
}

// stampFile tells selfsame_ffi_develop when and how to build again.
type stampFile struct {
	Command  []string            `json:"command"`
	Folders  []string            `json:"folders"`
	Suffixes []string            `json:"suffixes"`
	Files    []string            `json:"files"`
	State    map[string][2]int64 `json:"state"`
}

// toolOfThatPython stands in a stamp for the tool of the environment in which the package is imported.
const toolOfThatPython = "selfsame-ffi"

// writeStamp writes the stamp of a build and returns its path.
func (o *developOptions) writeStamp(p *project, watched *gosource.Watched, state map[string][2]int64) (string, error) {
	self := toolOfThatPython
	if !o.backend {
		var err error
		if self, err = os.Executable(); err != nil {
			return "", err
		}
	}
	command := append([]string{self, "develop", "--again"}, o.dirs...)
	if !p.set { // whose name only pyproject.toml says
		command = append(command, "--name", p.name)
	}
	if len(o.tags) > 0 {
		command = append(command, "--tags", strings.Join(o.tags, ","))
	}
	if o.version != "" {
		command = append(command, "--version", o.version)
	}
	text, err := json.Marshal(stampFile{command, watched.Folders, gosource.SourceSuffixes, watched.Files, state})
	if err != nil {
		return "", err
	}
	path := filepath.Join(o.out, p.name+".json")
	return path, whole.File(path, text, 0o644)
}
