package client

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/layers"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D14

func schema(name string, args ...model.Schema) model.Schema {
	return model.Schema{Type: name, Args: args}
}

func method(name string, result model.Schema, args ...model.Schema) model.Function {
	return model.Function{Name: name, Typed: true, Result: result, Args: args}
}

// library has a class of every sort, and names that are words of Go.
func library() *Library {
	text, number, point := schema("ffi.String"), schema("int"), schema("geo.Point")
	init := method("__ffi_init__", schema("None"), schema("float"), text)
	init.ArgNames, init.Doc = []string{"x", "func"}, "A doc\twith a tab\nand a control \x07 character."
	static := method("origin", schema("ffi.Object"))
	static.Static = true
	variadic := method("geo.join", text, text, schema("ffi.Array", number))
	variadic.Variadic, variadic.ArgNames = true, []string{"any", "value"}
	many := method("geo.many", schema("None"), slices.Repeat([]model.Schema{number}, 9)...)
	return &Library{Name: "geo", Sources: []string{"libgeo.so"}, Content: model.Library{
		Classes: []model.Class{
			{
				Key: "geo.Point3", Parent: "geo.Point",
				Memory: &model.Memory{Size: 72, Parts: []model.Part{
					{Name: "x", Type: "float", Offset: 24, Size: 8}, {Name: "in_padding", Type: "int", Offset: 44, Size: 4},
					{Name: "point_object", Type: "int", Offset: 48, Size: 4}, {Name: "x", Type: "ffi.String", Offset: 56, Size: 16},
				}},
				Methods: []model.Function{method("Point", number), method("point3", number), method("norm", number)},
			},
			{
				Key: "geo.Point", Parent: "ffi.Object", Doc: "A point.\n\nIn the plane.", Init: &init,
				Memory: &model.Memory{Size: 48, Parts: []model.Part{
					{Name: "x", Type: "float", Offset: 24, Size: 8}, {Name: "next", Type: "Optional", Offset: 32, Size: 8},
					{Name: "flag", Type: "bool", Offset: 40, Size: 1},
				}},
				Fields: []model.Field{
					{Name: "x", Type: schema("float"), Writable: true, Doc: "in metres"},
					{Name: "tags", Type: schema("Optional", schema("ffi.List", text))},
					{Name: "next", Type: schema("Optional", point), Writable: true},
				},
				Methods: []model.Function{
					method("norm", schema("float")), method("set_x", schema("None"), number), static,
					method("match", schema("ffi.Map", text, point), schema("Optional", schema("ffi.Tensor")), schema("ffi.Bytes")),
					method("visit", schema("None"), schema("ffi.Function", schema("bool"), point)),
					method("read_from", schema("Tuple", number, text), schema("Variant", text, number)),
					{Name: "raw"}, {Name: "raw"},
				},
			},
			{
				Key: "geo.Keyed", Parent: "ffi.Object", Init: &model.Function{
					Name: "__ffi_init__", Static: true, Typed: true, OfFields: true, Args: []model.Schema{number}, ArgNames: []string{"x"},
					ByName: []model.Field{{Name: "type", Type: text}, {Name: "next", Type: schema("Optional", point), Default: "None"}},
				},
			},
			{Key: "geo.Color", Parent: "ffi.IntEnum", Members: []model.Member{{Name: "red", Number: 1}, {Name: "2nd", Number: 2}}},
			{Key: "geo.deep.point", Parent: "ffi.Object"},
		},
		Functions: []model.Function{
			method("geo.Point", point, schema("other.Thing")), method("geo.load", schema("None")), method("geo.new_point", schema("None")),
			method("geo.linux.f", schema("void*"), schema("DLTensor*"), schema("Optional", schema("ffi.Array", number))),
			method("type.a_b", number), method("type.aB", number), method("other.f", schema("geo.gone")), variadic, many,
			{Name: "kernel", Module: true, Typed: true, Result: schema("None"), Args: []model.Schema{schema("ffi.Shape")}},
			{Name: "名.1_2"},
			method("geo.either", schema("Expected", point, schema("ffi.Error")), schema("ObjectRValueRef", point)),
			method("geo.any_either", schema("Expected", schema("Variant", text, number), schema("ffi.Error")),
				schema("ffi.Function", schema("Expected", number, schema("ffi.Error")), number)),
			method("geo.100%s", number),
		},
	}}
}

func filesOf(t *testing.T, lib *Library) map[string]string {
	t.Helper()
	files := testenv.Value(Files(lib))(t)
	return files
}

