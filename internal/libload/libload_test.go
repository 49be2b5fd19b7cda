package libload

import (
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// compile makes a shared library of C code.
func compile(t *testing.T, name, code string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("cc", append([]string{"-shared", "-fPIC", "-x", "c", "-", "-o", out}, flags...)...)
	cmd.Stdin = strings.NewReader(code)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func TestWhatALibraryLacks(t *testing.T) {
	path := compile(t, "x.so", "int nobody_has(void); int f(void) { return nobody_has(); }")
	if got := Lacking(path); got != nil {
		t.Errorf("of a library that is not loaded: %v", got)
	}
	if Symbol(path, "f") != nil {
		t.Error("a library that is not loaded has a symbol")
	}
	if got := Lacks([]string{"a", "b", "c", "d", "e"}); got != "it needs a, b, c and 2 more, which no library in the process has; load the library that has it first" {
		t.Errorf("got %q", got)
	}
	if got := Lacks([]string{"TVMFFINew"}); !strings.Contains(got, "newer version of the C ABI") {
		t.Errorf("got %q", got)
	}
}

// Requirement: D14
func TestWhyALibraryIsNotLoaded(t *testing.T) {
	other := map[string]byte{"amd64": 183, "arm64": 62}[runtime.GOARCH] // the number of the other machine
	foreign := compile(t, "foreign.so", "")
	text := testenv.Value(os.ReadFile(foreign))(t)
	text[18] = other
	testenv.OK(t, os.WriteFile(foreign, text, 0o644))
	text[elf.EI_CLASS] = 1
	small := filepath.Join(t.TempDir(), "small.so")
	testenv.OK(t, os.WriteFile(small, text, 0o644))
	own := compile(t, "own.so", "")
	plain := filepath.Join(t.TempDir(), "plain.so")
	testenv.OK(t, os.WriteFile(plain, []byte("text"), 0o644))
	musl := "it was built for musl"
	if runtime.GOOS != "linux" {
		musl = "it needs the library libc.musl-x86_64.so.1"
	}
	for _, c := range []struct{ path, loader, want string }{
		{"/nowhere/x.so", "", "file does not exist; give the path of the library"},
		{"gone.so", "gone.so: cannot open shared object file: No such file or directory", "the loader does not find it either; give its path"},
		{plain, plain + ": invalid ELF header", "it is not a shared library for Linux"},
		{small, "wrong ELF class", "it is for a machine of 32 bits"},
		{t.TempDir(), "cannot read file data: Is a directory", "it cannot be read (read "},
		{foreign, "wrong ELF class", "it is for another machine"},
		{own, "libgone.so.1: cannot open shared object file: No such file or directory", "it needs the library libgone.so.1, which the loader does not find"},
		{own, "libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory", musl},
		{own, "/usr/lib/x86_64-linux-gnu/libc.so: invalid ELF header", "it was built for musl"},
		{own, "Error relocating " + own + ": f: initial-exec TLS resolves to dynamic definition in " + own, "link it for musl"},
		{own, own + ": undefined symbol: gone, version X", "it needs gone, which no library in the process has"},
		{own, "/lib/libc.so.6: version `GLIBC_2.99' not found (required by " + own + ")", "it was built on a newer system than this one, with GLIBC_2.99"},
		{own, "/opt/libfoo.so.2: version `FOO_3' not found (required by " + own + ")", "it needs version FOO_3 of the library /opt/libfoo.so.2"},
		{own, own + ": undefined symbol: PyLong_FromLong", "it needs PyLong_FromLong of Python: it is an extension module"},
		{own, own + ": undefined symbol: Pyramid", "it needs Pyramid, which no library in the process has"},
		{own, "something else", "something else"},
	} {
		err := Why(c.path, c.loader)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %q: got %v, want %q", c.path, c.loader, err, c.want)
		}
		if missing := strings.Contains(c.want, "give"); errors.Is(err, fs.ErrNotExist) != missing {
			t.Errorf("%s: %v is fs.ErrNotExist: %v", c.path, err, !missing)
		}
	}
}

// A library without its end is told before the loader maps it.
// Requirement: D14
func TestALibraryThatIsCutOff(t *testing.T) {
	whole := compile(t, "whole.so", "int data[40000] = {1};")
	text := testenv.Value(os.ReadFile(whole))(t)
	if err := Whole(whole); err != nil {
		t.Errorf("a whole library: %v", err)
	}
	cut := filepath.Join(t.TempDir(), "cut.so")
	for _, c := range []struct {
		bytes int
		want  bool
	}{{0, false}, {20, false}, {64, true}, {70, true}, {2000, true}, {len(text) / 2, true}} {
		testenv.OK(t, os.WriteFile(cut, text[:c.bytes], 0o644))
		if err := Whole(cut); (err != nil) != c.want {
			t.Errorf("the first %d bytes: %v", c.bytes, err)
		}
	}
	for _, path := range []string{"/nowhere/x.so", t.TempDir(), "libload_test.go"} {
		if err := Whole(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A library need not end with .so.
// Requirement: D14
func TestNamesOfLibraries(t *testing.T) {
	text := testenv.Value(os.ReadFile(compile(t, "x.so", "")))(t)
	t.Chdir(t.TempDir())
	for name, content := range map[string][]byte{"plugin": text, "notes": []byte("text"), "none": nil, "x.whl": text} {
		testenv.OK(t, os.WriteFile(name, content, 0o644))
	}
	for name, want := range map[string]bool{"libgone.so.1": true, "/opt/libgone.so.10.2.3": true, "libgone.so": false, "libgone.so.1a": false,
		"plugin": true, "notes": false, "none": false, "gone": false, "x.whl": false, ".": false} {
		if got := IsLibrary(name); got != want {
			t.Errorf("IsLibrary(%q) = %v", name, got)
		}
	}
	if err := NoLoader("x.whl"); !strings.Contains(err.Error(), `nothing in the process loads files of the kind ".whl"`) {
		t.Error(err)
	}
	if err := NoLoader("gone.whl"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestANameIsThatOfAFileHere(t *testing.T) {
	t.Chdir(t.TempDir())
	testenv.OK(t, os.WriteFile("x.so", nil, 0o644))
	here := testenv.Value(os.Getwd())(t)
	for path, want := range map[string]string{"x.so": filepath.Join(here, "x.so"), "./x.so": "./x.so", "gone.so": "gone.so", "": ""} {
		if got := Resolve(path); got != want {
			t.Errorf("Resolve(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestVersionsInNamesOfLibraries(t *testing.T) {
	for name, want := range map[string]bool{
		"libx.so.1": true, "libx.so.1.20": true, "/a/libx.so.0.0.7": true, "libx.so": false, "libx.so.": false, "libx.so.1.": false,
		"libx.so.1a": false, "libx.1": false, "libx.so..1": false, "so.1": false, ".so.1": true,
	} {
		if got := IsLibrary(name); got != want {
			t.Errorf("IsLibrary(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestNamesOfPython(t *testing.T) {
	for name, want := range map[string]bool{
		"PyList_New": true, "_PyObject_New": true, "Py_IncRef": true, "Py_": true, "Pylist_New": false, "PyList": false, "__PyList_New": false,
		"PyList3_New": false, "MyPy_New": false, "": false, "_": false,
	} {
		if got := ofPython(name); got != want {
			t.Errorf("ofPython(%q) = %v, want %v", name, got, want)
		}
	}
}
