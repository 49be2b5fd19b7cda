package decide

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// planOf decides a package shelf with the given declarations, which import nothing.
func planOf(t *testing.T, declarations string) *form.Plan {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shelf.go")
	testenv.OK(t, os.WriteFile(path, []byte("package shelf\n"+declarations), 0o600))
	set := token.NewFileSet()
	file := testenv.Value(parser.ParseFile(set, path, nil, 0))(t)
	p := testenv.Value((&types.Config{Importer: importer.ForCompiler(set, "source", nil)}).Check("example.com/shelf", set, []*ast.File{file}, nil))(t)
	world := &load.World{Packages: []*load.Package{{Types: p, Docs: load.ReadDocs([]string{path})}}}
	d := New(world, "shelf", overrides.None())
	d.bodies = effects.NewBodies(func(string) []string { return []string{path} })
	plan := testenv.Value(d.Plan())(t)
	return plan
}

// operationOf returns what a special method of the class Set does, nil if there is none.
func operationOf(p *form.Plan, python string) *form.Operation {
	for _, c := range p.Classes {
		for _, i := range c.Members {
			if o, ok := i.Form.(*form.Operation); ok && c.Go == "Set" && i.Python == python {
				return o
			}
		}
	}
	return nil
}

func TestTheCommentOfATypeSpeaksOfItsConstructorAsOfTheClass(t *testing.T) {
	p := planOf(t, "// Set holds things. Use NewSet to make one, never OpenSet.\ntype Set struct{ hidden int }\n"+
		"// NewSet makes a Set.\nfunc NewSet(size int) *Set { return nil }\nfunc OpenSet(name string) *Set { return nil }\nfunc (s *Set) Add() {}")
	if want := "Set holds things. Use Set to make one, never open_set.\n\nSet: Makes a Set."; p.Classes[0].Doc != want {
		t.Errorf("got %q, want %q", p.Classes[0].Doc, want)
	}
}

func TestTheClassOfATypeWithoutANameSaysWhatItIs(t *testing.T) {
	p := planOf(t, "type Set struct{ hidden int }\nfunc (s *Set) Steps() func() (int, bool) { return nil }")
	if doc := p.Classes[len(p.Classes)-1].Doc; !strings.HasPrefix(doc, "The Go type func() (int, bool).") {
		t.Errorf("got %q", doc)
	}
}

func TestAnErrorThatAFuncIsAskedForIsAResult(t *testing.T) {
	p := planOf(t, `
type Fault struct{ Inner error }
func (f *Fault) Error() string { return "" }
func (f *Fault) Unwrap() error { return f.Inner }
func (f *Fault) Check() error { return f.Inner }
type Box struct{ inner error }
func (b *Box) Unwrap() error { return b.inner }
func Wrap(err error, text string) error { return err }
func Join(errs ...error) error { return nil }
func NewSyntaxError(text string) error { return nil }
func Errorf(format string) error { return nil }
func Save(text string) error { return nil }
func Load(err error) (string, error) { return "", nil }
`)
	raises := map[string]bool{}
	note := func(of string, items []*form.Item) {
		for _, i := range items {
			if c, ok := i.Form.(*form.Call); ok {
				raises[of+c.Name()] = c.Results.Fails
			}
		}
	}
	note("", p.Functions)
	for _, c := range p.Classes {
		note(c.Go+".", c.Members)
	}
	want := map[string]bool{
		"FaultValue.Unwrap": false, "FaultValue.Check": true, "Box.Unwrap": true, "Wrap": false, "Join": false, "NewSyntaxError": false,
		"Errorf": false, "Save": true, "Load": true,
	}
	if !maps.Equal(raises, want) {
		t.Errorf("got %v, want %v", raises, want)
	}
}

func TestAVariableThatIsAnotherErrorIsItsException(t *testing.T) {
	p := planOf(t, `
type fault string
func (f fault) Error() string { return string(f) }
var ErrSize = fault("too large")
var SizeErr = ErrSize
var TooLarge = ErrSize
var Limit = struct{ fault }{"none"}
`)
	if len(p.Errors) != 1 || p.Errors[0].Python != "SizeError" {
		t.Errorf("got %v, want SizeError alone", p.Errors)
	}
	if len(p.Constants) != 1 || p.Constants[0].Python != "TooLargeError" || p.Constants[0].Other != "SizeError" {
		t.Errorf("got %v, want TooLargeError, which is SizeError", p.Constants)
	}
}

