package compile

import (
	"debug/buildinfo"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// modinfo is the variable in which a library has what `go version -m` shows. The go command sets it by the same option of the
// linker, before those of -ldflags.
const modinfo = "runtime.modinfo"

// margin stands at both ends of that text. Readers skip as many bytes, whatever they are.
const margin = "selfsame_modinfo"

// withoutFolders returns the flag of Go's linker for a library that says of its modules what this one does, but for the folders
// from which `replace` lines take some: those are places on the machine of the builder. It is "" when there are none.
func withoutFolders(library string) (string, error) {
	info, err := buildinfo.ReadFile(library)
	if err != nil {
		return "", err
	}
	found := false
	for _, dep := range info.Deps {
		if dep.Replace != nil && isFolder(dep.Replace) {
			dep.Replace, dep.Version, dep.Sum = nil, "(devel)", ""
			found = true
		}
	}
	if !found {
		return "", nil
	}
	info.GoVersion = "" // the go command leaves it out
	text := info.String()
	quote := `"`
	if strings.Contains(text, quote) {
		quote = "'"
	}
	if strings.Contains(text, quote) { // lists of flags have no escapes
		return "", fmt.Errorf("expected build information without one kind of quotes, got %q", text)
	}
	return " " + quote + "-X=" + modinfo + "=" + margin + text + margin + quote, nil
}

// isFolder reports whether a module is replaced by a folder. The paths of modules begin with a letter and no drive.
func isFolder(m *debug.Module) bool {
	return m.Version == "" || m.Version == "(devel)" || filepath.IsAbs(m.Path) || strings.HasPrefix(m.Path, "./") || strings.HasPrefix(m.Path, "../")
}
