package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/probe"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/internal/reflection"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The test binary replaces the tool: `build` starts it again as its child process, and as the compiler for musl.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{probe.ChildCommand, musl.LinkCommand}, os.Args[1]) {
		main()
		return
	}
	os.Exit(m.Run())
}

// selfsame runs the tool in this process and returns what it printed.
func selfsame(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err = root.ExecuteContext(t.Context())
	return out.String(), err
}

// ran runs the tool, which must succeed, and returns what it printed.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	output, err := selfsame(t, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return output
}

// module writes a Go module that uses this checkout of selfsame; source is the one file of its package.
func module(t *testing.T, source string) string {
	t.Helper()
	root := testenv.Value(filepath.Abs("../.."))(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/geo\n\ngo 1.24.0\n\nrequire github.com/selfsame-ffi/selfsame v0.0.0\n\n" +
			"replace github.com/selfsame-ffi/selfsame => " + root + "\n",
		"geo.go":     source,
		"ignored.md": "not Go",
	} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

const geo = `// Package geo is about the plane.
package geo

import (
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// Point is a point in the plane.
type Point struct {
	selfsame.Object
	X, Y float64 ` + "`ffi:\"rw\" doc:\"coordinates in metres\"`" + `
	Class int ` + "`ffi:\"ro\"`" + ` // a keyword in Python
}

// Norm gives the distance from the origin.
func (p *Point) Norm() float64 { return math.Hypot(p.X, p.Y) }

// Away says whether p is further than limit from the origin.
func (p *Point) Away(limit float64) bool { return p.Norm() > limit }

var PointClass = selfsame.MustRegister[Point]("geo.Point",
	selfsame.Init(func(p *Point, x, y float64) { p.X, p.Y = x, y }),
	selfsame.Method("norm", (*Point).Norm, ""),
	selfsame.Method("away", (*Point).Away, "Whether it is further than that."))

// Double gives twice its argument.
func Double(half int) int { return 2 * half }

func init() {
	selfsame.MustRegisterFunc("geo.double", Double)
	selfsame.MustRegisterFunc("geo.import", func(words []string) int { return len(words) })
	selfsame.MustRegisterFunc("elsewhere.f", func() {})
}
`

func TestBuild(t *testing.T) {
	dir := module(t, geo)
	before := files(t, dir)
	out := filepath.Join(t.TempDir(), "with a space")
	output := ran(t, "build", dir, "-o", out)
	testenv.Contains(t, output, "compile example.org/geo: ok", "1 class, 3 functions", "import geo")
	if after := files(t, dir); !slices.Equal(before, after) {
		t.Errorf("the package's folder held %v and now holds %v", before, after)
	}
	if got, want := files(t, out), []string{"geo/__init__.py", "geo/_geo.so", "geo/py.typed"}; !slices.Equal(got, want) {
		t.Errorf("wrote %v, want %v", got, want)
	}
	text := testenv.Value(os.ReadFile(filepath.Join(out, "geo", "__init__.py")))(t)
	testenv.Contains(t, string(text),
		"\"\"\"Package geo is about the plane.\n\nFunctions:\n\n    double(half: int) -> int\n        double gives twice its argument.\n",
		`@_ffi.register_object("geo.Point", shared=True)`,
		"class Point(_ffi.Object):\n    \"\"\"Point is a point in the plane.\"\"\"",
		"    x: float\n    \"\"\"coordinates in metres\"\"\"",
		"def __init__(self, x: float, y: float) -> None:",
		"def class_(self) -> int:\n            \"\"\"a keyword in Python\"\"\"",
		`setattr(Point, "class_", vars(Point)["class"])`,
		"def norm(self) -> float:\n            \"\"\"norm gives the distance from the origin.\"\"\"",
		"def away(self, limit: float) -> bool:\n            \"\"\"Whether it is further than that.\"\"\"",
		"def double(half: int) -> int:\n    \"\"\"double gives twice its argument.\"\"\"",
		"def import_(words: _typing.Sequence[str]) -> int:",
		`@_ffi.function("geo.double")`,
	)
	if strings.Contains(string(text), "elsewhere") {
		t.Error("the module holds a function of another package")
	}
	exported(t, filepath.Join(out, "geo", "_geo.so"))
	debuggable(t, filepath.Join(out, "geo", "_geo.so"))
	inspected(t, filepath.Join(out, "geo"))

	testenv.Value(selfsame(t, "build", dir, "-o", out, "--name", "flat"))(t)
	flat := testenv.Value(os.ReadFile(filepath.Join(out, "flat", "__init__.py")))(t)
	if !strings.Contains(string(flat), "__slots__ = ()") || !strings.Contains(string(flat), `@_ffi.function("geo.double")`) {
		t.Errorf("--name flat wrote\n%s", flat)
	}
	again, err := selfsame(t, "build", dir, "-o", out)
	if err != nil {
		t.Fatalf("a second build: %v\n%s", err, again)
	}
	if second, _ := os.ReadFile(filepath.Join(out, "geo", "__init__.py")); !bytes.Equal(second, text) {
		t.Error("a second build wrote another module")
	}
}

// inspected checks what `inspect` tells of the package geo.
func inspected(t *testing.T, path string) {
	t.Helper()
	output, err := selfsame(t, "inspect", path)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Contains(t, output,
		"1 class, 3 functions, x86_64, C ABI 0.1.16, go1.", "class geo.Point(ffi.Object)\n", "  constructor(x: float, y: float)\n",
		"  field x      float\n      coordinates in metres\n", "  field class  int, read-only\n",
		"  method away(limit: float) -> bool\n      Whether it is further than that.\n", "function geo.double(half: int) -> int\n",
	)
	output, err = selfsame(t, "inspect", path, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var found struct {
		Path, ABI string
		Extension bool
		Classes   []struct {
			Key    string
			Fields []struct {
				Name string
				Type struct{ Type string }
			}
		}
		Functions []struct{ Name string }
	}
	testenv.OK(t, json.Unmarshal([]byte(output), &found))
	if found.Path != path || found.ABI != reflection.ABIVersion() || !found.Extension || len(found.Functions) != 3 || len(found.Classes) != 1 ||
		len(found.Classes[0].Fields) != 3 || found.Classes[0].Fields[0].Type.Type != "float" {
		t.Errorf("inspect --json wrote\n%s", output)
	}
}

// debuggable checks that a library has debug information, which is not compressed: that takes a third of the time of a link.
func debuggable(t *testing.T, library string) {
	t.Helper()
	f, err := elf.Open(library)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info := f.Section(".debug_info"); info == nil || info.Flags&elf.SHF_COMPRESSED != 0 {
		t.Errorf("the debug information of %s is %v", library, info)
	}
}

// exported checks that the library exports its entry points only, because other Go libraries may be in the process.
func exported(t *testing.T, library string) {
	t.Helper()
	f := testenv.Value(elf.Open(library))(t)
	defer f.Close()
	symbols := testenv.Value(f.DynamicSymbols())(t)
	found := false
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || elf.ST_BIND(s.Info) == elf.STB_LOCAL {
			continue
		}
		found = found || s.Name == "SelfsameExtensionInit"
		if !strings.HasPrefix(s.Name, "SelfsameExtension") {
			t.Errorf("%s exports %s", library, s.Name)
		}
	}
	if !found {
		t.Errorf("%s does not export SelfsameExtensionInit", library)
	}
	needed := testenv.Value(f.ImportedLibraries())(t)
	for _, name := range needed {
		if strings.Contains(name, "selfsame") || strings.Contains(name, "tvm") {
			t.Errorf("%s is linked to %s; it must take the runtime that the process has", library, name)
		}
	}
}

// Requirement: D1
func TestBuildTakesEveryPath(t *testing.T) {
	dir := module(t, "package geo\n\nimport \"github.com/selfsame-ffi/selfsame\"\n\nfunc Double(half int) int { return 2 * half }\n\n"+
		"func init() { selfsame.MustRegisterFunc(\"geo.double\", Double) }\n")
	base := t.TempDir()
	for _, name := range []string{"it's", `a "b"`, "a,b", "a b", "$HOME `x`", `it's "b", c`, "-x", "{}#%;&"} {
		out := filepath.Join(base, name)
		temporary := filepath.Join(base, "tmp "+name)
		testenv.OK(t, os.Mkdir(temporary, 0o700))
		t.Setenv("TMPDIR", temporary)
		if output, err := selfsame(t, "build", dir, "-o", out); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		if _, err := os.Stat(filepath.Join(out, "geo", "_geo.so")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		exported(t, filepath.Join(out, "geo", "_geo.so"))
	}
}

func TestBuildFailures(t *testing.T) {
	head := "package geo\n\nimport \"github.com/selfsame-ffi/selfsame\"\n\n"
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"compile error", head + "var _ = selfsame.Nothing\n\nvar x int = \"s\"\n",
			[]string{"does not compile", "geo.go:5", "geo.go:7", "go vet"}},
		{"class that its own method makes", head + "type T struct{ selfsame.Object }\n\nfunc (*T) Copy() *selfsame.Handle[T] { return class.New(nil) }\n\n" +
			"var class = selfsame.MustRegister[T](\"geo.T\", selfsame.Method(\"copy\", (*T).Copy))\n",
			[]string{"initialization cycle", "selfsame.New[T](fill)", "go vet"}},
		{"nothing registered", head + "var _ selfsame.Object\n", []string{"registers no class and no function", "MustRegister"}},
		{"panic in init", head + "var _ selfsame.Object\n\nfunc init() { panic(\"no config\") }\n",
			[]string{"registrations failed", "no config", "geo.go:7"}},
		{"exit in init", "package geo\n\nimport (\n\t\"os\"\n\n\t_ \"github.com/selfsame-ffi/selfsame\"\n)\n\nfunc init() { os.Exit(0) }\n",
			[]string{"registrations failed", "ended the process"}},
		{"bad registration", head + "var _ selfsame.Object\n\nfunc init() { selfsame.MustRegisterFunc(\"geo.f\", func(chan int) {}) }\n",
			[]string{"registrations failed", "geo.f", "chan int"}},
		{"several bad registrations", head + "type T struct {\n\tselfsame.Object\n\tS string\n}\n\nvar class = selfsame.MustRegister[T](\"geo.T\")\n\n" +
			"func init() {\n\tselfsame.MustRegisterFunc(\"geo.f\", func(chan int) {})\n\tselfsame.MustRegisterFunc(\"geo.g\", func(uintptr) {})\n}\n",
			[]string{"registrations failed", "got string; use selfsame.String", "\ngeo.f (func(chan int)): ", "\ngeo.g (func(uintptr)): "}},
		{"use of a class whose registration failed", head + "type T struct {\n\tselfsame.Object\n\tS string\n}\n\n" +
			"var class = selfsame.MustRegister[T](\"geo.T\")\n\nvar first = class.New(nil)\n",
			[]string{"class geo.T is not registered; the first registration that failed", "got string; use selfsame.String"}},
		{"name clash", head + "func init() {\n\tselfsame.MustRegisterFunc(\"geo.in\", func() {})\n\tselfsame.MustRegisterFunc(\"geo.in_\", func() {})\n}\n",
			[]string{"geo.in and geo.in_", "another name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, c.source)
			output, err := selfsame(t, "build", dir, "-o", t.TempDir())
			if c.name == "compile error" && !strings.Contains(fmt.Sprint(err), "    "+filepath.Join(dir, "geo.go")+":5:") {
				t.Errorf("the error does not say the place for a reader who is in another folder:\n%v", err)
			}
			if err == nil {
				t.Fatalf("the build succeeded:\n%s", output)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error lacks %q:\n%v", want, err)
				}
			}
		})
	}
}