// compiled returns how the type checker finds what the compiler knows of the packages that a written one imports.
func compiled(t *testing.T) importer.Lookup {
	t.Helper()
	out := testenv.Run(t, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", gosource.GenPath)
	files := map[string]string{}
	for line := range strings.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// typeChecked compiles the package without writing it, and returns its exported names and those of methods.
func typeChecked(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := testenv.Value(parser.ParseFile(set, name, files[name], parser.SkipObjectResolution))(t)
		parsed = append(parsed, f)
	}
	for _, f := range parsed {
		for _, spec := range f.Imports {
			below, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), gosource.FrontendPath)
			if ok && !slices.Contains(layers.Generated, strings.TrimPrefix(below, "/")) {
				t.Errorf("a generated file imports %s", spec.Path.Value)
			}
		}
	}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", compiled(t))}
	pkg := testenv.Value(config.Check("example.org/geo", set, parsed, nil))(t)
	qualifier := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Name()
	}
	found := map[string]string{}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if object.Exported() {
			found[name] = types.TypeString(object.Type(), qualifier)
		}
		if named, ok := object.Type().(*types.Named); ok {
			for m := range named.Methods() {
				found[name+"."+m.Name()] = types.TypeString(m.Type(), qualifier)
			}
		}
	}
	return found
}

// The package has the types of the library, and compiles whatever the names are.
func TestPackageHasTypes(t *testing.T) {
	files := filesOf(t, library())
	got := typeChecked(t, files)
	for name, want := range map[string]string{
		"NewPoint":        "func(x float64, func_ string) (*Point, error)",
		"NewKeyed":        "func(x int64, type_ string, next *Point) (*Keyed, error)",
		"Point.X":         "func() float64",
		"Point.SetX":      "func(value float64) error",
		"Point.SetX_":     "func(n int64) error",
		"Point.Tags":      "func() selfsame.Optional[*selfsame.List[string]]",
		"Point.SetNext":   "func(value *Point) error",
		"Point.Match":     "func(tensor *selfsame.Tensor, data []byte) (*selfsame.Map[string, *Point], error)",
		"Point.Visit":     "func(f func(*Point) (bool, error)) error",
		"Point.ReadFrom_": "func(v any) (selfsame.Tuple2[int64, string], error)",
		"Point.Raw":       "func(args ...any) (any, error)",
		"PointOrigin":     "func() (selfsame.AnyHandle, error)",
		"Point3.Point_":   "func() (int64, error)",
		"Point3.Point3_":  "func() (int64, error)",
		"PointFunc":       "func(object selfsame.Native) (*Point, error)",
		"Load":            "func(path string, more ...string) error",
		"LoadFunc":        "func() error",
		"NewPointFunc":    "func() error",
		"LinuxF":          "func(tensor *selfsame.Tensor, array *selfsame.Array[int64]) (unsafe.Pointer, error)", // nil is None
		"TypeAB":          "func() (int64, error)",
		"TypeABFunc":      "func() (int64, error)",
		"OtherF":          "func() (selfsame.AnyHandle, error)",
		"Join":            "func(any_ string, value_ ...int64) (string, error)",
		"ColorRed":        "func() (*Color, error)",
		"ColorX2nd":       "func() (*Color, error)",
		"DeepPoint":       "DeepPoint",
		"PointClass":      "*gen.Declared[Point]",
		"Kernel":          "func(shape *selfsame.Shape) error",
		"Either":          "func(point *Point) (*Point, error)",
		"AnyEither":       "func(f func(int64) (int64, error)) (any, error)",
		"X名1_2":           "func(args ...any) (any, error)",
		"Many":            "func(n int64, n2 int64, n3 int64, n4 int64, n5 int64, n6 int64, n7 int64, n8 int64, n9 int64) error",
	} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
	all := strings.Join(slices.Collect(maps.Values(files)), "\n")
	testenv.Contains(t, all,
		"// Point is a handle of an object of class `geo.Point`.\n//\n// A point.\n//\n// In the plane.\ntype Point struct{ gen.ObjectHandle }\n",
		"gen.GlobalOf[func(*Point) (*Point, error)](\"geo.either\").ResultOrError().Required(\"point\")\n",
		"return gen.InvokeAll(callNewKeyed, x, gen.Keywords(), \"type\", type_, \"next\", next)\n",
		"gen.GlobalOf[func() (int64, error)](\"geo.100%s\")\n",
		"type Point3 struct{ Point }\n", "// A doc\twith a tab\n// and a control \\x07 character.\n",
	)
	for name, text := range files {
		if !strings.HasPrefix(text, Header+"\n") || strings.HasSuffix(name, "_linux.go") || name == "linux.go" {
			t.Errorf("%s begins with %q", name, strings.SplitN(text, "\n", 2)[0])
		}
	}
}

