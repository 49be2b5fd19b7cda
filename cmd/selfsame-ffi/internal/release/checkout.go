package release

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Checkout returns the folder of the sources that this tool was built from, when it was built in a clone of the
// repository: modules that the tool writes then use these sources, and need no published module. It returns "" for the
// tool of a release, which is built with -trimpath or from a cache of modules, and when the sources are gone.
func Checkout() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return ""
	}
	return checkoutOf(file)
}

// checkoutOf returns the root of the clone that has this package's source file, "" for a path that is not in one.
func checkoutOf(file string) string {
	if !filepath.IsAbs(file) || strings.Contains(file, "@") { // of -trimpath; in a cache of modules
		return ""
	}
	root := filepath.Clean(filepath.Join(filepath.Dir(file), "..", "..", "..", ".."))
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module github.com/selfsame-ffi/selfsame\n") {
		return ""
	}
	return root
}
