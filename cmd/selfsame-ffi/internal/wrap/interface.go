package wrap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// InterfaceFile has the names of the Python package, a line each, so that the next run can tell what changes.
const InterfaceFile = "interface.txt"

// MostNames is how many names or changes of a kind a run prints, of a great new version.
const MostNames = 20

// Names returns the names that a plan gives to Python, in order.
func Names(p *form.Plan) []string {
	var names []string
	for _, c := range p.Classes {
		for _, class := range pathsOf(p, c) {
			names = append(names, class)
			for _, i := range c.Members {
				if i.IsWritten() {
					names = append(names, class+"."+i.Python)
				}
			}
		}
	}
	for _, i := range append(slices.Clone(p.Functions), p.Errors...) {
		if i.IsWritten() && !strings.HasSuffix(i.Python, ".set") { // what sets a variable has no name of its own
			names = append(names, i.Python)
		}
	}
	for _, c := range p.Constants {
		names = append(names, c.Python)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// pathsOf returns the names of a class: its own, and those that a directive keeps.
func pathsOf(p *form.Plan, c *form.Class) []string {
	paths := []string{c.Path()}
	for _, other := range p.Constants {
		if other.Other == c.InPackage() {
			paths = append(paths, other.Python)
		}
	}
	return paths
}

// Changes compares the names with those of the last run. first is true when there was none.
func Changes(dir string, names []string) (added, gone []string, first bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, InterfaceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, true, nil
	}
	if err != nil {
		return nil, nil, false, err
	}
	old := strings.Fields(string(text))
	for _, name := range names {
		if !slices.Contains(old, name) {
			added = append(added, name)
		}
	}
	for _, name := range old {
		if !slices.Contains(names, name) {
			gone = append(gone, name)
		}
	}
	return added, gone, false, nil
}

// SaveNames writes the names for the next run.
func SaveNames(dir string, names []string) error {
	if err := whole.File(filepath.Join(dir, InterfaceFile), []byte(strings.Join(names, "\n")+"\n"), 0o644); err != nil {
		return fmt.Errorf("the interface was not saved: %w", err)
	}
	return nil
}
