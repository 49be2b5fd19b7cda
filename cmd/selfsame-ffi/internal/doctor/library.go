package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/library"
)

// The names by which a library may need the runtime.
var runtimeNames = []string{"libtvm_ffi.so", "libselfsame.so"}

const buildAgain = "build it again with `selfsame-ffi build`"

// library examines the library against this machine and the runtime.
func (e *examination) library() {
	const check = "library"
	work, err := os.MkdirTemp("", "selfsame-ffi-*")
	if err != nil {
		e.add(check, Problem, "make room in the folder for temporary files", "%v", err)
		return
	}
	defer os.RemoveAll(work)
	path, err := library.Find(e.Library, work)
	if err != nil {
		e.add(check, Problem, "give the path of a shared library, a built Python package or a wheel", "%v", err)
		return
	}
	lib, err := library.Open(path)
	if err != nil {
		e.add(check, Problem, "give a shared library that was built for Linux", "%v", err)
		return
	}
	if !lib.RunsOn(runtime.GOOS, runtime.GOARCH) {
		e.add(check, Problem, "build it on such a machine, or with --target for this one", "%s is for %s, and this machine is %s",
			e.Library, lib.Place(), library.Place(runtime.GOOS, runtime.GOARCH))
		return
	}
	before := len(e.findings)
	e.abi(lib)
	e.pythonPackage(lib)
	if lib.System == "linux" {
		e.names(lib)
		e.glibc(lib)
	}
	if len(e.findings) == before {
		kind := "a library"
		if lib.Extension {
			kind = "an extension"
		}
		e.add(check, OK, "", "%s is %s that fits this machine and the runtime", e.Library, kind)
	}
}

// abi compares the library with the runtime.
func (e *examination) abi(lib *library.File) {
	const check = "library's C ABI"
	have := e.ABI
	if e.runtime != nil {
		have = version(e.runtime.ABI)
	}
	if lib.ABI != "" && later(lib.ABI, have) {
		e.add(check, Problem, "update selfsame-ffi, or "+buildAgain, "it was compiled for the C ABI %s, and the runtime has %s", lib.ABI, have)
	}
	if e.runtime == nil {
		return
	}
	defined, err := library.Defined(e.runtime.Library)
	if err != nil {
		e.add(check, Warning, "", "the runtime's functions cannot be read: %v", err)
		return
	}
	var lacking []string
	for _, name := range lib.Undefined {
		if strings.HasPrefix(name, "TVMFFI") && !defined[name] {
			lacking = append(lacking, name)
		}
	}
	if lacking != nil {
		slices.Sort(lacking)
		e.add(check, Problem, "update selfsame-ffi, or compile it with headers of tvm-ffi "+have,
			"it needs functions that the runtime does not have: %s", strings.Join(lacking, ", "))
	}
}

// names examines the names by which libraries find each other.
func (e *examination) names(lib *library.File) {
	if slices.Contains(runtimeNames, lib.Soname) && !strings.Contains(filepath.Base(lib.Path), lib.Soname) {
		e.add("library's SONAME", Problem, "link it with -Wl,-soname,"+filepath.Base(lib.Path),
			"it is %s, the name of the runtime, for which other libraries would take it", lib.Soname)
	}
	for _, needed := range lib.Needed {
		switch {
		case slices.Contains(runtimeNames, needed):
			if lib.Extension {
				e.add("library's NEEDED", Problem, buildAgain, "an extension takes the runtime that the process has, and this one is linked to %s", needed)
			}
		case strings.Contains(needed, "/"):
			e.add("library's NEEDED", Problem, "link with -L and -l, or give "+filepath.Base(needed)+" a SONAME",
				"it looks for %s at that path only", needed)
		case !e.isFound(lib, needed):
			e.add("library's NEEDED", Problem, "install the package that has it, or link with -Wl,-rpath to the folder that has it",
				"it needs %s, which was not found", needed)
		}
	}
}

// isFound looks for a library where the dynamic linker does.
func (e *examination) isFound(lib *library.File, name string) bool {
	folders := append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), lib.Runpath...)
	for _, folder := range folders {
		folder = strings.NewReplacer("${ORIGIN}", filepath.Dir(lib.Path), "$ORIGIN", filepath.Dir(lib.Path)).Replace(folder)
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	for _, pattern := range []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/*-linux-*", "/usr/lib/*-linux-*"} {
		if found, _ := filepath.Glob(filepath.Join(pattern, name)); len(found) > 0 {
			return true
		}
	}
	for _, program := range []string{"ldconfig", "/sbin/ldconfig"} {
		if cache, failure := e.output("", program, "-p"); failure == "" {
			return strings.Contains(cache, "\t"+name+" ")
		}
	}
	return false
}

// glibc compares what the library asks for with the C library of this machine.
func (e *examination) glibc(lib *library.File) {
	text, failure := e.output("", "getconf", "GNU_LIBC_VERSION")
	_, minor, ok := strings.Cut(text, "glibc 2.")
	have, err := strconv.Atoi(minor)
	if failure != "" || !ok || err != nil {
		return
	}
	if want := lib.Glibc["GLIBC_2"]; want > have {
		e.add("library's glibc", Problem, "build it with --target manylinux_2_28_x86_64, or on a machine like this one",
			"it needs glibc 2.%d, and this machine has 2.%d", want, have)
	}
}

// version writes the parts of a version.
func version(parts []int) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = strconv.Itoa(p)
	}
	return strings.Join(texts, ".")
}

// later reports whether the version a comes after b.
func later(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		p, err1 := strconv.Atoi(x[i])
		q, err2 := strconv.Atoi(y[i])
		if err1 == nil && err2 == nil && p != q {
			return p > q
		}
	}
	return false
}
