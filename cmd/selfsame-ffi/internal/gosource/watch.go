package gosource

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
)

// Watched lists what an extension of some packages is built from and may change: the sources in folders of the module
// itself and of modules that a folder replaces.
type Watched struct {
	Folders []string // their source files
	Files   []string // further files: go.mod, go.sum, go.work, embedded files
}

// SourceSuffixes end the names of the files in a folder that the go command compiles.
var SourceSuffixes = []string{".go", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".s", ".S", ".syso"}

// Watch lists what packages that Find found are built from.
func Watch(ctx context.Context, packages []*Package) *Watched {
	w := &Watched{}
	for _, p := range packages {
		w.add(p)
		for _, needed := range p.needed {
			w.add(needed)
		}
	}
	work := gocmd.Command(ctx, packages[0].Dir, nil, "env", "GOWORK")
	if out, err := work.Output(); err == nil {
		if file := strings.TrimSpace(string(out)); file != "" && file != "off" {
			w.Files = append(w.Files, file)
		}
	}
	slices.Sort(w.Folders)
	slices.Sort(w.Files)
	w.Folders, w.Files = slices.Compact(w.Folders), slices.Compact(w.Files)
	return w
}

// add lists what one package is built from, unless that cannot change.
func (w *Watched) add(p *Package) {
	m := p.Module
	if p.Standard || m == nil || p.Dir == "" {
		return
	}
	if m.Replace != nil {
		m = m.Replace
	}
	if m.Version != "" {
		return // a published version does not change
	}
	w.Folders = append(w.Folders, p.Dir)
	for _, file := range p.EmbedFiles {
		w.Files = append(w.Files, filepath.Join(p.Dir, file))
	}
	w.Files = append(w.Files, m.GoMod, strings.TrimSuffix(m.GoMod, ".mod")+".sum")
}

// State maps each watched file that exists to its time of change in nanoseconds and its size.
func (w *Watched) State() (map[string][2]int64, error) {
	state := map[string][2]int64{}
	add := func(path string) error {
		info, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			state[path] = [2]int64{info.ModTime().UnixNano(), info.Size()}
		}
		return nil
	}
	for _, folder := range w.Folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !IsSource(e.Name()) {
				continue
			}
			if err := add(filepath.Join(folder, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	for _, file := range w.Files {
		if err := add(file); err != nil {
			return nil, err
		}
	}
	return state, nil
}

// IsSource reports whether a file of this name may be compiled into an extension.
func IsSource(name string) bool {
	return slices.Contains(SourceSuffixes, filepath.Ext(name)) && !strings.HasSuffix(name, "_test.go")
}
