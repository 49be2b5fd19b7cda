package main

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/scaffold"
)

// newOptions are the flags of `selfsame-ffi new`.
type newOptions struct {
	name    string
	dir     string
	module  string
	replace string
}

func newNewCommand() *cobra.Command {
	var o newOptions
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a new Go package for Python",
		Long: `New makes the folder NAME with a Go module whose package NAME has a class and a function, tests in Go and in Python, and
a CI file for GitHub. Everything in it passes as it is.`,
		Example: "  selfsame-ffi new accounts && cd accounts && selfsame-ffi develop",
		Args:    arguments(1, 1, "the name of a package", "accounts"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			return newProject(cmd.Context(), o, cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.dir, "dir", "", "folder to write (default: NAME)")
	flags.StringVar(&o.module, "module", "", "path of the Go module (default: example.com/NAME)")
	replaceFlag(cmd, &o.replace)
	return cmd
}

// wellFormed are names of packages as far as their letters go.
var wellFormed = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// newProject runs `selfsame-ffi new` and reports its steps on log.
func newProject(ctx context.Context, o newOptions, log io.Writer) error {
	switch {
	case wellFormed.MatchString(o.name) && !python.IsPackageName(o.name):
		return fmt.Errorf("%s is a keyword of Python, or a name that the generated module uses, and cannot be the name of a package; give another", o.name)
	case !python.IsPackageName(o.name) || strings.ToLower(o.name) != o.name || strings.HasPrefix(o.name, "_"):
		return fmt.Errorf("expected a name of small letters, digits and underscores that begins with a letter, got %q", o.name)
	case token.IsKeyword(o.name) || o.name == "main":
		return fmt.Errorf("%s has a meaning in Go and cannot be the name of a package; give another", o.name)
	case python.IsStandardModule(o.name):
		return fmt.Errorf("the package %s would hide the module of that name that Python has; give another name", o.name)
	}
	if o.dir == "" {
		o.dir = o.name
	}
	if o.module == "" {
		o.module = "example.com/" + o.name
	}
	replace, err := absoluteReplace(o.replace)
	if err != nil {
		return err
	}
	if err := gosource.CheckGo(ctx, ""); err != nil {
		return err // before a file is written
	}
	if replace != "" {
		replace = gosource.ReplaceTarget(o.dir, replace)
	}
	p := scaffold.Project{Name: o.name, Module: o.module, Release: release.Version, Replace: replace}
	report := progress.New(log, false)
	if err := report.Step("write "+o.dir, func() error { return scaffold.Write(o.dir, p) }); err != nil {
		return err
	}
	if err := report.Step("go mod tidy", func() error { return goIn(ctx, o.dir, "mod", "tidy") }); err != nil {
		return fmt.Errorf("the files are in %s, but the modules that they need were not found; %s: %w", o.dir, notFound(replace), err)
	}
	join := ""
	if gosource.ForeignWorkspace(ctx, o.dir) != "" {
		join = "go work use . && "
	}
	fmt.Fprintf(log, "Next: cd %s && %sselfsame-ffi develop && go test ./... && python -m pytest\n", escape.Shell(o.dir), join)
	return nil
}

// notFound says what to do when the go command does not find the frontend.
func notFound(replace string) string {
	if replace != "" {
		return "--replace expects the folder of a clone of selfsame"
	}
	return "is a proxy reachable (`go env GOPROXY`)? Without one, --replace names a clone of selfsame"
}

// goIn runs the go command in a folder. Its error has the output.
func goIn(ctx context.Context, dir string, args ...string) error {
	cmd := gocmd.Command(ctx, dir, nil, args...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(output.String()))
	}
	return nil
}
