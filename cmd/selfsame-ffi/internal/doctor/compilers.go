package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
)

// goCommand reports whether the go command can be used.
func (e *examination) goCommand() bool {
	path, err := exec.LookPath("go")
	if err != nil {
		e.add("Go", Problem, "install Go 1.24 or later from https://go.dev/dl and put its folder bin into PATH",
			"the go command was not found in PATH")
		return false
	}
	version, failure := e.output(e.Dir, path, "env", "GOVERSION")
	switch {
	case gosource.WantsAnother(failure):
		e.add("Go", Problem, "install that Go from https://go.dev/dl, or let this one fetch it (GOTOOLCHAIN=auto)", "%s: %s", path, failure)
		return false
	case failure != "":
		e.add("Go", Problem, "install Go again from https://go.dev/dl", "%s does not run: %s", path, failure)
		return false
	case gosource.IsTooOld(version):
		e.add("Go", Problem, "install Go 1.24 or later from https://go.dev/dl", "%s (%s) is too old", version, path)
		return false
	}
	if gosource.IsLater(version) {
		e.add("Go", Warning, "build the tool with this Go: "+gosource.ToolOfThisGo(), "%s (%s) is later than %s, which selfsame-ffi was built "+
			"with: it may not read packages that use the later one", version, path, runtime.Version())
		return true
	}
	e.add("Go", OK, "", "%s (%s)", version, path)
	return true
}

// program is what the compilers are tried with: the headers of the C library, and linking.
const program = "#include <stdlib.h>\n#include <dlfcn.h>\nint main(void) { return dlsym(NULL, \"exit\") == NULL; }\n"

const getCompiler = "install a C compiler and the headers of the C library (Debian: apt-get install gcc libc6-dev; " +
	"Fedora: dnf install gcc glibc-devel; without it: pip install ziglang), or set CC to one"

func (e *examination) cCompiler() {
	e.compiler("C compiler", "CC", "c", Problem, getCompiler)
}

func (e *examination) cxxCompiler() {
	e.compiler("C++ compiler", "CXX", "c++", Warning,
		"install a C++ compiler (Debian: apt-get install g++) for `go test`, which links the runtime into the test; "+
			"building packages does not need it")
}

// compiler tries the compiler that cgo takes.
func (e *examination) compiler(check, variable, language string, status Status, mend string) {
	value, failure := e.output(e.Dir, "go", "env", variable)
	words := strings.Fields(value)
	if failure != "" || len(words) == 0 {
		e.add(check, status, mend, "go env %s is empty", variable)
		return
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		if zig, err := target.Here(e.ctx, e.Python); variable == "CC" && err == nil && zig != nil {
			e.add(check, OK, "", "that of zig, as %q was not found in PATH", words[0])
			return
		}
		e.add(check, status, mend, "%q was not found in PATH", words[0])
		return
	}
	folder, err := os.MkdirTemp("", "selfsame-ffi-*")
	if err != nil {
		e.add(check, Warning, "", "it was not tried: %v", err)
		return
	}
	defer os.RemoveAll(folder)
	source := filepath.Join(folder, "program."+map[string]string{"c": "c", "c++": "cc"}[language])
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		e.add(check, Warning, "", "it was not tried: %v", err)
		return
	}
	args := append(words[1:], "-x", language, source, "-o", filepath.Join(folder, "program"), "-ldl")
	if _, failure := e.output(folder, words[0], args...); failure != "" {
		e.add(check, status, mend, "%s cannot compile a small program: %s", value, firstLine(failure))
		return
	}
	version, _ := e.output(folder, words[0], append(words[1:], "--version")...)
	e.add(check, OK, "", "%s", firstLine(version))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }
