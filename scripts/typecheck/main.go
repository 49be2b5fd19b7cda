// Command typecheck type-checks packages as they are on other platforms, the files with cgo included, and needs neither a
// C compiler nor headers of those platforms: a name of C has any type. Fields and methods of such a type cannot be known,
// so errors that Linux, where the packages compile, has in the same way do not count.
//
// Usage: go run ./scripts/typecheck "GOOS..." PACKAGE...
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
	Standard          bool
}

// list returns the packages and those they import, each after the ones it imports.
func list(goos string, patterns []string) ([]listed, error) {
	args := []string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Standard"}
	cmd := exec.Command("go", append(args, patterns...)...)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", goos, err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// checker has the packages that were checked, by import path.
type checker struct {
	files *token.FileSet
	done  map[string]*types.Package
	errs  map[string]bool // not of the standard library
}

// importer finds what one package imports.
type importer struct {
	*checker
	renamed map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if actual, ok := i.renamed[path]; ok {
		path = actual
	}
	if found := i.done[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("package %s was not listed", path)
}

// check adds a package. Errors in the standard library do not count: what it declares is enough.
func (c *checker) check(p listed) error {
	var parsed []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		Importer:         importer{c, p.ImportMap},
		FakeImportC:      true,
		IgnoreFuncBodies: p.Standard,
		Sizes:            types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			if !p.Standard {
				c.errs[err.Error()] = true
			}
		},
	}
	c.done[p.ImportPath], _ = config.Check(p.ImportPath, c.files, parsed, nil) // Error has the errors
	return nil
}

// errorsOn returns the errors of the packages on a platform.
func errorsOn(goos string, patterns []string) (map[string]bool, error) {
	packages, err := list(goos, patterns)
	if err != nil {
		return nil, err
	}
	c := &checker{files: token.NewFileSet(), done: map[string]*types.Package{}, errs: map[string]bool{}}
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		if err := c.check(p); err != nil {
			return nil, err
		}
	}
	return c.errs, nil
}

func run(platforms, patterns []string) error {
	known, err := errorsOn("linux", patterns)
	if err != nil {
		return err
	}
	var found []string
	for _, goos := range platforms {
		errs, err := errorsOn(goos, patterns)
		if err != nil {
			return err
		}
		for text := range errs {
			if !known[text] {
				found = append(found, goos+": "+text)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	return errors.New(strings.Join(found, "\n"))
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, `usage: typecheck "GOOS..." PACKAGE...`)
		os.Exit(2)
	}
	if err := run(strings.Fields(os.Args[1]), os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "typecheck:\n%v\n", err)
		os.Exit(1)
	}
}