// The order in which a library registers does not show.
func TestPackageIsStable(t *testing.T) {
	lib := library()
	want := filesOf(t, lib)
	slices.Reverse(lib.Content.Classes)
	slices.Reverse(lib.Content.Functions)
	if got := filesOf(t, lib); !maps.Equal(got, want) {
		t.Error("another order of registration gives other files")
	}
}

// Names that no identifier is made of, and that collide, still make a package.
func TestAnyNamesCompile(t *testing.T) {
	hostile := []string{
		"", ".", "a.", ".a", "..", "-", "a-b", "a b", "a\nb", `a"b`, "a`b", "break", "func", "selfsame", "unsafe", "library", "init", "main",
		"_", "__", "1", "x.1", "é", "ǅ", "数", "a.b", "a.B", "A.b", "aB", "a_b", "string", "error", "nil", "call_a", "field_a", "NewA", "AClass",
		"release", "type_key", "object_handle", "handle_state", "scan", "is", "test", "x_test", "x_linux", "Load", "LoadFunc",
	}
	lib := &Library{Name: "geo", Sources: []string{"a\nb.so"}}
	for _, name := range hostile {
		c := model.Class{Key: name, Parent: "ffi.Object"}
		for _, member := range hostile {
			f := method(member, schema(member), schema(member), schema("ffi.Array", schema(member)))
			f.ArgNames = []string{member, member}
			static := f
			static.Static = true
			c.Methods = append(c.Methods, f)
			c.Fields = append(c.Fields, model.Field{Name: member, Type: schema(name), Writable: true, Doc: member})
			c.Members = append(c.Members, model.Member{Name: member})
		}
		lib.Content.Classes = append(lib.Content.Classes, c)
		lib.Content.Functions = append(lib.Content.Functions, method("n."+name, schema(name)), method(name, schema(name)))
	}
	for i := range lib.Content.Classes[1:] { // a long line of ancestors
		lib.Content.Classes[i+1].Parent = lib.Content.Classes[i].Key
	}
	typeChecked(t, filesOf(t, lib))
}