func TestSpecialMethodsFollowFromMethodsThatMeanTheSame(t *testing.T) {
	const set = "type Set struct{ hidden int }\nfunc NewSet() *Set { return nil }\n"
	for _, c := range []struct {
		methods, python string
		want            form.Operation // Op, Go, Length and IsIndex
		none            bool
	}{
		{methods: "Len() int", python: "__len__", want: form.Operation{Op: form.Measures, Length: "Len"}},
		{methods: "GetCardinality() uint64", python: "__len__", want: form.Operation{Op: form.Measures, Length: "GetCardinality"}},
		{methods: "GetSize() int", python: "__len__", none: true}, // a number of bytes
		{methods: "Size() int; IsEmpty() bool", python: "__len__", want: form.Operation{Op: form.Measures, Length: "Size"}},
		{methods: "Contains(x string) bool", python: "__contains__", want: form.Operation{Op: form.Contains, Go: "Contains"}},
		{methods: "Contains(xs ...string) bool", python: "__contains__", want: form.Operation{Op: form.Contains, Go: "Contains"}},
		{methods: "Len() int; ContainsInt(x int) bool", python: "__contains__", want: form.Operation{Op: form.Contains, Go: "ContainsInt"}},
		{methods: "Len() int; ContainsString(x string) bool", python: "__contains__", want: form.Operation{Op: form.Contains, Go: "ContainsString"}},
		{methods: "Len() int; ContainsInt(x uint8) bool", python: "__contains__", none: true},
		{methods: "ContainsInt(x int) bool", python: "__contains__", none: true},
		{methods: "Len() int; At(i int) string", python: "__getitem__", want: form.Operation{Op: form.GetsElement, Go: "At", Length: "Len"}},
		{methods: "Get(k string) (int, bool); Set(k string, v int)", python: "__setitem__", want: form.Operation{Op: form.SetsKey, Go: "Set"}},
		{methods: "Get(i int) (string, bool)", python: "__getitem__", want: form.Operation{Op: form.GetsKey, Go: "Get", IsIndex: true}},
		{methods: "Next() (string, bool)", python: "__iter__", want: form.Operation{Op: form.StepsWhileFound, Go: "Next"}},
		{methods: "Next() bool; Item() string; Err() error", python: "__iter__", want: form.Operation{Op: form.StepsThen, Go: "Next"}},
		{methods: "Next() bool; Str() string; Bytes() []byte", python: "__iter__", want: form.Operation{Op: form.StepsThen, Go: "Next"}},
		{methods: "NextID() (int, error)", python: "__iter__", none: true}, // nothing tells of an end
		{methods: "Length() int; Empty() bool", python: "__len__", want: form.Operation{Op: form.Measures, Length: "Length"}},
		{methods: "Length() int", python: "__len__", none: true}, // of what?
		{methods: "Len() int; Count() int; IsEmpty() bool", python: "__len__", want: form.Operation{Op: form.Measures, Length: "Count"}},
		{methods: "Len() int; At(i int) string; Set(i int, to string)", python: "__setitem__", want: form.Operation{Op: form.SetsElement, Go: "Set", Length: "Len"}},
		{methods: "Len() int; At(i int) string; RemoveAt(i int)", python: "__delitem__", want: form.Operation{Op: form.DeletesElement, Go: "RemoveAt", Length: "Len"}},
		{methods: "Len() int; At(i int) int; Remove(x int)", python: "__delitem__", none: true}, // of an element
		{methods: "Test(i uint) bool; Set(i uint); Clear(i uint)", python: "__contains__", want: form.Operation{Op: form.Contains, Go: "Test"}},
		{methods: "Test(text string) bool; Set(text string); Clear(text string)", python: "__contains__", none: true},
		{methods: "Union(other *Set) *Set", python: "__or__", want: form.Operation{Op: form.Operates, Go: "Union"}},
		{methods: "SymmetricDifference(other *Set) *Set", python: "__xor__", want: form.Operation{Op: form.Operates, Go: "SymmetricDifference"}},
		{methods: "Union(other *Set)", python: "__or__", none: true},
		{methods: "Compare(other *Set) int", python: "__lt__", want: form.Operation{Op: form.Compares, Go: "Compare"}},
	} {
		var text strings.Builder
		text.WriteString(set)
		for method := range strings.SplitSeq(c.methods, "; ") {
			text.WriteString("func (s *Set) " + method + " { panic(0) }\n")
		}
		got := operationOf(planOf(t, text.String()), c.python)
		switch {
		case got == nil:
			if !c.none {
				t.Errorf("%s: there is no %s", c.methods, c.python)
			}
		case c.none || got.Op != c.want.Op || got.Go != c.want.Go || got.Length != c.want.Length || got.IsIndex != c.want.IsIndex:
			t.Errorf("%s: %s is %+v", c.methods, c.python, got)
		}
	}
}

