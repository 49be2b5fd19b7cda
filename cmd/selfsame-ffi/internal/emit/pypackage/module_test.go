package pypackage

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func schema(name string, args ...model.Schema) model.Schema {
	return model.Schema{Type: name, Args: args}
}

func typed(name, doc string, result model.Schema, names []string, args ...model.Schema) model.Function {
	return model.Function{Name: name, Doc: doc, Typed: true, Result: result, Args: args, ArgNames: names}
}

// geometry returns a library with one of everything.
func geometry() model.Library {
	point := schema("geo.Point")
	shape := schema("geo.Shape")
	move := typed("move", "Moves the shape.\n\nBoth ways count.", schema("None"), []string{"dx", "dY"}, schema("float"), schema("float"))
	origin := typed("origin", "", point, nil)
	origin.Static = true
	point3 := typed("__ffi_init__", `A point with a "label"`, schema("None"), []string{"x", "y", "label"},
		schema("float"), schema("float"), schema("Optional", schema("ffi.String")))
	point3.Keywords = true
	point3.ArgDefaults = []string{"0.5", "None"}
	turn := typed("turn", "Turns it.", schema("None"), []string{"from", "angle", "times"}, point, schema("float"), schema("int"))
	turn.Keywords, turn.ArgDefaults = true, []string{"2"}
	settings := typed("__ffi_init__", "", schema("geo.Settings"), []string{"name", "depth"}, schema("ffi.String"), schema("int"))
	settings.Keywords, settings.OfFields, settings.ArgDefaults = true, true, []string{"3"}
	settings.ByName = []model.Field{{Name: "loud", Type: schema("bool"), Default: "False"}, {Name: "tags", Type: schema("ffi.List", schema("ffi.String")), Default: "..."}}
	return model.Library{
		Classes: []model.Class{
			{Key: "geo.Shape", Parent: "ffi.Object", Methods: []model.Function{move, turn}},
			{
				Key: "geo.Point", Parent: "geo.Shape", Doc: "A point in the plane.",
				Init: &point3,
				Fields: []model.Field{
					{Name: "x", Doc: "to the right, in metres", Type: schema("float"), Writable: true},
					{Name: "str", Type: schema("ffi.String"), Writable: true},
					{Name: "class", Doc: "a keyword in Python", Type: schema("int")},
					{Name: "next", Type: schema("Optional", point), Writable: true},
					{Name: "around", Type: schema("ffi.Array", point)},
				},
				Methods: []model.Function{
					origin,
					typed("from", "", schema("ffi.Bytes"), []string{"in", ""}, shape, schema("ffi.Array", schema("ffi.Array", schema("int")))),
					typed("from", "hidden by the first of its name", schema("int"), nil),
				},
			},
			{Key: "geo.Empty", Parent: "geo.Point"},
			{Key: "geo.Color", Parent: "ffi.IntEnum", Fields: []model.Field{{Name: "rgb", Type: schema("int")}},
				Members: []model.Member{{Name: "red", Number: 1}, {Name: "rgb", Number: 2}, {Name: "light blue", Number: 3}, {Name: "None", Number: 4}}},
			{Key: "geo.Shade", Parent: "geo.Color"},
			{Key: "geo.Mode", Parent: "ffi.StrEnum"},
			{Key: "geo.Settings", Parent: "ffi.Object", Init: &settings},
			{Key: "other.Thing", Parent: "other.Base", Doc: `Back\slash and """quotes"""`},
		},
		Functions: []model.Function{
			typed("geo.nearest", "", schema("Optional", point), []string{"points", "fn"},
				schema("ffi.Array", point), schema("ffi.Function", schema("bool"), point)),
			typed("geo.import", "a keyword", schema("Any"), []string{"x", "x"}, schema("Any"), schema("Variant", schema("int"), schema("ffi.String"))),
			{Name: "geo.packed"},
			typed("geo.fill", "", schema("ffi.List", schema("int")), []string{"x", "shape", "kind", "place", "names"},
				schema("ffi.Tensor"), schema("ffi.Shape"), schema("DataType"), schema("Device"),
				schema("ffi.Dict", schema("ffi.String"), schema("ffi.Module"))),
			typed("geo.scale", "", schema("None"), []string{"values", "rows", "key", "from"},
				accepting(model.Arrays, schema("ffi.Array", schema("float"))),
				accepting(model.Arrays, schema("ffi.Array", schema("ffi.Array", schema("int")))),
				accepting(model.Buffers, schema("ffi.Bytes")), schema("go.Reader")),
			typed("geo.far.away", "", schema("ffi.Map", schema("ffi.String"), schema("unknown.Class")), nil),
			typed("ffi.not_ours", "", schema("None"), nil),
		},
	}
}

