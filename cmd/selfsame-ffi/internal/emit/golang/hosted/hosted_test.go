package hosted

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D19

const shapes = `{
 "module": "shapes", "doc": "Shapes.",
 "constants": [{"name": "limit", "type": ["int"]}],
 "functions": [
  {"name": "area", "params": [
    {"name": "of", "type": ["class", "Shape"], "kind": "positional", "required": true},
    {"name": "unit", "type": ["str"], "kind": "keyword", "required": true},
    {"name": "digits", "type": ["optional", ["int"]], "kind": "positional", "required": false},
    {"name": "exact", "type": ["bool"], "kind": "keyword", "required": false}], "result": ["float"]},
  {"name": "draw", "params": [{"name": "args", "type": ["any", "any object"], "kind": "varargs", "required": false}], "result": ["none"]},
  {"name": "find", "params": [
    {"name": "text", "type": ["str"], "kind": "positional-only", "required": true},
    {"name": "start", "type": ["int"], "kind": "positional-only", "required": false}], "result": ["iterator", ["int"]]},
  {"name": "every", "params": [], "result": ["iterator", ["str"]]},
  {"name": "odd", "params": [{"name": "range", "type": ["any", "its type is a union"], "kind": "positional", "required": true}],
   "result": ["any", "its overloads differ"]}],
 "classes": [
  {"name": "Shape", "bases": [], "exists": true, "doc": "A shape.", "init": {"name": "__init__", "params": [
     {"name": "name", "type": ["str"], "kind": "positional", "required": true}], "result": ["none"]},
   "methods": [{"name": "release", "params": [], "result": ["none"]}],
   "statics": [{"name": "unit_one", "params": [], "result": ["class", "Shape"]}],
   "properties": [{"name": "name", "type": ["str"], "settable": true}]},
  {"name": "Circle", "bases": ["Shape"], "methods": [
     {"name": "parent", "params": [], "result": ["optional", ["class", "Shape"]]}], "statics": [], "properties": []},
  {"name": "Unit", "exists": true, "members": ["MM"], "properties": [{"name": "value", "type": ["str"]}]},
  {"name": "Drawn", "kind": "protocol", "exists": true, "statics": [{"name": "blank", "params": [], "result": ["none"]}], "properties": [{"name": "width", "type": ["int"]}], "methods": [
     {"name": "draw", "params": [{"name": "on", "type": ["str"], "kind": "positional", "required": true}], "result": ["none"]}]},
  {"name": "Style", "kind": "typeddict", "init": {"name": "__init__", "params": [
     {"name": "fill", "type": ["optional", ["list", ["int"]]], "kind": "keyword", "required": false}], "result": ["none"]},
   "properties": [{"name": "fill", "type": ["optional", ["list", ["int"]]], "settable": true}]},
  {"name": "Canvas", "iterates": ["class", "Shape"], "enters": ["class", "Canvas"],
   "item": {"name": "__getitem__", "params": [{"name": "at", "type": ["int"], "kind": "positional", "required": true}], "result": ["class", "Shape"]},
   "methods": [
     {"name": "add", "params": [
        {"name": "what", "type": ["class", "Drawn"], "kind": "positional", "required": true},
        {"name": "each", "type": ["callable", [["int"]], ["none"]], "kind": "positional", "required": true},
        {"name": "size", "type": ["tuple", ["int"], 2], "kind": "positional", "required": false},
        {"name": "more", "type": ["any", "any object"], "kind": "keywords", "required": false}], "result": ["list", ["class", "Shape"]]},
     {"name": "load", "async": true, "params": [], "result": ["class", "Drawn"]},
     {"name": "steps", "params": [], "result": ["async-iterator", ["duration"]]},
     {"name": "opened", "params": [], "result": ["context", ["int"]]},
     {"name": "byte", "params": [], "result": ["none"]}, {"name": "scan", "params": [], "result": ["none"]}]}],
 "left_out": [["x", "it has no type"]]}`

func written(t *testing.T) (string, *Coverage) {
	t.Helper()
	var m pymodule.Module
	testenv.OK(t, json.Unmarshal([]byte(shapes), &m))
	text, coverage, err := File(&m, "pyshapes")
	if err != nil {
		t.Fatal(err)
	}
	return string(text), coverage
}