func TestFlagErrors(t *testing.T) {
	dir := module(t, geo)
	out := t.TempDir()
	byHand := filepath.Join(out, "geo", "__init__.py")
	testenv.OK(t, os.MkdirAll(filepath.Dir(byHand), 0o755))
	testenv.OK(t, os.WriteFile(byHand, []byte("print('mine')\n"), 0o644))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"build"}, "build: expected the folder of a Go package"},
		{[]string{"build", dir, dir}, "example.org/geo was given already"},
		{[]string{"build", filepath.Join(out, "nowhere")}, "no such folder"},
		{[]string{"build", dir, "--name", "not-a-name"}, `"not-a-name" cannot be the name of a Python package`},
		{[]string{"build", dir, "--name", "class", "-o", out}, "--name"},
		{[]string{"build", dir, "--name", "json", "-o", out}, "the package json would hide the module of that name"},
		{[]string{"build", dir, "--name", "selfsame_ffi", "-o", out}, "--name"},
		{[]string{"build", dir, "-o", out}, "was not written by selfsame-ffi build"},
		{[]string{"build", dir, "--target", "linux"}, "--target is for wheels; add --wheel"},
		{[]string{"build", dir, "--version", "new", "-o", out}, `--version: expected a version such as 1.2.0`},
		{[]string{"build", dir, "--wheel", "-o", out}, "no version was found: give one with --version"},
		{[]string{"build", dir, "--wheel", "--version", "1", "--dist", "-", "-o", out}, "--dist: expected letters"},
		{[]string{"build", dir, "--wheel", "--target", "musllinux_1_2_aarch64"}, "give musllinux_1_2_x86_64"},
		{[]string{"build", dir, "--wheel", "--target", "win_arm64"}, "for x86-64 only; give win_amd64"},
		{[]string{"new"}, "new: expected the name of a package"},
		{[]string{"new", "Shop"}, `new: expected a name of small letters`},
		{[]string{"new", "func"}, "func has a meaning in Go"},
		{[]string{"new", "json"}, "hide the module"},
		{[]string{"new", "shop", "--dir", dir}, "is not empty"},
		{[]string{"inspect"}, "inspect: expected a library"},
		{[]string{"inspect", dir}, "has no shared library"},
		{[]string{"inspect", filepath.Join(out, "x.so")}, "no such file"},
		{[]string{"doctor", "a", "b"}, "doctor: expected at most one library"},
		{[]string{"develop", dir, "--runtime", "tvm-ffi"}, "develop: expected --runtime selfsame"},
		{[]string{"develop", dir, "--python", "no-such-python"}, "the Python no-such-python does not run"},
		{[]string{"build", dir, "--colour"}, "unknown flag: --colour; see `selfsame-ffi build --help`"},
		{[]string{"bulid", dir}, `unknown command "bulid"`},
	} {
		_, err := selfsame(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("selfsame %s: got error %v, want one that contains %q", strings.Join(c.args, " "), err, c.want)
		}
	}
	if text, _ := os.ReadFile(byHand); string(text) != "print('mine')\n" {
		t.Errorf("a module written by hand was overwritten with\n%s", text)
	}
}