// accepting returns a schema of a parameter that takes more than its type.
func accepting(what string, s model.Schema) model.Schema {
	s.Accepts = what
	return s
}

func names() *gosource.Names {
	return &gosource.Names{
		Functions: map[string]*gosource.FuncNames{
			"geo.nearest": {GoName: "Nearest", Doc: "Nearest finds the first point that fn takes.", Params: []string{"a", "b"}},
		},
		Classes: map[string]*gosource.ClassNames{
			"geo.Shape": {Doc: "Shape is what has a place.", Methods: map[string]*gosource.FuncNames{}},
			"geo.Point": {
				Doc:    "not used: reflection has a doc",
				Fields: map[string]string{"around": "the neighbours"},
				Methods: map[string]*gosource.FuncNames{
					"origin": {GoName: "makeOrigin", Doc: "makeOrigin gives the point at zero."},
				},
			},
		},
	}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		golden, runtime string
		dynamic         bool
	}{
		{"geo.py.golden", Selfsame, false},
		{"geo_dynamic.py.golden", Selfsame, true},
		{"geo_tvm_ffi.py.golden", TvmFFI, false},
		{"geo_tvm_ffi_dynamic.py.golden", TvmFFI, true},
	} {
		lib := geometry()
		Fill(&lib, names())
		for i := range lib.Classes {
			lib.Classes[i].Dynamic = c.dynamic
		}
		m := Module{Name: "geo", ImportPath: "example.org/geo", Library: "_geo.so", Prefixes: []string{"geo"}, Runtime: c.runtime, Requires: "1.2.3", Content: lib}
		golden := filepath.Join("testdata", c.golden)
		text := testenv.Value(m.Write())(t)
		if again, _ := m.Write(); again != text {
			t.Error("two writes of the same module differ")
		}
		if *update {
			testenv.OK(t, os.WriteFile(golden, []byte(text), 0o644))
		}
		want := testenv.Value(os.ReadFile(golden))(t)
		if text != string(want) {
			t.Errorf("%s: the module reads\n%s\nrun `go test -update` when that is right", golden, text)
		}
	}
}

