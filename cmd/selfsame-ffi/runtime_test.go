package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// stockPython returns the interpreter of the environment that has the stock tvm_ffi package.
func stockPython(t *testing.T) string {
	t.Helper()
	_, library := testenv.TvmFFI(t)
	// ENV/lib/python3.N/site-packages/tvm_ffi/lib/libtvm_ffi.so
	environment := library
	for range 6 {
		environment = filepath.Dir(environment)
	}
	python := filepath.Join(environment, "bin", "python")
	if _, err := os.Stat(python); library == "" || err != nil {
		t.Skipf("the stock tvm_ffi package is not in a virtual environment with an interpreter: %s", environment)
	}
	return python
}

// inPython runs a script that can import the packages in a folder, and returns its output.
func inPython(t *testing.T, python, folder, script string, args ...string) string {
	t.Helper()
	cmd := exec.Command(python, append([]string{"-c", script}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// A package built for the stock runtime works without selfsame_ffi.
//
// Requirement: D7
func TestPackageWorksOnStockRuntime(t *testing.T) {
	python := stockPython(t)
	out := t.TempDir()
	ran(t, "build", module(t, geo), "-o", out, "--runtime", "tvm-ffi")
	inPython(t, python, out, `
import sys
import geo, tvm_ffi
assert "selfsame_ffi" not in sys.modules
p = geo.Point(3.0, 4.0)
assert isinstance(p, tvm_ffi.Object) and type(p) is geo.Point
assert (p.x, p.y, p.norm(), p.away(4), p.class_) == (3.0, 4.0, 5.0, True, 0)
p.x = 0.0
assert p.norm() == 4.0
assert geo.double(21) == 42 and geo.import_(["a", "b"]) == 2
try:
    geo.double("text")
except TypeError as e:
    assert "geo.double: argument " in str(e), e
else:
    raise AssertionError("no TypeError")
`)
	for _, c := range []struct{ flag, want string }{{"stock", `--runtime: expected selfsame or tvm-ffi, got "stock"`}} {
		if _, err := selfsame(t, "build", module(t, geo), "-o", out, "--runtime", c.flag); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--runtime %s: %v", c.flag, err)
		}
	}
}

// shop has every kind of constructor and method: defaults, keyword arguments, constructors of fields, enums, static
// methods.
const shop = `package geo

import "github.com/selfsame-ffi/selfsame"

type Color struct {
	selfsame.IntEnum
	RGB int32 ` + "`ffi:\"ro\"`" + `
}

type Mode struct{ selfsame.StrEnum }

type Item struct {
	selfsame.Object
	Name  selfsame.String
	Price float64
	Color selfsame.Opt[Color]
}

type Settings struct {
	selfsame.Object
	Name  selfsame.String
	Depth int32                 ` + "`ffi:\"default=3\"`" + `
	Loud  bool                  ` + "`ffi:\"default=false,kwonly\"`" + `
	Note  selfsame.String       ` + "`ffi:\"default='a note that is long',kwonly\"`" + `
	Tags  selfsame.List[string] ` + "`ffi:\"init=off\"`" + `
}

var (
	ColorClass = selfsame.MustRegister[Color]("geo.Color", selfsame.Doc("What it looks like."))
	Red        = selfsame.MustMember(ColorClass, "red", 1, func(c *Color) { c.RGB = 0xff0000 })
	Blue       = selfsame.MustMember(ColorClass, "light blue", 7, nil)
	ModeClass  = selfsame.MustRegister[Mode]("geo.Mode")
	Fast       = selfsame.MustMember(ModeClass, "fast", 0, nil)

	ItemClass = selfsame.MustRegister[Item]("geo.Item",
		selfsame.Init(func(it *Item, name string, price float64, color selfsame.Optional[*selfsame.Handle[Color]]) {
			it.Name.Set(name)
			it.Price = price
			it.Color.Set(color.Value)
		}, "name", "price=1.5", "color=None"),
		selfsame.Method("raised", func(it *Item, by float64, times int) float64 { return it.Price + by*float64(times) }, "", "by", "times=1"),
		selfsame.Static("cheap", func(name string, price float64) *selfsame.Handle[Item] {
			return selfsame.New(func(it *Item) { it.Name.Set(name); it.Price = price })
		}, "Makes a cheap one.", "name='thing'", "price=0.5"),
		selfsame.Method("from", func(it *Item, class string) string { return it.Name.Get() + class }, "", "class='.'"))
	SettingsClass = selfsame.MustRegister[Settings]("geo.Settings", selfsame.AutoInit())
)
`

const useShop = `
import warnings
warnings.simplefilter("error")
import geo

red = geo.Color.red
assert (red.value, red.name, red.rgb) == (1, "red", 0xFF0000)
assert geo.Mode.fast.value == geo.Mode.fast.name == "fast"
assert not hasattr(geo.Color, "light blue") and geo.Color.__doc__ == "What it looks like."
assert repr(red) in ("Color.red", "geo.Color.red"), repr(red)

def raises(part, f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except TypeError as e:
        assert part in str(e), e
    else:
        raise AssertionError(f"no TypeError: {part}")

item = geo.Item("lamp")
assert (item.name, item.price, item.color) == ("lamp", 1.5, None)
item = geo.Item(color=red, name="cup")
assert (item.name, item.price, item.color.rgb) == ("cup", 1.5, 0xFF0000)
assert item.raised(2) == item.raised(by=2) == item.raised(times=1, by=2) == 3.5 and item.raised(2, times=3) == 7.5
assert geo.Item.cheap().name == "thing" and geo.Item.cheap(price=0.25).price == 0.25 and item.cheap("a").name == "a"
assert item.from_() == "cup." and item.from_("x") == "cupx"
raises("unexpected keyword argument 'weight'", geo.Item, "x", weight=1)
raises("geo.Item: argument 'name': missing", geo.Item, price=1)
raises("geo.Item: argument 'name': got multiple values", geo.Item, "x", name="y")
raises("unexpected keyword argument 'size'", item.raised, size=1)
raises("geo.Item: argument 'price': expected float, got str", geo.Item, "x", price="much")

s = geo.Settings("some name", loud=True)
assert (s.name, s.depth, s.loud, s.note, list(s.tags)) == ("some name", 3, True, "a note that is long", [])
assert geo.Settings(depth=4, name="x").depth == 4
raises("missing required argument: 'name'", geo.Settings)
raises("positional", geo.Settings, "x", 1, True)
raises("tags", geo.Settings, "x", tags=[])
print(geo.__file__)
`

// Keyword arguments, defaults and enums work in Python, on either runtime, and the module declares them for type checkers.
//
// Requirements: D1, D7
func TestKeywordsDefaultsAndEnumsWorkInPython(t *testing.T) {
	python := stockPython(t)
	for _, runtime := range []string{"selfsame", "tvm-ffi"} {
		t.Run(runtime, func(t *testing.T) {
			out := t.TempDir()
			ran(t, "build", module(t, shop), "-o", out, "--runtime", runtime)
			file := inPython(t, python, out, useShop)
			text := testenv.Value(os.ReadFile(file))(t)
			testenv.Contains(t, string(text),
				"red: _typing.ClassVar[Color]",
				"def __init__(self, name: str, price: float = 1.5, color: Color | None = None) -> None: ...",
				"def raised(self, by: float, times: int = 1) -> float: ...",
				"def cheap(name: str = \"thing\", price: float = 0.5) -> Item:",
				"def from_(self, class_: str = \".\", /) -> str: ...",
				"def __init__(self, name: str, depth: int = 3, *, loud: bool = False, note: str = \"a note that is long\") -> None: ...",
			)
		})
	}
}

// The demo's package works on the stock package.
//
// Requirement: D7
func TestDemoWorksOnStockRuntime(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the demo")
	}
	python := stockPython(t)
	out := t.TempDir()
	demo := filepath.Join(testenv.Root(), "examples", "markdown")
	ran(t, "build", demo, "-o", out, "--runtime", "tvm-ffi")
	got := inPython(t, python, out, `
import sys
import markdown
assert "selfsame_ffi" not in sys.modules
doc = markdown.parse("# Title\n\nSome *text* here.\n\n## Part\n")
headings = [c for c in doc.children if isinstance(c, markdown.Heading)]
print([(h.level, h.text_content()) for h in headings])
`)
	if want := "[(1, 'Title'), (2, 'Part')]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A registration that fails raises an ImportError with the reason.
//
// Requirement: D7
func TestFailedRegistrationIsAnImportErrorOnStockRuntime(t *testing.T) {
	python := stockPython(t)
	out := t.TempDir()
	ran(t, "build", module(t, geo), "-o", out, "--runtime", "tvm-ffi")
	got := inPython(t, python, out, `
import tvm_ffi
tvm_ffi.register_global_func("geo.double", lambda x: x)
try:
    import geo
except ImportError as e:
    print(e)
`)
	if !strings.Contains(got, "could not register its classes and functions: RuntimeError: ") || !strings.Contains(got, "geo.double") {
		t.Errorf("got %q", got)
	}
}

// Go may be releasing Python's functions when the interpreter ends. The stock package takes the GIL to release one, which
// ends a thread, and with it the process, once the interpreter is gone.
//
// Requirement: D7
func TestPythonEndsWhileGoReleasesItsObjectsOnStockRuntime(t *testing.T) {
	python := stockPython(t)
	out := t.TempDir()
	folder := module(t, `package geo

import "github.com/selfsame-ffi/selfsame"

var kept []*selfsame.Function

func init() {
	selfsame.MustRegisterFunc("geo.keep", func(f *selfsame.Function) { kept = append(kept, f) })
	selfsame.MustRegisterFunc("geo.forget", func() {
		kept = nil
		go selfsame.Collect()
	})
}
`)
	ran(t, "build", folder, "-o", out, "--runtime", "tvm-ffi")
	for range 3 {
		if got := inPython(t, python, out, `
import geo
for i in range(20_000):
    geo.keep(lambda i=i: i)
geo.forget()
print("end")
`); got != "end" {
			t.Errorf("the program printed %q", got)
		}
	}
}
