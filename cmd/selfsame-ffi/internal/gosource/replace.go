package gosource

import (
	"cmp"
	"path/filepath"
	"strings"
)

// ReplaceTarget returns a folder as a line "replace" of the go.mod in dir has it: relative, so that both may move to another machine,
// where that leads to the folder by each way to dir.
func ReplaceTarget(dir, folder string) string {
	from, err := filepath.Abs(dir)
	if err != nil {
		return folder
	}
	to, err := filepath.Abs(folder)
	if err != nil {
		return folder
	}
	relative, err := filepath.Rel(from, to)
	if err != nil { // on another drive
		return filepath.ToSlash(to)
	}
	// The go command joins the path to that by which it came to dir, the system goes up from where dir really is.
	if resolved(filepath.Join(resolved(from), relative)) != resolved(to) {
		return filepath.ToSlash(to)
	}
	relative = filepath.ToSlash(relative)
	if relative != "." && relative != ".." && !strings.HasPrefix(relative, "../") {
		relative = "./" + relative
	}
	return relative
}

// resolved returns a path without links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil || path == filepath.Dir(path) {
		return cmp.Or(real, path)
	}
	return filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
}