func TestALoopOverAFuncForEachElement(t *testing.T) {
	const set = "type Set struct{ hidden []string }\nfunc NewSet() *Set { return nil }\nfunc (s *Set) Get(i int) rune { return 0 }\nfunc (s *Set) Len() int { return 0 }\n"
	p := planOf(t, set+"func (s *Set) Each(f func(int, string)) { for i, x := range s.hidden { f(i, x) } }\n")
	if o := operationOf(p, "__iter__"); o == nil || o.Op != form.StepsEach || o.At != 1 || o.Asks {
		t.Errorf("the loop is %+v", o)
	}
	if operationOf(p, "__getitem__") != nil {
		t.Error("what is at an index is no element of the loop")
	}
	p = planOf(t, set+"func (s *Set) Each(f func(int, string)) { for { f(0, s.hidden[0]) } }\n")
	if o := operationOf(p, "__iter__"); o != nil {
		t.Errorf("the loop that has no end is %+v", o)
	}
}

func TestAFuncThatGivesOneValueAfterAnotherIsALoop(t *testing.T) {
	p := planOf(t, "type Set func() int\ntype Next func() (string, bool)\ntype Found func() (string, bool)\nfunc A() Set { return nil }\nfunc B() Next { return nil }\nfunc C() Found { return nil }\n")
	for _, c := range p.Classes {
		if got := c.Has("__iter__"); got != (c.Go == "Next") {
			t.Errorf("%s is a loop: %v", c.Go, got)
		}
	}
}

// A method with a pointer receiver that changes nothing leaves a value what it is.
func TestValuesThatNothingChangesAreCompared(t *testing.T) {
	const day = "type Set struct{ n int }\nvar First = Set{1}\nfunc (s *Set) Shown() int { return s.n }\nfunc (s *Set) Nth(n int) Set { return Set{n} }\n"
	p := planOf(t, day)
	if o := operationOf(p, "__eq__"); o == nil || o.Op != form.ComparesValue || operationOf(p, "__hash__") == nil {
		t.Errorf("the comparison is %+v", o)
	}
	for _, more := range []string{"func (s *Set) Move() { s.n++ }", "func At(s *Set) {}"} {
		if o := operationOf(planOf(t, day+more), "__eq__"); o != nil {
			t.Errorf("with %s the comparison is %+v", more, o)
		}
	}
}

// What a run writes does not depend on the order in which Go goes through maps.
func TestOperatorsOfPackageFuncsHaveAnOrder(t *testing.T) {
	const text = "type Set struct{ hidden int }\nfunc And(a, b *Set) *Set { return a }\nfunc AndNot(a, b *Set) *Set { return a }\n" +
		"func Or(a, b *Set) *Set { return a }\nfunc Union(a, b *Set) *Set { return a }\nfunc Xor(a, b *Set) *Set { return a }\n"
	for range 5 {
		var names []string
		for _, i := range planOf(t, text).Classes[0].Members {
			if o, ok := i.Form.(*form.Operation); ok && o.Op == form.Joins {
				names = append(names, i.Python+" "+o.Func.Name())
			}
		}
		if want := []string{"__and__ And", "__sub__ AndNot", "__or__ Or", "__xor__ Xor"}; !slices.Equal(names, want) {
			t.Fatalf("got %q, want %q", names, want)
		}
	}
}

