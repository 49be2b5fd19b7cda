package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// module examines the Go module that the folder is in, if it is one that uses the frontend or should.
func (e *examination) module() {
	const check = "Go module"
	file, failure := e.output(e.Dir, "go", "env", "GOMOD")
	if failure != "" || file == "" || file == os.DevNull {
		return // not in a module
	}
	root := filepath.Dir(file)
	e.clone(root)
	if work := gosource.ForeignWorkspace(e.ctx, e.Dir); work != "" {
		e.add(check, Problem, "run `go work use .` in "+root+", or set GOWORK=off",
			"%s is below the workspace %s, which does not list it", file, work)
		return
	}
	vendored := false
	if _, err := os.Stat(filepath.Join(root, "vendor", "modules.txt")); err == nil {
		if !e.isVendored(root) {
			e.add(check, Problem, "run `go mod vendor` in "+root, "the folder vendor of %s does not fit go.mod", root).fix =
				&command{root, []string{"go", "mod", "vendor"}}
			return
		}
		vendored = true
	}
	mode := "-mod=readonly"
	if vendored {
		mode = "-mod=vendor" // looks for no module elsewhere
	}
	text, failure := e.output(root, "go", "list", mode, "-m", "-json", gosource.FrontendPath)
	switch {
	case failure == "" || strings.Contains(failure, "not a known dependency"):
	case strings.Contains(failure, "errors parsing go.mod"):
		e.add(check, Problem, "correct "+file, "the go command cannot read go.mod: %s", lastLine(failure))
		return
	default:
		mend := "run `go mod edit -require=" + gosource.FrontendPath + "@v" + e.Release + "` and `go mod tidy` in " + root
		if e.Sources != "" {
			mend = "run " + e.requireFrontend() + " in " + root
		}
		if hint := gosource.FetchHint(failure); hint != "" {
			mend = hint + ". Else " + mend
		}
		e.add(check, Problem, mend,
			"%s requires a version of selfsame that the go command does not find: %s", file, firstLine(failure))
		return
	}
	var m struct {
		Path, Version string
		Main          bool
		Replace       *struct{ Path string }
	}
	if failure != "" || json.Unmarshal([]byte(text), &m) != nil {
		f := e.add(check, Problem, "run "+e.requireFrontend()+" in "+root, "%s does not require %s", file, gosource.FrontendPath)
		if importsFrontend(root) {
			f.Mend = "run `go mod tidy` in " + root
			f.fix = &command{root, []string{"go", "mod", "tidy"}}
		}
		return
	}
	if m.Main {
		e.add(check, OK, "", "%s is selfsame itself", file)
		return
	}
	if lack := e.lacks(root, mode); lack != "" {
		e.add(check, Problem, "run `go mod tidy` in "+root, "%s and go.sum do not fit the packages: %s", file, lack).fix =
			&command{root, []string{"go", "mod", "tidy"}}
		return
	}
	switch {
	case m.Replace != nil:
		folder, local := m.Replace.Path, filepath.IsAbs(m.Replace.Path)
		if first, _, _ := strings.Cut(folder, "/"); first == "." || first == ".." {
			folder, local = filepath.Join(root, folder), true
		}
		if _, err := os.Stat(folder); local && err != nil {
			e.add(check, Problem, "correct the line replace in go.mod", "%s replaces selfsame by %s, which is not there", file, m.Replace.Path)
			return
		}
		e.add(check, OK, "", "%s uses selfsame from %s", file, folder)
	case strings.TrimPrefix(m.Version, "v") != e.Release:
		e.add(check, Warning, "run `go get "+gosource.FrontendPath+"@v"+e.Release+"` in "+root,
			"%s requires selfsame %s, and this is selfsame-ffi %s", file, m.Version, e.Release)
	default:
		e.add(check, OK, "", "%s requires selfsame %s", file, m.Version)
	}
}

// isVendored reports whether the folder vendor fits go.mod and has the C headers.
func (e *examination) isVendored(root string) bool {
	header := filepath.Join(root, "vendor", filepath.FromSlash(gosource.FrontendPath), "abi", "include", "selfsame", "c_api.h")
	if _, err := os.Stat(header); err != nil {
		return false
	}
	_, failure := e.output(root, "go", "list", "-mod=vendor", "./...")
	return failure == ""
}

// lacks returns what go.mod and go.sum lack for the packages of the module, "" when they have it all or when the packages
// cannot be listed for another reason. It downloads nothing.
func (e *examination) lacks(root, mode string) string {
	_, failure := e.outputWith([]string{"GOPROXY=off"}, root, "go", "list", mode, "-deps", "./...")
	for _, lack := range []string{"missing go.sum entry", "updates to go.mod needed", "no required module provides"} {
		if _, rest, found := strings.Cut(failure, lack); found {
			rest, _, _ = strings.Cut(firstLine(rest), "; to ")
			return lack + rest
		}
	}
	return ""
}

// importsFrontend reports whether a Go file below the folder imports the frontend.
func importsFrontend(root string) bool {
	found := false
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || found {
			return filepath.SkipAll
		}
		if d.IsDir() && (d.Name() == "vendor" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".go" {
			text, err := os.ReadFile(path)
			found = found || err == nil && strings.Contains(string(text), `"`+gosource.FrontendPath+`"`)
		}
		return nil
	})
	return found
}
