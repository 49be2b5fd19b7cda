// Package gosource reads the source of a Go package: where it is, whether an extension can be made of it, and the
// parameter names and comments that reflection data lacks.
package gosource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// FrontendPath is the import path of the Go frontend. A package that does not import it registers nothing.
const FrontendPath = "github.com/selfsame-ffi/selfsame"

// The packages beside the frontend that generated code alone imports: GenPath what wrap and bind write, OverlayPath the files that
// build compiles beside a package.
const (
	GenPath     = FrontendPath + "/gen"
	OverlayPath = GenPath + "/overlay"
)

// SharedTag is the build tag for an extension, which uses the runtime of the process that loads it.
const SharedTag = "selfsame_shared"

// TvmFFITag is a further build tag, for an extension that uses tvm_ffi's runtime even if selfsame's is loaded too.
const TvmFFITag = "selfsame_tvm_ffi"

// ProgramsTag is a further build tag, for an extension that starts programs: see internal/guest/thread_linux.c.
const ProgramsTag = "selfsame_starts_programs"

// StartsPrograms tells whether the package, or one that it needs, may start programs.
func (p *Package) StartsPrograms() bool { return slices.Contains(p.Deps, "os/exec") }

// Package is a Go package as `go list` describes it.
type Package struct {
	Dir        string
	ImportPath string
	Name       string
	Doc        string
	GoFiles    []string
	CgoFiles   []string
	Ignored    []string `json:"IgnoredGoFiles"` // by their build constraints
	EmbedFiles []string
	Imports    []string
	Deps       []string
	Standard   bool
	Module     *Module
	Error      *struct{ Pos, Err string }
	DepsErrors []*struct{ Pos, Err string }

	syntax *Syntax             // once it was read
	needed map[string]*Package // of one that Find found: all of Deps
}

// fields are those of Package, as `go list` takes them: it would look at what is compiled to fill the others.
const fields = "-json=Dir,ImportPath,Name,Doc,GoFiles,CgoFiles,IgnoredGoFiles,EmbedFiles,Imports,Deps,Standard,Module,Error,DepsErrors"

// Module is a Go module as `go list` describes it.
type Module struct {
	Path, Version, Dir, GoMod, GoVersion string
	Replace                              *Module
}

// Files returns the paths of the package's Go files.
func (p *Package) Files() []string {
	files := slices.Concat(p.GoFiles, p.CgoFiles)
	slices.Sort(files)
	for i, f := range files {
		files[i] = filepath.Join(p.Dir, f)
	}
	return files
}

// asFolder returns the path of a folder as commands take it that else would see the path of a package.
func asFolder(dir string) string {
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "." + string(filepath.Separator) + dir
}

// Find describes the package in dir. Its error says why no extension can be made of the package, and what to do.
func Find(dir string, tags []string) (*Package, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such folder; give the folder of a Go package", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; give the folder of a Go package", dir)
	}
	if err := CheckGo(context.Background(), dir); err != nil {
		return nil, err
	}
	pkgs, err := list(dir, tags, "-deps", ".")
	if err != nil || pkgs[len(pkgs)-1].Error != nil {
		if outside := notInWorkspace(dir); outside != nil {
			return nil, outside
		}
	}
	if err != nil {
		return nil, err
	}
	p := pkgs[len(pkgs)-1] // what a package needs comes before it
	switch {
	case p.Error != nil && strings.Contains(p.Error.Err, "no Go files"), p.Error != nil && len(p.Files()) == 0 && p.Name == "":
		return nil, fmt.Errorf("%s: %s", dir, firstLine(p.Error.Err))
	case p.Error != nil:
		return nil, fmt.Errorf("%s: %s", dir, withPosition(p.Error.Pos, p.Error.Err))
	case p.Module == nil:
		return nil, noModule(dir)
	case p.Name == "main":
		return nil, fmt.Errorf("%s is a program (package main), which nothing can import; "+
			"move what Python shall see into a package of its own", dir)
	case len(p.DepsErrors) > 0:
		return nil, fmt.Errorf("%s: %s", dir, withPosition(p.DepsErrors[0].Pos, p.DepsErrors[0].Err))
	case !slices.Contains(p.Deps, FrontendPath):
		hint := ""
		if len(p.Ignored) > 0 {
			hint = fmt.Sprintf("; build constraints leave out %s: --tags chooses other files", strings.Join(p.Ignored, ", "))
		}
		return nil, fmt.Errorf("%s does not import %s, so it has nothing that Python could see; "+
			"register a class or a function first (docs/go-guide.md), or let `selfsame-ffi wrap %s` bind what it exports%s", dir, FrontendPath,
			escape.Shell(asFolder(dir)), hint)
	}
	p.needed = map[string]*Package{}
	for _, other := range pkgs[:len(pkgs)-1] {
		p.needed[other.ImportPath] = other
	}
	return p, nil
}

// list runs `go list` in dir; further flags may stand before the patterns. Problems of one package are in Package.Error, not in the error.
func list(dir string, tags []string, patterns ...string) ([]*Package, error) {
	args := append([]string{"list", "-e", "-buildvcs=false", fields, "-tags", strings.Join(tags, ",")}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if strings.Contains(stderr.String(), "go.mod file not found") {
			return nil, noModule(dir)
		}
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, strings.TrimSpace(stderr.String()))
	}
	var pkgs []*Package
	for dec := json.NewDecoder(&stdout); dec.More(); {
		p := new(Package)
		if err := dec.Decode(p); err != nil {
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%s: go list finds no package; %s", dir, firstLine(stderr.String()))
	}
	return pkgs, nil
}

func noModule(dir string) error {
	return fmt.Errorf("%s is in no Go module; run `go mod init NAME` and `go get %s` there", dir, FrontendPath)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// ofModule puts what doctor says in the place of the go command's advice, which tells a module with a replaced or unpublished
// frontend to get what is not there.
func ofModule(text string) string {
	for _, lack := range []string{"missing go.sum entry", "no required module provides package", "updates to go.mod needed"} {
		if strings.Contains(text, lack) {
			text, _, _ = strings.Cut(text, "; to ")
			return text + "; `selfsame-ffi doctor` there says how to mend it"
		}
	}
	return text
}

func withPosition(pos, text string) string {
	text = ofModule(strings.TrimSpace(text))
	if pos == "" || strings.HasPrefix(text, pos) {
		return text
	}
	return pos + ": " + text
}