func TestWhatIsLeftOutHasAKindOfReason(t *testing.T) {
	p := planOf(t, `
type hidden struct{}
func Keep(in []chan int) {}
func Point(p *func()) {}
func Struct(s []struct{ X int }) {}
func Hide(h []hidden) {}
func Fine(x int) {}
func All(x int, more ...chan int) {}
func Pair[T interface{ pair() }](x T) {}
`)
	want := map[string]reason.Kind{
		"Keep": reason.Channel, "Point": reason.NoCounterpart, "Struct": reason.Unnamed, "All(...)": reason.Channel, "Pair": reason.NoInstances,
	}
	for _, i := range p.Functions {
		kind, left := want[i.ID]
		if left != (i.Reason != nil) || left && i.Reason.Kind != kind || i.IsWritten() == left {
			t.Errorf("%s: got the reason %v, want the kind %d: %v", i.ID, i.Reason, kind, left)
		}
		delete(want, i.ID)
	}
	if len(want) > 0 {
		t.Errorf("nothing is said of %v", want)
	}
}

func TestAResultIsStoredThroughAPointerToAnyType(t *testing.T) {
	p := planOf(t, "func ReadJSON(v any) error { return nil }\nfunc Decode(text string, v any) error { return nil }\n"+
		"func ReadAll(v any) error { return nil }\nfunc UnmarshalTOML(v any) error { return nil }\nfunc Unmarshal(b []byte, v any) error { return nil }\n")
	want := map[string]bool{"ReadJSON": true, "Decode": true, "Unmarshal": true}
	for _, i := range p.Functions {
		if c := i.Form.(*form.Call); c.Stores() != want[i.ID] {
			t.Errorf("%s stores its result: %v", i.ID, c.Stores())
		}
	}
}

// Options of a struct and of funcs are keyword arguments behind the fixed ones.
func TestOptionsAreKeywordArguments(t *testing.T) {
	p := planOf(t, `
type OpenOptions struct { Size int; hidden int; Next *OpenOptions }
func Open(name string, o *OpenOptions) {}
type Option func(*int)
func WithPort(port int) Option { return nil }
func WithDebug() Option { return nil }
func WithTwo(a, b int) Option { return nil }
func Serve(port string, more ...Option) {}
`)
	want := map[string][]string{"Open": {"size", "next"}, "Serve": {"debug"}} // port is the name of an argument
	for _, i := range p.Functions {
		c, ok := i.Form.(*form.Call)
		if !ok || want[i.ID] == nil {
			continue
		}
		var names []string
		if c.Options != nil {
			for _, o := range c.Options.All {
				names = append(names, o.Python)
			}
		}
		if !slices.Equal(names, want[i.ID]) {
			t.Errorf("%s has the options %q, want %q", i.ID, names, want[i.ID])
		}
	}
}

// Forms are data: what they look like in Go or Python stands in the packages that write a language.
func TestNothingHereIsTextOfGo(t *testing.T) {
	for _, folder := range []string{".", "../form"} {
		files := testenv.Value(filepath.Glob(filepath.Join(folder, "*.go")))(t)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file := testenv.Value(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
			ast.Inspect(file, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
					for _, sign := range []string{"selfsame.", "func(", ":=", "return ", "{\\n"} {
						if strings.Contains(text.Value, sign) {
							t.Errorf("%s has text of Go: %s", name, text.Value)
						}
					}
				}
				return true
			})
		}
	}
}

// callsOf returns the calls of the methods of a class, by their names in Go.
func callsOf(p *form.Plan, class string) map[string]*form.Call {
	calls := map[string]*form.Call{}
	for _, c := range p.Classes {
		for _, i := range c.Members {
			if call, ok := i.Form.(*form.Call); ok && c.Go == class {
				calls[call.Name()] = call
			}
		}
	}
	return calls
}

func TestAMethodThatWaitsIsStoppedByTheMethodForThat(t *testing.T) {
	p := planOf(t, `
type Clerk struct { quit chan int }
func (c *Clerk) Serve() { <-c.quit }
func (c *Clerk) ServeOne() {}
func (c *Clerk) Stop() { close(c.quit) }
func (c *Clerk) Shutdown(now bool) {}
type Alone struct { quit chan int }
func (a *Alone) Run() { <-a.quit }
type Queue struct { n int }
func (q *Queue) Close() {}
func (q *Queue) Push() {}
`)
	clerk := callsOf(p, "Clerk")
	if s := clerk["Serve"].Stopper; s == nil || s.Name() != "Stop" || clerk["ServeOne"].Stopper != nil || clerk["Serve"].Unlocked {
		t.Errorf("Serve is stopped by %v, ServeOne by %v", s, clerk["ServeOne"].Stopper)
	}
	if !clerk["Stop"].Unlocked || clerk["Shutdown"].Unlocked || callsOf(p, "Queue")["Close"].Unlocked {
		t.Error("only what stops a method that waits needs no lock")
	}
	noted := 0
	for _, i := range p.Items() {
		if len(i.Notes) > 0 {
			noted++
			if i.ID != "Alone.Run" || !strings.Contains(i.Notes[0], "//wrap:shared Alone") {
				t.Errorf("%s has the note %q", i.ID, i.Notes)
			}
		}
	}
	if noted != 1 {
		t.Errorf("%d items have a note", noted)
	}
}

