package bindings_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/bindings"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/cpp"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/rust"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D12

func schema(name string, args ...model.Schema) model.Schema {
	return model.Schema{Type: name, Args: args}
}

// library has a class of every sort, and names that are words of C++ or Rust.
func library() *bindings.Library {
	text, number, point := schema("ffi.String"), schema("int"), schema("geo.Point")
	init := &model.Function{
		Name: "__ffi_init__", Static: true, Typed: true, Args: []model.Schema{schema("float"), text, schema("Optional", number)},
		ArgNames: []string{"x", "label", "class"}, ArgDefaults: []string{`"here"`, "None"}, Keywords: true,
	}
	return &bindings.Library{Name: "geo", Source: "_geo.so", Content: model.Library{
		Classes: []model.Class{
			{
				Key: "geo.Point", Parent: "ffi.Object", Doc: "A point.\n\nIn the plane.", Init: init,
				Fields: []model.Field{
					{Name: "x", Type: schema("float"), Writable: true, Doc: "in metres"},
					{Name: "label", Type: text},
					{Name: "tags", Type: schema("ffi.List", text), Writable: true},
				},
				Methods: []model.Function{
					{Name: "delete", Typed: true, Result: schema("None"), Args: []model.Schema{number}},
					{Name: "match", Typed: true, Result: schema("ffi.Array", point), Args: []model.Schema{text, schema("ffi.Bytes")}, ArgNames: []string{"fn", "data"}},
					{Name: "origin", Static: true, Typed: true, Result: point},
					{Name: "raw"},
				},
			},
			{Key: "geo.Point3", Parent: "geo.Point", Fields: []model.Field{{Name: "z", Type: schema("float"), Writable: true}}},
			{Key: "other.Thing", Parent: "ffi.Object"},
		},
		Functions: []model.Function{
			{Name: "geo.nearest", Static: true, Doc: "The nearest.", Typed: true, Result: schema("Optional", point), Args: []model.Schema{schema("ffi.Array", point)}, ArgNames: []string{"points"}},
			{Name: "geo.count", Static: true, Typed: true, Result: number, Args: []model.Schema{schema("ffi.Map", text, number), schema("elsewhere.Class"), schema("Variant", text, number)}},
			{Name: "elsewhere.f", Static: true},
		},
	}}
}

// contains checks that a text has some lines, whatever their indentation.
func contains(t *testing.T, text string, lines ...string) {
	t.Helper()
	testenv.Contains(t, text, lines...)
	if t.Failed() {
		t.Logf("the text is\n%s", text)
	}
}

func TestCppHeaderHasTypes(t *testing.T) {
	text := testenv.Value(cpp.Header(library()))(t)
	contains(t, text,
		"namespace geo {", "inline void load(const std::string& path) {",
		"/// A point.\n///\n/// In the plane.\nclass Point : public ffi::ObjectRef {",
		`Point(double x, const ffi::String& label = "here", const ffi::Optional<int64_t>& class_ = {});`,
		"double x() const;\n  void set_x(double value);\n  ffi::String label() const;\n  ffi::List<ffi::String> tags() const;",
		"void delete_(int64_t arg0) const;",
		// Array<Point> would need the whole class Point.
		"ffi::Array<ffi::ObjectRef> match(const ffi::String& fn, const ffi::Bytes& data) const;",
		"static Point origin();", "template <typename... Args>\n  ffi::Any raw(Args&&... args) const;",
		"class Point3Obj : public PointObj {", "class Point3 : public Point {", "class other_Thing : public ffi::ObjectRef {",
		"/// The nearest.\ninline ffi::Optional<Point> nearest(const ffi::Array<Point>& points) {",
		"inline int64_t count(const ffi::Map<ffi::String, int64_t>& arg0, const ffi::ObjectRef& arg1, const ffi::Any& arg2) {",
		`ffi::reflection::GetMethod("geo.Point", "delete")`,
	)
	if strings.Contains(text, "elsewhere") || strings.Contains(text, "set_label") {
		t.Error("it has a function of another package, or a setter of a field that is read only")
	}
}

