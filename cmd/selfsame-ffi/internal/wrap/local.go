package wrap

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// ModuleVersion is a module, perhaps of one version, or the folder that replaces one.
type ModuleVersion struct{ Path, Version string }

// Replacement is a line "replace" of a file go.mod. A folder is absolute.
type Replacement struct {
	Old, New  ModuleVersion
	Workspace bool // not a line, but a module of the workspace
}

// from returns the replacement as `go mod edit` takes it, for a module in dir.
func (r Replacement) from(dir string) string {
	at := func(m ModuleVersion) string {
		if m.Version == "" {
			return m.Path
		}
		return m.Path + "@" + m.Version
	}
	if filepath.IsAbs(r.New.Path) {
		return at(r.Old) + "=" + gosource.ReplaceTarget(dir, r.New.Path)
	}
	return at(r.Old) + "=" + at(r.New)
}

// modFile is what `go mod edit -json` says of a go.mod, as far as it is of use here.
type modFile struct {
	Module  ModuleVersion
	Replace []Replacement
}

// readMod reads a file go.mod. Folders in it are absolute.
func readMod(ctx context.Context, file string) (*modFile, error) {
	var m modFile
	out, err := goCommand(ctx, "", []string{"GOWORK=off"}, "mod", "edit", "-json", file)
	if err == nil {
		err = json.Unmarshal([]byte(out), &m)
	}
	absolute(m.Replace, filepath.Dir(file))
	return &m, err
}

// absolute makes the folders of replacements in a file of dir absolute.
func absolute(all []Replacement, dir string) {
	for i, r := range all {
		if first, _, _ := strings.Cut(r.New.Path, "/"); first == "." || first == ".." {
			all[i].New.Path = filepath.Join(dir, r.New.Path)
		}
	}
}

// localReplacements returns how a module in a folder finds others that are not published: by the lines of its go.mod, and by the
// workspace that lists it, whose own lines come last, as they count more.
func localReplacements(ctx context.Context, folder string) ([]Replacement, error) {
	own, err := readMod(ctx, filepath.Join(folder, "go.mod"))
	if err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, folder, nil, "env", "GOWORK")
	file := strings.TrimSpace(out)
	if err != nil || file == "" || file == "off" || gosource.ForeignWorkspace(ctx, folder) != "" {
		return own.Replace, err
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []Replacement
	}
	if out, err = goCommand(ctx, folder, nil, "work", "edit", "-json", file); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(out), &work); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all := own.Replace
	var modules []Replacement
	for _, use := range work.Use {
		disk := filepath.FromSlash(use.DiskPath)
		if !filepath.IsAbs(disk) {
			disk = filepath.Join(filepath.Dir(file), disk)
		}
		other, err := readMod(ctx, filepath.Join(disk, "go.mod"))
		if err != nil {
			return nil, err
		}
		all = append(all, other.Replace...)
		modules = append(modules, Replacement{Old: other.Module, New: ModuleVersion{Path: disk}, Workspace: true})
	}
	absolute(work.Replace, filepath.Dir(file))
	return append(append(all, work.Replace...), modules...), nil
}

// carried joins the replacements of the packages. It fails when two of them replace one module by different ones.
func carried(sources []Source) ([]Replacement, error) {
	var all []Replacement
	of := map[ModuleVersion]struct{ by, path string }{}
	for _, s := range sources {
		chosen := map[ModuleVersion]Replacement{}
		var order []ModuleVersion
		for _, r := range s.Replace {
			if _, again := chosen[r.Old]; !again {
				order = append(order, r.Old)
			}
			chosen[r.Old] = r
		}
		for _, old := range order {
			r := chosen[old]
			if before, there := of[old]; !there {
				of[old] = struct{ by, path string }{r.from("/"), s.Path}
				all = append(all, r)
			} else if before.by != r.from("/") {
				return nil, fmt.Errorf("%s and %s replace the module %s by different ones; wrap them apart", before.path, s.Path, old.Path)
			}
		}
	}
	return all, nil
}

// prune removes from go.mod the modules of workspaces that the packages do not need.
func (m *Module) prune(ctx context.Context) error {
	var candidates []string
	for _, s := range m.o.Sources {
		for _, r := range s.Replace {
			if r.Workspace && r.Old.Path != gosource.FrontendPath && r.Old.Path != s.Module {
				candidates = append(candidates, r.Old.Path)
			}
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	out, err := m.run(ctx, "list", "-m", "-f", "{{.Path}}", "all")
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, path := range strings.Fields(out) {
		needed[path] = true
	}
	edits := []string{"mod", "edit"}
	for _, path := range candidates {
		if !needed[path] {
			edits = append(edits, "-dropreplace="+path)
		}
	}
	if len(edits) == 2 {
		return nil
	}
	_, err = goCommand(ctx, "", nil, append(edits, m.file("go.mod"))...)
	return err
}

// major ends the path of a module of a major version above 1.
var major = regexp.MustCompile(`[./]v([2-9]|[1-9]\d+)$`)

// zeroVersion returns a version that the path of a module may have, for one that a folder replaces.
func zeroVersion(module string) string {
	if m := major.FindStringSubmatch(module); m != nil {
		return "v" + m[1] + ".0.0"
	}
	return "v0.0.0"
}