func TestATextHasOneName(t *testing.T) {
	p := planOf(t, "type T struct { n int }\n// String is its text.\nfunc (t *T) String() string { return \"\" }\nfunc (t *T) Other() string { return \"\" }\n")
	for _, c := range p.Classes {
		for _, i := range c.Members {
			if i.Python == "string" || i.Python == "__str__" && (!i.Counted || i.ID != "T.String" || i.Doc != "Its text.") {
				t.Errorf("%s is %s: %q", i.ID, i.Python, i.Doc)
			}
		}
	}
}

func TestWhatAFuncFailsWithoutIsNeeded(t *testing.T) {
	p := planOf(t, "type T struct { n int }\nfunc Reads(t *T, u *T) int { return t.n }\nfunc Calls(f func()) { f() }\n")
	for _, i := range p.Functions {
		for _, param := range i.Form.(*form.Call).Params {
			if want := param.Python != "u"; param.Needed != want {
				t.Errorf("%s needs %s: %v", i.ID, param.Python, param.Needed)
			}
		}
	}
}

func TestAStructThatGoSharesIsNoDataclass(t *testing.T) {
	for source, shared := range map[string]bool{
		"func Use(r *Rec) {}":                                false,
		"func Use(rs []Rec) {}":                              false,
		"func Use(f func(Rec)) {}":                           false,
		"func Use(f func(*Rec)) {}":                          true,
		"func Use(f func([]Rec)) {}":                         true,
		"type Option func(*Rec)\nfunc Use(o ...Option) {}":   true,
		"type User interface{ Use(*Rec) }\nvar Current User": true,
		"type Box struct{ R *Rec }\nfunc Use(b *Box) {}":     false, // a dataclass too
		"type Box struct{ R *Rec; n int }":                   true,
		"type Box struct{ R map[string]*Rec; n int }":        true,
	} {
		p := planOf(t, "type Rec struct{ N int }\nfunc Take(r Rec) {}\n"+source)
		if got := slices.ContainsFunc(p.Classes, func(c *form.Class) bool { return c.Go == "Rec" }); got != shared {
			t.Errorf("%s: Rec is a class: %v, want %v", source, got, shared)
		}
	}
}

func TestAnErrorIsTheBuiltinExceptionThatItsNameMeans(t *testing.T) {
	want := map[string]string{
		"KeyNotFoundError": "LookupError", "InvalidKeyError": "ValueError", "NotSupportedError": "NotImplementedError",
		"WaitTimeoutError": "TimeoutError", "ForbiddenError": "PermissionError", "FullError": "",
	}
	p := planOf(t, `
type fault string
func (f fault) Error() string { return string(f) }
var ErrKeyNotFound, ErrInvalidKey, ErrNotSupported, ErrWaitTimeout, ErrForbidden, ErrFull error
func Use() {}
`)
	got := map[string]string{}
	for _, i := range p.Errors {
		if e, ok := i.Form.(*form.ErrorValue); ok {
			got[i.Python] = e.Base
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestATypeThatIsNotExportedHasItsExportedMethods(t *testing.T) {
	p := planOf(t, `
type order struct{}
func (order) Put(b []byte, x int) {}
func (order) hidden() {}
func (order) Other() order { return order{} }
type turn struct{}
func (turn) Put(b []byte, x int) {}
var Little order
func Dial() (*turn, error) { return nil, nil }
func Again() (*turn, error) { return nil, nil }
`)
	var classes []string
	for _, c := range p.Classes {
		classes = append(classes, c.Go)
	}
	slices.Sort(classes)
	if want := []string{"Order", "Turn"}; !slices.Equal(classes, want) {
		t.Errorf("the classes are %v, want %v", classes, want)
	}
	for _, c := range p.Classes {
		if !c.Has("put") || c.Has("hidden") || c.Has("other") {
			t.Errorf("%s has the members %v", c.Go, c.Members)
		}
	}
}
