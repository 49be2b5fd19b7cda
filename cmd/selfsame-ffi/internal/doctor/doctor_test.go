package doctor

// Requirement: G4

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// one returns the finding of a check, and fails the test when there is none.
func one(t *testing.T, findings []Finding, check string) Finding {
	t.Helper()
	for _, f := range findings {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no finding on %s among %+v", check, findings)
	return Finding{}
}

// expect checks a finding, which must say how to mend a problem.
func expect(t *testing.T, f Finding, status Status, found, mend string) {
	t.Helper()
	if f.Status != status || !strings.Contains(f.Found, found) || !strings.Contains(f.Mend, mend) {
		t.Errorf("got %+v, want the status %s, %q, and to mend it %q", f, status, found, mend)
	}
	if f.Status == Problem && f.Mend == "" {
		t.Errorf("%s does not say how to mend it", f.Check)
	}
}

// python writes a program that answers the question as an interpreter does.
func python(t *testing.T, answer string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	testenv.OK(t, os.WriteFile(path, []byte("#!/bin/sh\necho '"+answer+"'\n"), 0o755))
	return path
}

func subject(t *testing.T) Subject {
	return Subject{Dir: t.TempDir(), Release: "0.1.0", ABI: "0.1.16"}
}

func TestMissingProgramsAreFound(t *testing.T) {
	s := subject(t)
	t.Setenv("PATH", t.TempDir())
	findings := Examine(t.Context(), s)
	expect(t, one(t, findings, "Go"), Problem, "was not found in PATH", "https://go.dev/dl")
	expect(t, one(t, findings, "Python"), Problem, "no interpreter", "apt-get install python3")
	if Healthy(findings) {
		t.Error("a machine without Go and Python is healthy")
	}
}

func TestOldGoIsFound(t *testing.T) {
	bin := t.TempDir()
	testenv.OK(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\necho go1.20.3\n"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	expect(t, one(t, Examine(t.Context(), subject(t)), "Go"), Problem, "go1.20.3", "install Go 1.24")
}

func TestCompilersAreTried(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	broken := filepath.Join(t.TempDir(), "c++")
	testenv.OK(t, os.WriteFile(broken, []byte("#!/bin/sh\necho 'fatal error: stdlib.h: No such file' >&2\nexit 1\n"), 0o755))
	t.Setenv("CXX", broken)
	findings := Examine(t.Context(), subject(t))
	expect(t, one(t, findings, "C compiler"), Problem, `"no-such-compiler" was not found`, "apt-get install gcc libc6-dev")
	expect(t, one(t, findings, "C++ compiler"), Warning, "stdlib.h: No such file", "go test")
	t.Setenv("CC", "cc")
	expect(t, one(t, Examine(t.Context(), subject(t)), "C compiler"), OK, "", "")
}

func TestPythonIsExamined(t *testing.T) {
	for _, c := range []struct {
		answer, check string
		status        Status
		found, mend   string
	}{
		{`{"python": [3, 8, 1]}`, "Python", Problem, "Python 3.8", "3.9 or later"},
		{`nonsense`, "Python", Problem, "does not run", "--python"},
		{`{"python": [3, 11, 1], "error": "missing"}`, "selfsame_ffi", Problem, "does not have it", "pip install --upgrade selfsame-ffi==0.1.0"},
		{`{"python": [3, 11, 1], "error": "ImportError: broken"}`, "selfsame_ffi", Problem, "ImportError: broken", "pip install"},
		{`{"python": [3, 11, 1], "version": "0.0.9", "abi": [0, 1, 16]}`, "selfsame_ffi", Problem, "version 0.0.9", "pip install"},
		{`{"python": [3, 11, 1], "version": "0.1.0", "abi": [0, 1, 15]}`, "selfsame_ffi", Problem, "C ABI 0.1.15", "pip install"},
		{`{"python": [3, 11, 1], "version": "0.1.0", "abi": [0, 1, 16]}`, "selfsame_ffi", OK, "0.1.0, C ABI 0.1.16", ""},
		{`{"python": [3, 11, 1], "version": "0.1.0", "abi": [0, 1, 16]}`, "C++ headers", Warning, "was not found", "install a wheel"},
	} {
		s := subject(t)
		s.Python = python(t, c.answer)
		e := &examination{ctx: t.Context(), Subject: s}
		e.interpreter()
		expect(t, one(t, e.findings, c.check), c.status, c.found, c.mend)
	}
}

// A Go that is later than the tool's own can be used, and doctor says what may fail.
func TestAGoLaterThanTheToolsIsAWarning(t *testing.T) {
	folder := t.TempDir()
	testenv.OK(t, os.WriteFile(filepath.Join(folder, "go"), []byte("#!/bin/sh\necho go1.999.1\n"), 0o755))
	t.Setenv("PATH", folder)
	e := &examination{ctx: t.Context(), Subject: subject(t)}
	if !e.goCommand() {
		t.Error("it is not used")
	}
	expect(t, one(t, e.findings, "Go"), Warning, "go1.999.1 ("+folder+"/go) is later than "+runtime.Version(), "GOTOOLCHAIN=$(go env GOVERSION) go ")
}

// A tool that was built in a clone sends nobody to a release, which may not be there.
func TestToolOfACloneNamesTheClone(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	s := Subject{Dir: module(t, "", ""), Release: "0.1.0", ABI: "0.1.16", Sources: "/src/the clone", Python: python(t, `{"python": [3, 11, 1], "error": "missing"}`)}
	e := &examination{ctx: t.Context(), Subject: s}
	e.interpreter()
	e.module()
	expect(t, one(t, e.findings, "selfsame_ffi"), Problem, "does not have it", "pip install --upgrade '/src/the clone'")
	expect(t, one(t, e.findings, "Go module"), Problem, "does not require", "selfsame='/src/the clone'` and `go mod tidy`")
}

// module writes a Go module with one file.
func module(t *testing.T, mod, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/x\n\ngo 1.24.0\n" + mod, "x.go": "package x\n" + source} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

func TestModuleIsExaminedAndMended(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	const path = "github.com/selfsame-ffi/selfsame"
	replace := "\nreplace " + path + " => " + testenv.Root() + "\n"
	uses := "\nimport _ \"" + path + "\"\n"
	examine := func(dir string) []Finding {
		e := &examination{ctx: t.Context(), Subject: Subject{Dir: dir, Release: "0.1.0"}}
		e.module()
		return e.findings
	}
	expect(t, one(t, examine(module(t, "", "")), "Go module"), Problem, "does not require", "go get "+path)
	expect(t, one(t, examine(module(t, "\nrequire "+path+" v0.1.0\n\nreplace "+path+" => /gone\n", uses)), "Go module"), Problem, "/gone", "")

	// A replacement without a requirement, as `go mod edit -replace` leaves it.
	dir := module(t, replace, uses)
	findings := examine(dir)
	expect(t, one(t, findings, "Go module"), Problem, "does not require", "go mod tidy")
	if ran, err := Fix(t.Context(), findings, func(string) {}); ran != 1 || err != nil {
		t.Fatalf("ran %d commands, error %v", ran, err)
	}
	expect(t, one(t, examine(dir), "Go module"), OK, "uses selfsame from "+testenv.Root(), "")

	// A path from the module's folder, as `new --replace` writes it.
	file := filepath.Join(dir, "go.mod")
	absolute := testenv.Value(os.ReadFile(file))(t)
	from := testenv.Value(filepath.Rel(dir, testenv.Root()))(t)
	testenv.OK(t, os.WriteFile(file, bytes.ReplaceAll(absolute, []byte(testenv.Root()), []byte(from)), 0o644))
	expect(t, one(t, examine(dir), "Go module"), OK, "uses selfsame from "+testenv.Root(), "")
	testenv.OK(t, os.WriteFile(file, absolute, 0o644))

	// A workspace above the module that does not list it.
	work := filepath.Join(filepath.Dir(dir), "go.work")
	testenv.OK(t, os.WriteFile(work, []byte("go 1.24.0\n"), 0o644))
	expect(t, one(t, examine(dir), "Go module"), Problem, "below the workspace "+work, "go work use .")
	testenv.OK(t, os.Remove(work))

	// Vendored packages without the C headers, as some tools that copy only Go files leave them.
	vendor := exec.Command("go", "mod", "vendor")
	vendor.Dir = dir
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	expect(t, one(t, examine(dir), "Go module"), OK, "", "")
	headers := filepath.Join(dir, "vendor", filepath.FromSlash(path), "abi", "include", "selfsame")
	testenv.OK(t, os.RemoveAll(headers))
	findings = examine(dir)
	expect(t, one(t, findings, "Go module"), Problem, "vendor", "go mod vendor")
	if ran, err := Fix(t.Context(), findings, func(string) {}); ran != 1 || err != nil {
		t.Fatalf("ran %d commands, error %v", ran, err)
	}
	expect(t, one(t, examine(dir), "Go module"), OK, "", "")
	vendoredEverything(t, filepath.Join(dir, "vendor", filepath.FromSlash(path)))
}

// vendoredEverything checks that each C file which a copied package has here is in the copy, with the headers.
func vendoredEverything(t *testing.T, copied string) {
	t.Helper()
	count := 0
	for _, folder := range []string{"abi/include/selfsame", "abi/include/selfsame/internal", "internal/stubs", "internal/tie", "internal/plane", "internal/bridge", "internal/selfcopy"} {
		entries := testenv.Value(os.ReadDir(filepath.Join(testenv.Root(), filepath.FromSlash(folder))))(t)
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext != ".h" && ext != ".c" {
				continue
			}
			count++
			if _, err := os.Stat(filepath.Join(copied, filepath.FromSlash(folder), e.Name())); err != nil {
				t.Errorf("go mod vendor leaves out %s/%s", folder, e.Name())
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d C files were looked for", count)
	}
}

// compile makes a shared library.
func compile(t *testing.T, name, code string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("cc", append([]string{"-shared", "-fPIC", "-x", "c", "-", "-o", out}, flags...)...)
	cmd.Stdin = strings.NewReader(code)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return out
}

func TestLibraryIsExamined(t *testing.T) {
	const export = `__attribute__((visibility("default"))) `
	abi := func(version string) string {
		return export + "const int SelfsameExtensionABI[3] = {" + version + "};\n"
	}
	const init = export + "int SelfsameExtensionInit(void) { return 0; }\n"
	runtime := compile(t, "libtvm_ffi.so", "int TVMFFIOld(void) { return 0; }\n", "-Wl,-soname,libtvm_ffi.so")
	other := compile(t, "libother.so", "int other(void) { return 0; }\n", "-Wl,-soname,libother.so")
	noName := compile(t, "noname.so", "int other(void) { return 0; }\n")
	const callsOther = "int other(void);\nint f(void) { return other(); }\n"
	link := func(library string, flags ...string) []string {
		return append([]string{"-L" + filepath.Dir(library), "-l:" + filepath.Base(library)}, flags...)
	}
	for _, c := range []struct {
		library, check string
		status         Status
		found, mend    string
	}{
		{compile(t, "_x.so", abi("0, 1, 16")+init), "library", OK, "is an extension that fits", ""},
		{compile(t, "x.so", "int f(void) { return 0; }\n"), "library", OK, "is a library that fits", ""},
		{compile(t, "_x.so", abi("0, 2, 0")+init), "library's C ABI", Problem, "compiled for the C ABI 0.2.0, and the runtime has 0.1.16", "update selfsame-ffi"},
		{compile(t, "x.so", "int TVMFFINew(void);\nint f(void) { return TVMFFINew(); }\n"), "library's C ABI", Problem, "does not have: TVMFFINew", "headers of tvm-ffi 0.1.16"},
		{compile(t, "x.so", "int TVMFFIOld(void);\nint f(void) { return TVMFFIOld(); }\n", link(runtime)...), "library", OK, "fits", ""},
		{compile(t, "_x.so", "int TVMFFIOld(void);\n"+export+"int SelfsameExtensionInit(void) { return TVMFFIOld(); }\n", link(runtime)...),
			"library's NEEDED", Problem, "is linked to libtvm_ffi.so", "build it again"},
		{compile(t, "x.so", "int f(void) { return 0; }\n", "-Wl,-soname,libtvm_ffi.so"), "library's SONAME", Problem, "the name of the runtime", "-Wl,-soname,x.so"},
		{compile(t, "x.so", callsOther, link(other)...), "library's NEEDED", Problem, "needs libother.so, which was not found", "-rpath"},
		{compile(t, "x.so", callsOther, link(other, "-Wl,-rpath,"+filepath.Dir(other))...), "library", OK, "fits", ""},
		{compile(t, "x.so", callsOther, "-x", "none", noName), "library's NEEDED", Problem, "at that path only", "SONAME"},
		{filepath.Join(t.TempDir(), "gone.so"), "library", Problem, "no such file", "give"},
		{"doctor_test.go", "library", Problem, "is no shared library", "built for Linux"},
	} {
		e := &examination{ctx: t.Context(), Subject: Subject{Library: c.library, ABI: "0.1.16"}, runtime: &runtimeInfo{ABI: []int{0, 1, 16}, Library: runtime}}
		e.library()
		expect(t, one(t, e.findings, c.check), c.status, c.found, c.mend)
		if len(e.findings) != 1 {
			t.Errorf("%s: %d findings: %+v", c.found, len(e.findings), e.findings)
		}
	}
}

// Requirement: F7
func TestZigServesWhereThereIsNoCCompiler(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	t.Setenv("ZIG", "/opt/zig")
	examine := func() Finding { return one(t, Examine(t.Context(), Subject{Dir: t.TempDir()}), "C compiler") }
	expect(t, examine(), OK, "that of zig", "")
	t.Setenv("ZIG", "")
	t.Setenv("PATH", filepath.Dir(goCommand(t)))
	expect(t, examine(), Problem, `"no-such-compiler" was not found`, "pip install ziglang")
}

// goCommand returns the path of the go command.
func goCommand(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	return path
}
