package doctor

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/library"
)

// What the module of a built package says of the Python package that it builds on.
var (
	requiresRelease = regexp.MustCompile(`(?m)^_ffi\.load_extension\(.*, requires="([^"]+)"\)$`)
	importsStock    = regexp.MustCompile(`(?m)^ *import tvm_ffi as _ffi$`)
)

// pythonPackage compares the module beside an extension with the Python package that serves it.
func (e *examination) pythonPackage(lib *library.File) {
	const check = "library's Python package"
	text, err := os.ReadFile(filepath.Join(filepath.Dir(lib.Path), "__init__.py"))
	if !lib.Extension || err != nil {
		return // loaded by other means
	}
	if importsStock.Match(text) {
		if e.Python == "" {
			return
		}
		if _, failure := e.output("", e.Python, "-c", "import tvm_ffi"); failure != "" {
			e.add(check, Problem, "run `"+e.Python+" -m pip install apache-tvm-ffi`, or build it without --runtime tvm-ffi",
				"it was built for the published package tvm_ffi, which cannot be imported: %s", lastLine(failure))
		}
		return
	}
	if m := requiresRelease.FindSubmatch(text); m != nil && e.runtime != nil && later(string(m[1]), e.runtime.Version) {
		e.add(check, Problem, "run `"+e.Python+" -m pip install --upgrade 'selfsame-ffi>="+string(m[1])+"'`, or build it again with this tool",
			"it needs selfsame-ffi %s or later, and this Python has %s", m[1], e.runtime.Version)
	}
}