func TestRustModuleHasTypes(t *testing.T) {
	text := testenv.Value(rust.Module(library()))(t)
	contains(t, text,
		"pub fn load(path: &str) -> Result<()> {",
		"#[type_key = \"geo.Point\"]\npub struct PointObj {\n    base: tvm_ffi::Object,",
		"/// A point.\n///\n/// In the plane.\n#[repr(C)]\n#[derive(ObjectRef, Clone)]\npub struct Point {",
		"pub fn new(x: f64, label: &str, class: &Option<i64>) -> Result<Point> {",
		"pub fn x(&self) -> Result<f64> {", "pub fn set_x(&self, to: f64) -> Result<()> {", "pub fn tags(&self) -> Result<Any> {",
		"pub fn delete(&self, arg0: i64) -> Result<()> {",
		"pub fn match_(&self, fn_: &str, data: &[u8]) -> Result<tvm_ffi::Array<Point>> {",
		"pub fn origin() -> Result<Point> {", "pub fn raw(&self, args: &[AnyView]) -> Result<Any> {",
		"base: PointObj,", "tvm_ffi::impl_object_upcast!(Point3 => Point);", "impl Point3 {",
		"pub fn nearest(points: &tvm_ffi::Array<Point>) -> Result<Option<Point>> {",
		"pub fn count(arg0: &tvm_ffi::Map<tvm_ffi::String, i64>, arg1: &tvm_ffi::object::ObjectRef, arg2: &Any) -> Result<i64> {",
	)
	if own := text[strings.Index(text, "impl Point3 {"):]; !strings.Contains(own, "pub fn label(&self)") || !strings.Contains(own, "pub fn delete(&self") {
		t.Error("Point3 lacks members of Point")
	}
}

// signatures has functions whose types the ABI lacks, and variadic ones.
func signatures() *bindings.Library {
	text, number := schema("ffi.String"), schema("int")
	init := &model.Function{
		Name: "__ffi_init__", Static: true, Typed: true, Variadic: true, Args: []model.Schema{schema("ffi.Array", number)}, ArgNames: []string{"start"},
	}
	return &bindings.Library{Name: "go_kinds", Source: "_go_kinds.so", Content: model.Library{
		Classes: []model.Class{{
			Key: "go_kinds.Counter", Parent: "ffi.Object", Init: init,
			Methods: []model.Function{{Name: "add", Typed: true, Variadic: true, Context: true, Result: number, Args: []model.Schema{schema("ffi.Array", text)}}},
		}},
		Functions: []model.Function{
			{
				Name: "go_kinds.search", Static: true, Typed: true, Variadic: true, Result: schema("Tuple", schema("go.Iterator", text), number),
				Args:     []model.Schema{text, schema("go.Time"), schema("ffi.Array", schema("go.Duration"))},
				ArgNames: []string{"text", "since", "limits"}, ArgDefaults: []string{"None"},
			},
			{
				Name: "go_kinds.deeper", Static: true, Typed: true, Result: schema("kinds.Options"), Args: []model.Schema{schema("kinds.Options"), schema("elsewhere.Class")},
				Records: []model.Record{{Key: "kinds.Options"}},
			},
		},
	}}
}

func TestCppHeaderHasEveryKindOfSignature(t *testing.T) {
	text := testenv.Value(cpp.Header(signatures()))(t)
	contains(t, text,
		"explicit Counter(const std::vector<int64_t>& start = {});", "*this = detail::call(ffi_construct, {}, start).cast<Counter>();",
		"int64_t add(const std::vector<ffi::String>& arg0 = {}) const;", "return detail::call(ffi_call, {*this}, arg0).cast<int64_t>();",
		"ffi::Tuple<ffi::Any, int64_t> search(const ffi::String& text, const ffi::Any& since = {}, const std::vector<ffi::Any>& limits = {});",
		"return detail::call(ffi_call, {text, since}, limits).cast<ffi::Tuple<ffi::Any, int64_t>>();",
		"inline ffi::Any deeper(const ffi::Any& arg0, const ffi::ObjectRef& arg1) {",
	)
}

