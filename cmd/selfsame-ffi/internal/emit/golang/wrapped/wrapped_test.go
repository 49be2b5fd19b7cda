package wrapped

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// frontend declares what the files of the tests use of the frontend.
const frontend = `package selfsame
type Object struct{}
func MustRegister[T any](string, ...any) {}
func MustRegisterFunc(string, any, ...any) {}
func ArgNames(...string) any { return nil }
func Plain() any { return nil }
func Doc(string) any { return nil }
func Method(string, any, ...string) any { return nil }
func Static(string, any, ...string) any { return nil }
`

const generated = `package gen
type Wrapped[T any] struct{}
func WrapOthers[T any](string) int { return 0 }
func ShowContainers(string) int { return 0 }
func Lenient() any { return nil }
func ReportRefused() {}
func DumpHeld[T any](*Wrapped[T], ...bool) (string, []byte, error) { return "", nil, nil }
func LoadHeld[T any](string, []byte) (value T, err error) { return value, nil }
`

// imported is an importer of packages by path.
type imported map[string]*types.Package

func (i imported) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

func compiled(t *testing.T, path, text string) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file := testenv.Value(parser.ParseFile(set, "x.go", text, 0))(t)
	p := testenv.Value(new(types.Config).Check(path, set, []*ast.File{file}, nil))(t)
	return p
}

// funcOf makes the item of a func without parameters.
func funcOf(p *types.Package, name string) *form.Item {
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	f := types.NewFunc(token.NoPos, p, name, sig)
	return &form.Item{ID: name, Python: strings.ToLower(name), Form: &form.Call{Func: f, Signature: sig}}
}

func TestWhatDoesNotCompileIsLeftOutAndReported(t *testing.T) {
	shelf := compiled(t, "example.com/shelf", "package shelf\nfunc Open() {}\n")
	good, bad := funcOf(shelf, "Open"), funcOf(shelf, "Gone")
	plan := &form.Plan{Name: "shelf", Packages: []*types.Package{shelf}, Functions: []*form.Item{bad, good}}
	files, faults, err := Write(plan, imported{gosource.FrontendPath: compiled(t, gosource.FrontendPath, frontend),
		gosource.GenPath: compiled(t, gosource.GenPath, generated), shelf.Path(): shelf})
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) != 1 || !strings.HasPrefix(faults[0], "functions.go:13: ") || !strings.Contains(faults[0], "goshelf.Gone") {
		t.Errorf("faults: %q", faults)
	}
	if bad.Reason == nil || bad.Reason.Kind != reason.DoesNotCompile || good.Reason != nil {
		t.Errorf("reasons: %v, %v", bad.Reason, good.Reason)
	}
	for _, f := range files {
		if text := string(f.Text); f.Name == "functions.go" && (strings.Contains(text, "Gone") || !strings.Contains(text, "goshelf.Open()")) {
			t.Errorf("%s", text)
		}
	}
}

// A fault that belongs to no item cannot be mended by leaving something out.
func TestAFaultOfNoItemIsAnError(t *testing.T) {
	shelf := compiled(t, "example.com/shelf", "package shelf\nfunc Open() {}\n")
	plan := &form.Plan{Name: "shelf", Packages: []*types.Package{shelf}, Functions: []*form.Item{funcOf(shelf, "Open")}}
	_, faults, err := Write(plan, imported{shelf.Path(): shelf})
	if err == nil || !strings.Contains(err.Error(), "no package "+gosource.FrontendPath) || len(faults) == 0 {
		t.Errorf("%q, %v", faults, err)
	}
}

// Each operation has one text, and each name in a text has a meaning: part panics for another.
func TestEachOperationHasAText(t *testing.T) {
	shelf := types.NewPackage("example.com/shelf", "shelf")
	named := types.NewNamed(types.NewTypeName(0, shelf, "Shelf", nil), types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), nil)
	open := types.NewFunc(0, shelf, "Open", nil)
	for op := form.Calls; op <= form.PlaceValue; op++ {
		texts := 0
		for _, table := range []map[form.Op]string{methods, steps, members} {
			if table[op] != "" {
				texts++
			}
		}
		if texts != 1 {
			t.Errorf("the operation %d has %d texts", op, texts)
		}
		w := &writer{plan: &form.Plan{}, names: map[string]string{}, taken: map[string]bool{}, mentioned: map[string]bool{}, file: &file{}}
		class := &form.Class{Named: named, Go: "Shelf", Key: "shelf.Shelf"}
		if op == form.PlaceInit || op == form.PlaceValue {
			class.Place = &form.Place{Of: types.Typ[types.Int], Go: "intRef"}
		}
		o := &form.Operation{Op: op, Of: class, Key: types.Typ[types.Int], Value: types.Typ[types.Int], Token: token.ADD, Func: open}
		if code := w.operation(&form.Item{Python: "x", Doc: "costs $5"}, o); !strings.Contains(code, "o *Shelf") && op != form.MakesOfInt || strings.Count(code, "$") > 1 {
			t.Errorf("the operation %d: %s", op, code)
		}
	}
}