func TestAModuleBecomesAPackage(t *testing.T) {
	text, coverage := written(t)
	testenv.Contains(t, text,
		"package pyshapes\n",
		"func Import(py *python.Interpreter) (*Module, error) {",
		"func (m *Module) Limit() (int, error) {",
		"func (m *Module) Area(of *Shape, unit string, options ...AreaOptions) (float64, error) {",
		"\tDigits any   // digits\n\tExact  *bool // exact\n",
		"\tkeywords := python.Kw{\"unit\": unit}\n",
		"\t\tkeywords[\"exact\"] = *o.Exact\n",
		"\treturn python.CallMethodAs[float64](m.Object, \"area\", of, keywords)\n",
		"func (m *Module) Draw(args []any) error {",
		"func (m *Module) Find(text string, options ...FindOptions) iter.Seq2[int, error] {",
		"\tall, err := python.Placed([]any{text}, keywords, []string{\"start\"}, nil)\n\tif err != nil {\n\t\treturn python.Iterate[int](nil, err)\n\t}\n",
		"\treturn python.Iterate[int](m.Object.CallMethod(\"find\", all...))\n",
		"func (m *Module) Every() iter.Seq2[string, error] {",
		"func (m *Module) Odd(range_ any) (*python.Object, error) {",
		"type Shape struct{ python.Object }",
		"type Circle struct{ Shape }",
		"func (m *Module) NewShape(name string) (*Shape, error) {",
		"func (m *Module) ShapeUnitOne() (*Shape, error) {",
		"func (o *Shape) SetName(value string) error {",
		"func (o *Shape) Release_() error {",
		"func (o *Circle) Parent() (*Shape, error) {",
		"func (m *Module) UnitMM() (*Unit, error) {",
		"type Drawn interface {\n\tWidth() (int, error)\n\tDraw(on string) error\n}\n",
		"var _ Drawn = (*DrawnObject)(nil)\n",
		"\t\treturn map[string]any{\"draw\": of.Draw}, map[string]any{\"width\": of.Width}\n",
		"\treturn python.Cast[Style](python.NewDict(keywords))\n",
		"func (o *Style) Fill() ([]int, error) {\n\treturn python.As[[]int](o.Object.Item(\"fill\"))\n",
		"func (o *Canvas) All() iter.Seq2[*Shape, error] {\n\treturn python.Iterate[*Shape](&o.Object, nil)\n",
		"func (o *Canvas) With(body func(entered *Canvas) error) error {",
		"func (o *Canvas) Item(key int) (*Shape, error) {",
		"func (o *Canvas) Add(what Drawn, each func(int) error, options ...CanvasAddOptions) ([]*Shape, error) {",
		"\tSize   *[2]int   // size\n\tOthers python.Kw // keyword arguments that have no name here\n",
		"CallMethod(\"add\", asDrawn(what), each, keywords)",
		"func (o *Canvas) Load(ctx context.Context) (*DrawnObject, error) {\n\treturn python.Cast[DrawnObject](python.Await(ctx)(",
		"func (o *Canvas) Steps(ctx context.Context) iter.Seq2[time.Duration, error] {",
		"func (o *Canvas) Opened(body func(entered int) error) error {",
		"func (o *Canvas) Scan_() error {",
	)
	if coverage.Typed != 23 || len(coverage.Dynamic) != 1 || len(coverage.LeftOut) != 1 {
		t.Errorf("the coverage is %+v", coverage)
	}
	if got := coverage.Dynamic[0]; got[0] != "odd" || got[1] != "parameter: its type is a union; result: its overloads differ" {
		t.Errorf("the reason is %v", got)
	}
}

func TestEachDeclarationHasAComment(t *testing.T) {
	text, _ := written(t)
	file := testenv.Value(parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments))(t)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() {
				t.Errorf("%s has no comment", d.Name)
			}
		case *ast.GenDecl:
			if d.Doc == nil && d.Tok == token.TYPE {
				t.Errorf("a type has no comment")
			}
		}
	}
}