// A package may lie behind a symbolic link, in a folder called internal, and use cgo itself. Several make one library.
func TestBuildElsewhere(t *testing.T) {
	dir := module(t, geo)
	inner := filepath.Join(dir, "internal", "in-ner")
	testenv.OK(t, os.MkdirAll(inner, 0o755))
	source := "package inner\n\n// static int twice(int x) { return 2 * x; }\nimport \"C\"\n\n" +
		"import \"github.com/selfsame-ffi/selfsame\"\n\nfunc init() {\n" +
		"\tselfsame.MustRegisterFunc(\"inner.twice\", func(x int) int { return int(C.twice(C.int(x))) })\n}\n"
	testenv.OK(t, os.WriteFile(filepath.Join(inner, "inner.go"), []byte(source), 0o644))
	link := filepath.Join(t.TempDir(), "link")
	testenv.OK(t, os.Symlink(inner, link))
	out := t.TempDir()
	for _, folders := range [][]string{{link}, {inner, dir}} {
		output, err := selfsame(t, append([]string{"build", "-o", out, "--version", "v1.2.0"}, folders...)...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", folders, err, output)
		}
	}
	text, err := os.ReadFile(filepath.Join(out, "inner", "__init__.py"))
	for _, want := range []string{"def twice(x: int) -> int:", "class Point(_ffi.Object):", "def double(half: int", `__version__ = "1.2.0"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("error %v, the module lacks %q:\n%s", err, want, text)
		}
	}
	exported(t, filepath.Join(out, "inner", "_inner.so"))
}

func TestMissingCompiler(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	_, err := selfsame(t, "build", module(t, geo), "-o", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), `"no-such-compiler" was not found`) || !strings.Contains(err.Error(), "apt-get install gcc") {
		t.Errorf("got error %v, want one that names the compiler and how to install one", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := t.TempDir()
	err := build(ctx, buildOptions{dirs: []string{module(t, geo)}, out: out, runtime: python.Selfsame}, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	if left := files(t, out); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestVersion(t *testing.T) {
	output, err := selfsame(t, "version")
	if err != nil || !strings.Contains(output, release.Version+", tvm-ffi C ABI 0.1.16") {
		t.Errorf("got %q, error %v", output, err)
	}
}

// The tool as a program: errors are written to standard error with the tool's name, and the exit status is 1.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool")
	}
	binary := filepath.Join(t.TempDir(), "selfsame-ffi")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(binary, "build", "nowhere")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(stderr.String(), "selfsame-ffi: build: nowhere: no such folder") {
		t.Errorf("got status %v, output %q", err, stderr.String())
	}
}