func TestPackageNames(t *testing.T) {
	for name, want := range map[string]string{"Geo": "geo", "a-b": "a_b", "func": "funcffi", "main": "mainffi", "": "ffi", "_x_": "x", "2d": "x2d"} {
		if got := PackageName(name); got != want {
			t.Errorf("PackageName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNamespaceIsWhatTheOwnClassesShare(t *testing.T) {
	for want, keys := range map[string][]string{
		"a.b.": {"a.b.C", "a.b.D"}, "a.": {"a.b.C", "a.D"}, "": {"a.C", "b.C"},
		"m.": {"m.C", "m.D", "other.E", "Bare", "m.n.F"}, "x.y.": {"x.y.C", "x.y.D", "z.C"},
	} {
		lib := &model.Library{Functions: []model.Function{{Name: "z.f"}}}
		for _, key := range keys {
			lib.Classes = append(lib.Classes, model.Class{Key: key})
		}
		if got := CommonNamespace(lib); got != want {
			t.Errorf("of %v: %q", keys, got)
		}
	}
	lib := &model.Library{Functions: []model.Function{{Name: "z.f"}, {Name: "exported", Module: true}}}
	if got := CommonNamespace(lib); got != "z." {
		t.Errorf("without classes: %q", got)
	}
}

// The struct from which Go classes derive has the memory of the library's objects, byte for byte.
func TestObjectsHaveTheLibrarysMemory(t *testing.T) {
	files := filesOf(t, library())
	text := strings.Join(strings.Fields(files["geo_ffi.go"]), " ")
	testenv.Contains(t, text,
		"type PointObject struct { selfsame.Object X float64 _ [8]byte Flag bool _ [7]byte }",
		"type Point3Object struct { PointObject PointObject_ int32 _ [4]byte X_ selfsame.String }",
		`var _ = gen.DeclareStruct[Point3Object]("geo.Point3")`,
	)
}

// Arguments with defaults in Python are a struct of options where there are several; a single one stays an argument.
func TestArgumentsWithDefaultsAreOptions(t *testing.T) {
	text, number, point := schema("ffi.String"), schema("int"), schema("geo.Point")
	draw := method("geo.draw", schema("None"), point, number, schema("Optional", number), text, schema("bool"), schema("Optional", point))
	draw.ArgNames = []string{"at", "size_px", "limit", "color", "fill", "parent"}
	draw.ArgDefaults = []string{"3", "5", `"red"`, "True", "None"}
	one, odd := method("geo.one", schema("None"), number, number), method("geo.odd", number, text, number, number)
	one.ArgDefaults, odd.ArgDefaults = []string{"7"}, []string{"...", "1", "2"}
	lib := &Library{Name: "geo", Sources: []string{"libgeo.so"}, Content: model.Library{
		Classes: []model.Class{{Key: "geo.Point", Parent: "ffi.Object"}}, Functions: []model.Function{draw, one, odd},
	}}
	files := filesOf(t, lib)
	got := typeChecked(t, files)
	for name, want := range map[string]string{
		"Draw":               "func(at *Point, options *DrawOptions) error",
		"DefaultDrawOptions": "func() *DrawOptions",
		"One":                "func(n int64, n2 int64) error",
		"Odd":                "func(text string, options *OddOptions) (int64, error)",
	} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
	all := strings.Join(strings.Fields(files["geo_ffi.go"]), " ")
	testenv.Contains(t, all,
		"type DrawOptions struct { SizePx int64 Limit selfsame.Optional[int64] Color string Fill bool Parent *Point }",
		`return &DrawOptions{ SizePx: 3, Limit: selfsame.Some[int64](5), Color: "red", Fill: true, }`,
		"if options == nil { options = DefaultDrawOptions() }",
		"gen.Do6(callDraw, at, options.SizePx, options.Limit, options.Color, options.Fill, options.Parent)",
		`.Required("at")`,
	)
}

func TestNamesHaveInitialisms(t *testing.T) {
	for name, want := range map[string][2]string{
		"compile_json_schema": {"CompileJSONSchema", "compileJSONSchema"}, "ids": {"IDs", "ids"}, "json": {"JSON", "json"},
		"rpc.server.id": {"RPCServerID", "rpcServerID"}, "http_url": {"HTTPURL", "httpurl"}, "ideal": {"Ideal", "ideal"},
		"stop_token_ids": {"StopTokenIDs", "stopTokenIDs"},
	} {
		if got := [2]string{exported(name), parameter(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What a library says of a func becomes its first sentence, in the form of Go's.
func TestDocumentationBeginsWithTheNameAndAVerb(t *testing.T) {
	lib := &Library{Name: "geo", Sources: []string{"libgeo.so"}}
	docs := map[string]string{
		"fill":   "Fill the\n   mask. It is int32.\n\nMore.",
		"checks": "Checks it",
		"size":   "The size in bytes.",
		"text":   "The text is a string.",
		"noun":   "Token of an automaton.",
		"copy":   "Copy x",
	}
	for name, doc := range docs {
		f := method("geo."+name, schema("int"))
		f.Doc = doc
		lib.Content.Functions = append(lib.Content.Functions, f)
	}
	text := filesOf(t, lib)["geo_ffi.go"]
	testenv.Contains(t, text,
		"// Fill fills the mask.\n//\n// It is int32.\n//\n// More.\n//\n// It calls the global function `geo.fill`.\nfunc Fill()",
		"// Checks checks it.\n//\n// It calls", "// Size returns the size in bytes.\n", "// Text calls the global function `geo.text`.\n//\n// The text is a string.\n",
		"// Noun calls the global function `geo.noun`.\n", "// Copy copies x.\n",
	)
}

func TestPrivateAndTestingFunctionsAreLeftOut(t *testing.T) {
	content := &model.Library{
		Classes: []model.Class{{Key: "geo.testing.Point", Methods: []model.Function{method("__ffi_init__", schema("int")), method("_debug", schema("int")), method("x", schema("int"))}}},
		Functions: []model.Function{
			method("geo.testing._f", schema("int")), method("geo.testing.g", schema("int")), method("geo.testing.testing.h", schema("int")),
			method("other.testing.f", schema("int")), method("__internal", schema("int")), method("other._private.f", schema("int")),
			method("other.a_b", schema("int")),
		},
	}
	WithoutPrivate(content)
	var names []string
	for f := range content.Callables() {
		names = append(names, f.Name)
	}
	if want := []string{"geo.testing.g", "other.a_b", "__ffi_init__", "x"}; !slices.Equal(names, want) {
		t.Errorf("left are %v, want %v", names, want)
	}
}
