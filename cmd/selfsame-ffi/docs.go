package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap"
)

// documenter is the Python package that writes Markdown of a package.
const documenter = "griffe2md"

func newDocsCommand() *cobra.Command {
	var o buildOptions
	var file string
	cmd := &cobra.Command{
		Use:   "docs DIR...",
		Short: "Write the Python interface of the Go package in DIR as a page",
		Long: `Docs builds the Go package in DIR and writes a page in Markdown with its classes and functions as Python has them, with
their signatures and comments. It reads the package by griffe, with the Python package ` + documenter + `.`,
		Example: "  python -m pip install " + documenter + "\n  selfsame-ffi docs ./geo -o docs/geo.md",
		Args:    arguments(1, many, "the folder of a Go package", "."),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dirs = args
			return writeDocs(cmd.Context(), o, file, cmd.ErrOrStderr())
		},
	}
	o.sourceFlags(cmd)
	cmd.Flags().StringVarP(&file, "out", "o", "", "file to write (default: NAME.md)")
	return cmd
}

// writeDocs runs `selfsame-ffi docs` and reports its steps on log.
func writeDocs(ctx context.Context, o buildOptions, file string, log io.Writer) error {
	active, err := interpreter()
	if err != nil {
		return err
	}
	if err := exec.CommandContext(ctx, active, "-c", "import "+documenter).Run(); err != nil {
		return fmt.Errorf("%s has no package %s; run `%s -m pip install %s`", active, documenter, escape.Shell(active), documenter)
	}
	o.runtime = python.Selfsame
	p, err := o.project(ctx)
	if err != nil {
		return err
	}
	if o.out, err = os.MkdirTemp("", "selfsame-ffi-docs-*"); err != nil {
		return err
	}
	defer os.RemoveAll(o.out)
	if err := buildFolder(ctx, p, o, log); err != nil {
		return err
	}
	if file == "" {
		file = p.name + ".md"
	}
	return progress.New(log, o.verbose).Step("write "+file, func() error {
		names := p.names()
		if p.set {
			names = names[:len(p.packages)] // without that of the library, in which nobody calls anything
		}
		var pages []string
		for _, name := range names {
			page, err := documentation(ctx, active, o.out, name)
			if err != nil {
				return err
			}
			pages = append(pages, page)
		}
		for _, pkg := range p.packages {
			paths := wrap.Wrapped(pkg.Dir)
			if paths == nil {
				paths = []string{pkg.ImportPath}
			}
			for _, path := range paths {
				pages = append(pages, fmt.Sprintf("The Go package: [%s](https://pkg.go.dev/%s)\n", path, path))
			}
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return whole.File(file, []byte(strings.Join(pages, "\n")), 0o644)
	})
}

// documentation returns the page of a Python package in a folder.
func documentation(ctx context.Context, active, folder, name string) (string, error) {
	code := "import sys, " + documenter + "; " + documenter + `.write_package_docs(sys.argv[1], {"show_signature_annotations": True})`
	cmd := exec.CommandContext(ctx, active, "-c", code, name)
	cmd.Dir = folder
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", documenter, err, bytes.TrimSpace(stderr.Bytes()))
	}
	page := withoutSummary(stdout.String())
	modules, err := filepath.Glob(filepath.Join(folder, name, "*.py"))
	for _, path := range modules {
		module, failed := os.ReadFile(path)
		err = errors.Join(err, failed)
		page = public(page, strings.TrimSuffix(filepath.Base(path), ".py"), string(module))
	}
	return linked(page, name), err
}

var (
	documented = regexp.MustCompile("(?m)^(#+) `([\\w.]+)`$")
	inPage     = regexp.MustCompile(`\[([^\]]*)\]\(#([\w.]+)\)`)
)

// alias is an import of a generated module under a name that its users do not see.
var alias = regexp.MustCompile(`(?m)^\s*import (\S+) as (_\w+)$`)

// fromSubmodule is an import of a class of another Go package in the submodule where its users find it.
var fromSubmodule = regexp.MustCompile(`(?m)^\s*from \. import (_\w+) as (\w+)$`)

// public names what the annotations of a page take from a module with a text as their users do.
func public(page, name, text string) string {
	for _, m := range alias.FindAllStringSubmatch(text, -1) {
		page = regexp.MustCompile(`\b`+m[2]+`\.`).ReplaceAllString(page, m[1]+".")
	}
	for _, m := range fromSubmodule.FindAllStringSubmatch(text, -1) {
		page = regexp.MustCompile(`\b`+m[1]+`\b`).ReplaceAllString(page, name+"."+m[2])
	}
	return page
}

// withoutSummary takes the functions out of the package's docstring, which help() shows: the page has a list with links.
func withoutSummary(page string) string {
	before, list, found := strings.Cut(page, "\n\nFunctions:\n\n    ")
	if _, after, ends := strings.Cut(list, "\n\n**"); found && ends {
		return before + "\n\n**" + after
	}
	return page
}

// linked gives each heading of a page of a package the anchor by which links name it, and takes the links away that lead to none.
// Headings do not repeat the name of the package: they would be wider than a telephone.
func linked(page, name string) string {
	anchors := map[string]bool{}
	for _, m := range documented.FindAllStringSubmatch(page, -1) {
		anchors[m[2]] = true
	}
	page = inPage.ReplaceAllStringFunc(page, func(link string) string {
		if m := inPage.FindStringSubmatch(link); !anchors[m[2]] {
			return m[1]
		}
		return link
	})
	page = documented.ReplaceAllStringFunc(page, func(heading string) string {
		m := documented.FindStringSubmatch(heading)
		return fmt.Sprintf("<a id=%q></a>\n\n%s `%s`", m[2], m[1], strings.TrimPrefix(m[2], name+"."))
	})
	return strings.TrimLeft(page, "\n")
}