func TestRustModuleHasEveryKindOfSignature(t *testing.T) {
	text := testenv.Value(rust.Module(signatures()))(t)
	contains(t, text,
		"pub fn new(start: &[i64]) -> Result<Counter> {", "let mut all: Vec<AnyView> = vec![];", "all.extend(start.iter().map(AnyView::from));",
		"pub fn add(&self, arg0: &[&str]) -> Result<i64> {", "let arg0: Vec<_> = arg0.iter().map(|value| tvm_ffi::String::from(*value)).collect();",
		"let mut all: Vec<AnyView> = vec![AnyView::from(self)];", "?.call_packed(&all)?",
		"pub fn search(text: &str, since: &Any, limits: &[Any]) -> Result<Any> {",
		"pub fn deeper(arg0: &Any, arg1: &tvm_ffi::object::ObjectRef) -> Result<Any> {",
	)
}

func TestNamesThatClashAreRefused(t *testing.T) {
	lib := library()
	lib.Content.Functions = append(lib.Content.Functions, model.Function{Name: "geo.Point"})
	if _, err := cpp.Header(lib); err == nil || !strings.Contains(err.Error(), "geo.Point and geo.Point would both be called Point") {
		t.Errorf("C++: got error %v", err)
	}
	if _, err := rust.Module(lib); err == nil || !strings.Contains(err.Error(), "register one under another name") {
		t.Errorf("Rust: got error %v", err)
	}
	lib.Foreign = true // a library whose author is somebody else
	if text, err := cpp.Header(lib); err != nil || !strings.Contains(text, "ffi::Any Point_(Args&&... args) {") {
		t.Errorf("C++: error %v of a library of somebody else", err)
	}
	if text, err := rust.Module(lib); err != nil || !strings.Contains(text, "pub fn Point_(") {
		t.Errorf("Rust: error %v of a library of somebody else", err)
	}
	lib = library()
	lib.Content.Classes[0].Methods = append(lib.Content.Classes[0].Methods, model.Function{Name: "set_x"})
	if _, err := cpp.Header(lib); err == nil || !strings.Contains(err.Error(), "the setter of x and set_x") {
		t.Errorf("a method with the name of a setter: got error %v", err)
	}
}

// A library that somebody else built may have functions of other namespaces, and functions as a module.
func TestForeignLibrariesHaveAllTheirFunctions(t *testing.T) {
	lib := library()
	text, err := cpp.Header(lib)
	if err != nil || strings.Contains(text, "exported") {
		t.Errorf("error %v, or functions of a module in\n%s", err, text)
	}
	lib.Foreign = true
	lib.Content.Functions = append(lib.Content.Functions, model.Function{Name: "other.f", Typed: true, Result: schema("int")},
		model.Function{Name: "axpy", Typed: true, Result: schema("int"), Module: true}, model.Function{Name: "other_f", Module: true})
	if text, err = cpp.Header(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "inline int64_t other_f() {", `static const ffi::Function ffi_call = ffi::Function::GetGlobalRequired("other.f");`,
		"inline int64_t axpy() {", `static const ffi::Function ffi_call = geo::detail::exported("axpy");`, "ffi::Any other_f_(Args&&... args) {",
		"detail::add_module(path);")
	if text, err = rust.Module(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "pub fn other_f() -> Result<i64> {", "pub fn axpy() -> Result<i64> {", "pub fn other_f_(args: &[AnyView]) -> Result<Any> {",
		`i64::try_from(cached(&CALL, || exported("axpy"))?.call_packed(&[])?)`, "fn exported(name: &str) -> Result<Function> {")
}