// The module must be Python: compiled, not run, as running needs the library.
func TestCompilesAsPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 was not found in PATH")
	}
	for _, file := range []string{"geo.py.golden", "geo_dynamic.py.golden", "geo_tvm_ffi.py.golden", "geo_tvm_ffi_dynamic.py.golden"} {
		out, err := exec.Command(python, "-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())", filepath.Join("testdata", file)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

func TestNameClash(t *testing.T) {
	cases := map[string]model.Library{
		"geo.from and geo.from_": {Functions: []model.Function{{Name: "geo.from"}, {Name: "geo.from_"}}},
		"geo.Point and geo.Point": {
			Classes:   []model.Class{{Key: "geo.Point", Parent: "ffi.Object"}},
			Functions: []model.Function{{Name: "geo.Point"}},
		},
		"geo.Point.x and geo.Point.x": {Classes: []model.Class{{
			Key: "geo.Point", Fields: []model.Field{{Name: "x"}}, Methods: []model.Function{{Name: "x"}},
		}}},
	}
	for want, lib := range cases {
		m := Module{Name: "geo", Prefixes: []string{"geo"}, Content: lib}
		_, err := m.Write()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "another name") {
			t.Errorf("got error %v, want one that names %s and says what to do", err, want)
		}
	}
}

func TestPackageName(t *testing.T) {
	for name, want := range map[string]bool{"geo": true, "go_geo2": true, "": false, "2d": false, "a-b": false, "class": false, "a.b": false, "größe": false} {
		if got := IsPackageName(name); got != want {
			t.Errorf("IsPackageName(%q) = %v, want %v", name, got, want)
		}
	}
}

// Special methods, operators and properties are declared for type checkers.
//
// Requirement: D11
func TestSpecialMethodsAreInTheModule(t *testing.T) {
	integer, str, boolean := model.Schema{Type: "int"}, model.Schema{Type: "ffi.String"}, model.Schema{Type: "bool"}
	method := func(name string, result model.Schema, args ...model.Schema) model.Function {
		return model.Function{Name: name, Typed: true, Result: result, Args: args}
	}
	property := method("size", integer)
	property.Property = "size"
	setter := method("set_size", model.Schema{Type: "None"}, integer)
	setter.Property = "size"
	property.Doc, setter.Doc = "size is the number of rows.", "SetSize\nadds or removes rows."
	documented := func(f model.Function, doc string) model.Function {
		f.Doc = doc
		return f
	}
	m := &Module{
		Name: "rows", ImportPath: "example.com/rows", Library: "_rows.so", Prefixes: []string{"rows"}, Runtime: Selfsame,
		Content: model.Library{Classes: []model.Class{{
			Key: "rows.Row", Parent: "ffi.Object", Operators: []string{"eq", "order", "methods", "properties"},
			Methods: []model.Function{
				method("__len__", integer), documented(method("__getitem__", str, integer), "__getitem__ gives one."),
				documented(method("__contains__", boolean, str), "C:\\new \x00 \"\"\"quoted\""), method("__exit__", model.Schema{Type: "None"}),
				documented(method("__iter__", model.Schema{Type: "ffi.Array", Args: []model.Schema{str}}), "__iter__\u2028goes."),
				property, setter,
			},
		}}},
	}
	text := testenv.Value(m.Write())(t)
	for _, line := range []string{
		"def __len__(self) -> int: ...", "def __getitem__(self, index: int, /) -> str: ...",
		"def __getitem__(self, index: slice, /) -> list[str]: ...",
		"def __getitem__(self, index: _typing.Any, /) -> _typing.Any:\n            \"\"\"__getitem__ gives one.\"\"\"\n            ...",
		"def __contains__(self, other: object, /) -> bool:\n            \"\"\"C:\\\\new \\x00 \\\"\\\"\\\"quoted\\\"\"\"\"\n            ...",
		"def __iter__(self) -> _typing.Iterator[str]:\n            \"\"\"__iter__\\u2028goes.\"\"\"\n            ...", "def __exit__(self, *exception: object) -> None: ...",
		"def __enter__(self) -> Row: ...", "def __eq__(self, other: object) -> bool: ...", "def __hash__(self) -> int: ...",
		"def __ge__(self, other: Row) -> bool: ...", "def size(self) -> int:\n            \"\"\"size is the number of rows.\"\"\"\n            ...",
		"def size(self, value: int) -> None:\n            \"\"\"SetSize\n            adds or removes rows.\n            \"\"\"\n            ...",
	} {
		if !strings.Contains(text, "        "+line+"\n") {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "set_size") {
		t.Error("the setter is a method as well")
	}
}

// The author of a foreign library cannot mend names: one that is taken gets an underscore.
func TestModuleOfForeignLibraries(t *testing.T) {
	number := model.Schema{Type: "int"}
	m := &Module{
		Name: "fig", Foreign: []string{"libbase.so", "libfig.so"}, Namespace: "fig.core.", Prefixes: []string{"fig"}, Runtime: Selfsame,
		Content: model.Library{
			Classes: []model.Class{{
				Key: "fig.core.Circle", Parent: "ffi.Object", Fields: []model.Field{{Name: "radius", Type: number}},
				Methods: []model.Function{{Name: "radius", Typed: true, Result: number}, {Name: "from", Typed: true, Result: number}, {Name: "from_"}},
			}},
			Functions: []model.Function{{Name: "fig.core.Circle"}, {Name: "fig.core.bytes"}, {Name: "fig.other"}, {Name: "elsewhere.f"}},
		},
	}
	text, err := m.Write()
	if err != nil {
		t.Fatal(err)
	}
	testenv.Contains(t, text,
		"# Generated by `selfsame-ffi bind --python` from libbase.so, libfig.so. Do not edit: the next run overwrites it.\n",
		"__file__)), \"libbase.so\"))\n_ffi.load_module(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), \"libfig.so\"))\n",
		"class Circle(_ffi.Object):\n", "def radius(self) -> int:", "def from_(self) -> int:", "def from__(self, *args: _typing.Any) -> _typing.Any:",
		"setattr(Circle, \"from__\", vars(Circle)[\"from_\"])\n", "@_ffi.function(\"fig.core.Circle\")\ndef Circle_(", "def bytes_(", "def other(", "@_ffi.function(\"elsewhere.f\")\ndef elsewhere_f(",
	)
	if strings.Count(text, "def radius(") != 1 || strings.Contains(text, "load_extension") || strings.Contains(text, "_exported") {
		t.Errorf("it has too much:\n%s", text)
	}

	// The functions of a module come last, and are found in it.
	m.Content.Functions = append([]model.Function{{Name: "axpy", Module: true}, {Name: "elsewhere_f", Module: true}}, m.Content.Functions...)
	if text, err = m.Write(); err != nil {
		t.Fatal(err)
	}
	testenv.Contains(t, text,
		"_libraries = [\n    _ffi.load_module(", "@_exported(\"axpy\")\ndef axpy(", "@_exported(\"elsewhere_f\")\ndef elsewhere_f_(",
		"@_ffi.function(\"elsewhere.f\")\ndef elsewhere_f(",
	)
}

// Requirement: D11
func TestErrorKindsHaveExceptionClasses(t *testing.T) {
	m := &Module{
		Name: "shop", ImportPath: "example.com/shop", Library: "_shop.so", Prefixes: []string{"shop"}, Runtime: Selfsame,
		Content: model.Library{Errors: []model.ErrorKind{{Kind: "shop.SoldOut", Doc: "errSoldOut is final."}, {Kind: "shop.Closed"}, {Kind: "shop.Blank", Base: "ValueError"}, {Kind: "KeyError"}, {Kind: "other.Kind"}}},
	}
	text := testenv.Value(m.Write())(t)
	testenv.Contains(t, text,
		"@_ffi.register_error(\"shop.SoldOut\")\nclass SoldOut(RuntimeError):\n    \"\"\"errSoldOut is final.\"\"\"\n",
		"class Closed(RuntimeError):\n    \"\"\"An error of the kind shop.Closed.\"\"\"\n", "    \"SoldOut\",\n",
		"class Blank(ValueError, RuntimeError):\n",
	)
	if strings.Contains(text, "KeyError") || strings.Contains(text, "Kind(") {
		t.Errorf("it has a class for an exception of Python, or of another package:\n%s", text)
	}
	m.Content.Functions = []model.Function{{Name: "shop.Closed"}}
	if _, err := m.Write(); err == nil || !strings.Contains(err.Error(), "shop.Closed") {
		t.Errorf("a function with the name of an exception: got error %v", err)
	}
}

func TestAMethodWithTheNameOfOneOfAllObjectsTakesItsPlace(t *testing.T) {
	str := model.Schema{Type: "ffi.String"}
	is := model.Function{Name: "is_", Typed: true, Result: model.Schema{Type: "bool"}, Args: []model.Schema{str}, ArgNames: []string{"selector"}}
	m := &Module{
		Name: "rows", ImportPath: "example.com/rows", Library: "_rows.so", Prefixes: []string{"rows"}, Runtime: Selfsame,
		Content: model.Library{Classes: []model.Class{{Key: "rows.Row", Parent: "ffi.Object", Methods: []model.Function{is}}}},
	}
	text := testenv.Value(m.Write())(t)
	if want := "-> bool: ...  # type: ignore[override,unused-ignore]"; !strings.Contains(text, want) {
		t.Errorf("no %q:\n%s", want, text)
	}
}

func TestRowsAndTablesHaveTypesOfTheirOwn(t *testing.T) {
	rows := model.Schema{Type: "ffi.Array", Rows: true, Args: []model.Schema{{Type: "int"}}}
	each := model.Schema{Type: "go.Iterator", Rows: true, Args: rows.Args}
	tables := model.Schema{Type: "ffi.Array", Accepts: model.Tables, Args: rows.Args}
	m := &Module{
		Name: "rows", ImportPath: "example.com/rows", Library: "_rows.so", Prefixes: []string{"rows"}, Runtime: Selfsame,
		Content: model.Library{Functions: []model.Function{
			{Name: "rows.all", Typed: true, Result: model.Schema{Type: "go.Plain", Args: []model.Schema{rows}}},
			{Name: "rows.each", Typed: true, Result: each},
			{Name: "rows.put", Typed: true, Result: model.Schema{Type: "None"}, Args: []model.Schema{tables}, ArgNames: []string{"rows"}},
		}},
	}
	text := testenv.Value(m.Write())(t)
	testenv.Contains(t, text, "def all() -> _ffi.GoRows[int]", "def each() -> _ffi.RowIterator[int]", "| _ffi.SupportsArrow")
}

func TestAFunctionWithTheNameOfABuiltinTypeDoesNotHideIt(t *testing.T) {
	str, dict := model.Schema{Type: "ffi.String"}, model.Schema{Type: "go.Plain", Args: []model.Schema{{Type: "ffi.Map", Args: []model.Schema{{Type: "ffi.String"}, {Type: "int"}}}}}
	m := &Module{
		Name: "rows", ImportPath: "example.com/rows", Library: "_rows.so", Prefixes: []string{"rows"}, Runtime: Selfsame,
		Content: model.Library{
			Classes: []model.Class{{Key: "rows.Row", Parent: "ffi.Object", Methods: []model.Function{
				{Name: "__getitem__", Typed: true, Args: []model.Schema{{Type: "int"}}, Result: str},
				{Name: "__len__", Typed: true, Result: model.Schema{Type: "int"}},
				{Name: "fields", Typed: true, Result: dict},
			}}},
			Functions: []model.Function{
				{Name: "rows.list", Typed: true, Result: str},
				{Name: "rows.dict", Typed: true, Result: dict, Args: []model.Schema{str}, ArgNames: []string{"text"}},
				{Name: "rows.str", Typed: true, Result: str},
			},
		},
	}
	text := testenv.Value(m.Write())(t)
	testenv.Contains(t, text,
		"import builtins as _builtins", "def fields(self) -> _builtins.dict[_builtins.str, int]:", "def dict(text: _builtins.str) -> _builtins.dict[_builtins.str, int]:",
		"def __getitem__(self, index: slice, /) -> _builtins.list[_builtins.str]: ...",
	)
}

func TestAPropertyWithTheNameOfABuiltinTypeDoesNotHideIt(t *testing.T) {
	str := model.Schema{Type: "ffi.String"}
	property := model.Function{Name: "str", Property: "str", Typed: true, Result: str}
	names := model.Function{Name: "list", Typed: true, Result: model.Schema{Type: "go.Plain", Args: []model.Schema{{Type: "ffi.Array", Args: []model.Schema{str}}}}}
	m := &Module{
		Name: "rows", ImportPath: "example.com/rows", Library: "_rows.so", Prefixes: []string{"rows"}, Runtime: Selfsame,
		Content: model.Library{Classes: []model.Class{{Key: "rows.Row", Parent: "ffi.Object", Methods: []model.Function{property, names}}}},
	}
	text := testenv.Value(m.Write())(t)
	testenv.Contains(t, text, "import builtins as _builtins", "def str(self) -> _builtins.str:", "def list(self) -> _builtins.list[_builtins.str]:")
}

func TestAClassWithABlankDocAlone(t *testing.T) {
	m := Module{Name: "geo", ImportPath: "example.org/geo", Library: "_geo.so", Prefixes: []string{"geo"}, Runtime: TvmFFI,
		Content: model.Library{Classes: []model.Class{{Key: "geo.Bare", Parent: "ffi.Object", Doc: " \n"}}}}
	text, err := m.Write()
	if err != nil || !strings.Contains(text, "class Bare(_ffi.Object):\n    pass\n") {
		t.Errorf("%v\n%s", err, text)
	}
}
