package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// licenceFile is the name of a file with a licence or a notice that must go with a binary.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]es?|copying|notice|copyright|patents)([-._].*)?$`)

// licenses returns the licence texts of the Go modules, and of Go itself, that are linked into the library. Those of the package's
// own module are LICENSE of the wheel; other modules of its workspace are listed as those that are fetched.
func (p *project) licenses(ctx context.Context, env []string) ([]wheel.File, error) {
	args := []string{"list", "-deps", "-tags", strings.Join(p.tags, ","), "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}"}
	for _, pkg := range p.packages {
		args = append(args, pkg.ImportPath)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.packages[0].Dir
	cmd.Env = slices.Concat(os.Environ(), []string{"CGO_ENABLED=1"}, env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	folders := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if module, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && folder != "" && module != p.packages[0].Module.Path {
			folders[module] = folder
		}
	}
	if root := goRoot(ctx); root != "" {
		folders["go"] = root
	}
	var files []wheel.File
	for module, folder := range folders {
		found, err := licencesIn(module, folder)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	slices.SortFunc(files, func(a, b wheel.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// goRoot returns the folder of Go, "" when it is not known.
func goRoot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT").Output()
	var env struct{ GOROOT string }
	if err != nil || json.Unmarshal(out, &env) != nil {
		return ""
	}
	return env.GOROOT
}

// licencesIn reads the licence files at the top of a module's folder.
func licencesIn(module, folder string) ([]wheel.File, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []wheel.File
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !licenceFile.MatchString(name) || strings.HasSuffix(name, ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		files = append(files, wheel.File{Path: path.Join("modules", module, name), Content: text})
	}
	return files, nil
}