// A result may be either a value or an error, and an argument an object that the function takes over.
func TestValuesOrErrorsAndMovedObjects(t *testing.T) {
	lib := library()
	point, failed := schema("geo.Point"), schema("ffi.Error")
	lib.Content.Functions = append(lib.Content.Functions,
		model.Function{Name: "geo.either", Typed: true, Result: schema("Expected", point, failed), Args: []model.Schema{schema("ObjectRValueRef", point)}},
		model.Function{Name: "geo.any_either", Typed: true, Result: schema("Expected", schema("Variant", point, schema("int")), failed)})
	text, err := cpp.Header(lib)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, text, "#include <tvm/ffi/expected.h>\n", "#include <tvm/ffi/rvalue_ref.h>\n", "inline ffi::Expected<Point> either(Point arg0) {",
		"return ffi_call(ffi::RValueRef<Point>(std::move(arg0))).cast<ffi::Expected<Point>>();", "inline ffi::Any any_either() {")
	if text, err = rust.Module(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "fn value_or_error(mut value: Any) -> Result<Any> {", "pub fn either(arg0: &Point) -> Result<Point> {",
		`Point::try_from(value_or_error(cached(&CALL, || Function::get_global("geo.either"))?.call_packed(&[AnyView::from(arg0)])?)?)`,
		"pub fn any_either() -> Result<Any> {")
	for _, each := range []func(*bindings.Library) (string, error){cpp.Header, rust.Module} {
		if text, err = each(library()); err != nil || strings.Contains(text, "xpected.h") || strings.Contains(text, "value_or_error") {
			t.Errorf("error %v, or what no function needs in\n%s", err, text)
		}
	}
}

// A constructor of fields may take some by keyword alone.
func TestFieldsByKeyword(t *testing.T) {
	lib := library()
	init := model.Function{
		Name: "__ffi_init__", Static: true, Typed: true, OfFields: true, Args: []model.Schema{schema("int"), schema("bool")}, ArgNames: []string{"x", "deep"},
		ArgDefaults: []string{"True"},
		ByName:      []model.Field{{Name: "height", Type: schema("int")}, {Name: "bold", Type: schema("bool"), Default: "False"}},
	}
	lib.Content.Classes = append(lib.Content.Classes, model.Class{Key: "geo.Keyed", Parent: "ffi.Object", Init: &init})
	text, err := cpp.Header(lib)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, text, "  Keyed(int64_t x, bool deep, int64_t height, bool bold = false);\n", "inline ffi::Any keywords() {",
		`ffi_construct(x, deep, geo::detail::keywords(), ffi::String("height"), height, ffi::String("bold"), bold)`)
	init.Typed = false
	if text, err = cpp.Header(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "  const ffi::Any ffi_made = ffi_construct(std::forward<Args>(args)...);\n  return ffi_made.cast<Keyed>();\n")
	init.Typed = true
	if text, err = rust.Module(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "pub fn new(x: i64, deep: bool, height: i64, bold: bool) -> Result<Keyed> {", `let ffi_keyword1 = tvm_ffi::String::from("bold");`,
		"AnyView::from(&ffi_keywords), AnyView::from(&ffi_keyword0), AnyView::from(&height), AnyView::from(&ffi_keyword1), AnyView::from(&bold)])")
	if text, err = cpp.Header(library()); err != nil || strings.Contains(text, "keywords()") {
		t.Errorf("error %v, or what no constructor needs in\n%s", err, text)
	}
}

// A member with the name of its class would be a constructor in C++, and a field and a method may share a name.
func TestMembersKeepApart(t *testing.T) {
	lib := library()
	point := &lib.Content.Classes[0]
	point.Methods = append(point.Methods, model.Function{Name: "Point"}, model.Function{Name: "x", Typed: true, Result: schema("int")})
	if _, err := cpp.Header(lib); err == nil || !strings.Contains(err.Error(), "the class itself and Point would both be called Point") {
		t.Errorf("got error %v", err)
	}
	lib.Foreign = true
	text, err := cpp.Header(lib)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, text, "ffi::Any Point_(Args&&... args) const;", "inline double Point::x() const {", "inline int64_t Point::x_() const {")
	if text, err = rust.Module(lib); err != nil {
		t.Fatal(err)
	}
	contains(t, text, "pub fn x(&self) -> Result<f64> {", "pub fn x_(&self) -> Result<i64> {")
}