// A type of an internal package is written by the alias that another package has for it, wherever it stands in a type.
func TestTypesAreWrittenByTheirAliases(t *testing.T) {
	outside, inside := types.NewPackage("example.com/shelf", "shelf"), types.NewPackage("example.com/shelf/internal/v1.2-x", "x")
	book := types.NewNamed(types.NewTypeName(0, inside, "book", nil), types.NewStruct(nil, nil), nil)
	other := types.NewNamed(types.NewTypeName(0, inside, "bookEnd", nil), types.NewStruct(nil, nil), nil)
	own := types.NewNamed(types.NewTypeName(0, types.NewPackage("", "wrapped"), "Own", nil), types.NewStruct(nil, nil), nil)
	plan := &form.Plan{Packages: []*types.Package{outside}, Aliases: map[string]*types.TypeName{
		inside.Path() + ".book": types.NewTypeName(0, outside, "Book", book),
	}}
	w := &writer{plan: plan, names: map[string]string{}, taken: map[string]bool{}, mentioned: map[string]bool{}, file: &file{}}
	param := func(t types.Type) *types.Var { return types.NewParam(0, nil, "", t) }
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(param(book), param(types.NewSlice(own))), types.NewTuple(param(other)), false)
	for _, c := range []struct {
		t    types.Type
		want string
	}{
		{types.NewMap(book, types.NewPointer(book)), "map[goshelf.Book]*goshelf.Book"},
		{sig, "func(goshelf.Book, []Own) gox.bookEnd"},
		{types.NewStruct([]*types.Var{types.NewField(0, outside, "B", book, false)}, []string{`json:"b"`}), `struct{B goshelf.Book "json:\"b\""}`},
		{types.NewChan(types.SendOnly, book), "chan<- goshelf.Book"},
		{types.Universe.Lookup("error").Type(), "error"},
	} {
		if got := w.text(c.t); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	text, _ := w.file.Text()
	if !strings.Contains(text, "goshelf \"example.com/shelf\"\n") || !strings.Contains(text, "gox \""+inside.Path()+"\"\n") {
		t.Errorf("it imports\n%s", text)
	}
}

// A dataclass that nothing bound mentions has no name in its submodule, one that a func type mentions has.
func TestASubmoduleHasTheDataclassesThatAreMentioned(t *testing.T) {
	shelf := compiled(t, "example.com/shelf", `package shelf
type Row struct{ N int }
type Lost struct{ N int }
type Painter func(row []Row)
func Paint(p Painter) {}
`)
	sig := shelf.Scope().Lookup("Paint").(*types.Func).Signature()
	paint := &form.Item{ID: "Paint", Python: "paint", Form: &form.Call{Func: shelf.Scope().Lookup("Paint").(*types.Func), Signature: sig,
		Params: []*form.Param{{Value: form.Value{Type: sig.Params().At(0).Type()}, Python: "p"}}}}
	of := &form.Submodule{Name: "shelf", Path: shelf.Path(), Names: [][2]string{{"Lost", "Lost"}, {"Row", "Row"}, {"paint", "paint"}}}
	plan := &form.Plan{Name: "shop", Packages: []*types.Package{shelf}, Functions: []*form.Item{paint}, Submodules: []*form.Submodule{of},
		ByValue: map[string]string{"Lost": shelf.Path() + ".Lost", "Row": shelf.Path() + ".Row"}}
	_, _, err := Write(plan, imported{gosource.FrontendPath: compiled(t, gosource.FrontendPath, frontend),
		gosource.GenPath: compiled(t, gosource.GenPath, generated), shelf.Path(): shelf})
	testenv.OK(t, err)
	if got, want := fmt.Sprint(of.Names), "[[Row Row] [paint paint]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
