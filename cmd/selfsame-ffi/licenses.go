package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// licenceFile is the name of a file with a licence or a notice that must go with a binary.
var licenceFile = regexp.MustCompile(`(?i)^(\w+-)?(un)?(licen[cs]es?|copying|notice|copyright|patents)([-._].*)?$`)

// licenses returns the licence texts of the Go modules, and of Go itself, that are linked into the library. They are at
// the top of a module, and in the folders of the packages that are linked in and above them. The texts of the package's
// own module are LICENSE of the wheel; other modules of its workspace are listed as those that are fetched.
func (p *project) licenses(ctx context.Context, env []string) ([]wheel.File, error) {
	args := []string{"list", "-deps", "-tags", strings.Join(p.tags, ","), "-f", "{{if .Module}}{{.Module.Path}}\t{{.Module.Dir}}\t{{.Dir}}\t{{.ImportPath}}{{end}}"}
	for _, pkg := range p.packages {
		args = append(args, pkg.ImportPath)
	}
	cmd := gocmd.Command(ctx, p.packages[0].Dir, append([]string{"CGO_ENABLED=1"}, env...), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	own := p.packages[0].Module.Path
	if len(p.modules()) > 1 {
		own = "" // the wheel has no LICENSE that is that of all
	}
	folders := licenceFolders(string(out), own)
	if root := goRoot(ctx); root != "" {
		folders["go"] = root
	}
	var files []wheel.File
	for name, folder := range folders {
		found, err := licencesIn(name, folder)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	slices.SortFunc(files, func(a, b wheel.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// licenceFolders returns the folders in which licences are looked for, by what they are called in the wheel. list has a line for each
// package: its module, the module's folder, its own and its import path; own is the module that is built. Modules in a folder vendor
// have no folder of theirs, and lie there under their paths.
func licenceFolders(list, own string) map[string]string {
	folders := map[string]string{}
	for line := range strings.Lines(list) {
		parts := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(parts) != 4 || parts[0] == own {
			continue
		}
		module, root, folder := parts[0], parts[1], parts[2]
		if root == "" {
			root = strings.TrimSuffix(folder, filepath.FromSlash(strings.TrimPrefix(parts[3], module)))
		}
		folders[module] = root
		inside, err := filepath.Rel(root, folder)
		if err != nil || !filepath.IsLocal(inside) {
			continue
		}
		for ; inside != "."; inside = filepath.Dir(inside) { // code of others in a module has its licence beside it
			folders[path.Join(module, filepath.ToSlash(inside))] = filepath.Join(root, inside)
		}
	}
	return folders
}

// goRoot returns the folder of Go, "" when it is not known.
func goRoot(ctx context.Context) string {
	out, err := gocmd.Command(ctx, "", nil, "env", "-json", "GOROOT").Output()
	var env struct{ GOROOT string }
	if err != nil || json.Unmarshal(out, &env) != nil {
		return ""
	}
	return env.GOROOT
}

// licencesIn reads the licence files in a folder. called is what it is called in the wheel.
func licencesIn(called, folder string) ([]wheel.File, error) {
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
		files = append(files, wheel.File{Path: path.Join("modules", called, name), Content: text})
	}
	return files, nil
}