// hostileDocs act on a compiler that reads them as part of its source.
var hostileDocs = []string{
	`joins with a backslash, as in C:\`, "with blanks after it \\  ", "what??/", "two\nlines; int x = }", "carriage\rreturn; }", "nul \x00 }",
	"\u202egnp.exe\u2066", "*/ }; /*", "\"", "\x1b[31m", "\xff\xfe", "\u2028}", "```\npanic!()\n```", "\tpanic!(\"indented\")\n", "    panic!()\nand text\n~~~\nopen",
}

// hostileLibrary has such a doc wherever a doc can be.
func hostileLibrary() *bindings.Library {
	lib := &bindings.Library{Name: "evil", Source: "_evil\n}\\.so\u202e"}
	for i, doc := range hostileDocs {
		f := model.Function{Name: fmt.Sprintf("evil.f%d", i), Doc: doc, Static: true, Typed: true, Result: schema("int"),
			Args: []model.Schema{schema("ffi.String")}, ArgDefaults: []string{`"\x7fab\\ ??/ \u202e"`}}
		method := f
		method.Name = fmt.Sprintf("m%d", i)
		lib.Content.Functions = append(lib.Content.Functions, f)
		lib.Content.Classes = append(lib.Content.Classes, model.Class{
			Key: fmt.Sprintf("evil.C%d", i), Parent: "ffi.Object", Doc: doc, Methods: []model.Function{method},
			Init:   &model.Function{Name: "__ffi_init__", Static: true, Typed: true, Doc: doc},
			Fields: []model.Field{{Name: "x", Type: schema("int"), Writable: true, Doc: doc}},
		})
	}
	lib.Content.Functions = append(lib.Content.Functions, model.Function{Name: "evil.quote\"\\\n??/\u202e", Static: true})
	return lib
}

// Requirement: D12
func TestDocsStayComments(t *testing.T) {
	for name, write := range map[string]func(*bindings.Library) (string, error){"C++": cpp.Header, "Rust": rust.Module} {
		text := testenv.Value(write(hostileLibrary()))(t)
		for i, line := range strings.Split(text, "\n") {
			comment := strings.HasPrefix(strings.TrimLeft(line, " "), "//")
			if strings.ContainsFunc(line, func(r rune) bool {
				return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028)
			}) {
				t.Errorf("%s: line %d has a control character: %q", name, i, line)
			}
			if ending := strings.TrimRight(line, " \t"); name == "C++" && comment && (strings.HasSuffix(ending, `\`) || strings.HasSuffix(ending, "??/")) {
				t.Errorf("%s: line %d swallows the next: %q", name, i, line)
			}
			if !comment && (strings.Contains(line, "panic") || strings.Contains(line, "gnp")) {
				t.Errorf("%s: line %d is no comment: %q", name, i, line)
			}
		}
		if name == "Rust" {
			fences := 0
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(strings.TrimLeft(line, " "), "/// ```") {
					if fences++; fences%2 == 1 && !strings.HasSuffix(line, "```text") {
						t.Errorf("code in a comment would be compiled: %q", line)
					}
				}
			}
			if fences == 0 || fences%2 != 0 {
				t.Errorf("%d fences", fences)
			}
		}
	}
}

// The header is compiled where the headers of tvm-ffi are at hand.
func TestHostileDocsCompile(t *testing.T) {
	include := os.Getenv("TVM_FFI_INCLUDE")
	if include == "" {
		t.Skip("TVM_FFI_INCLUDE is not set")
	}
	text := testenv.Value(cpp.Header(hostileLibrary()))(t)
	dir := t.TempDir()
	header := filepath.Join(dir, "evil.h")
	text = strings.Replace(text, "#pragma once\n", "", 1)
	testenv.OK(t, os.WriteFile(header, []byte(text), 0o600))
	args := []string{"-std=c++17", "-trigraphs", "-fsyntax-only", "-Werror=comment", "-x", "c++", header}
	for _, folder := range filepath.SplitList(include) {
		args = append(args, "-I", folder)
	}
	if out, err := exec.Command("c++", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
