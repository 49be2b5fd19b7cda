package gosource

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: G3

// packageOf makes a package of one file, which `go list` is not asked about.
func packageOf(t *testing.T, source string) *Package {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), source)
	return &Package{Dir: dir, ImportPath: "example.org/a", Name: "a", GoFiles: []string{"a.go"}}
}

const registering = "package a\n\nimport \"" + FrontendPath + "\"\n\n"

// A text may name constants that mean each other, or that double.
func TestTextsOfConstantsEnd(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("const c0 = \"x\"\n")
	for i := range 60 {
		fmt.Fprintf(&doubling, "const c%d = c%d + c%d\n", i+1, i, i)
	}
	for name, source := range map[string]string{
		"circle":   "const a, b = b, a\n\nfunc init() { selfsame.MustRegisterFunc(a, f) }\n\nfunc f() {}\n",
		"itself":   "const a = a + \"x\"\n\nfunc init() { selfsame.MustRegisterFunc(a, f) }\n\nfunc f() {}\n",
		"doubling": doubling.String() + "\nfunc init() { selfsame.MustRegisterFunc(c60, f) }\n\nfunc f() {}\n",
	} {
		names, err := ReadNames(packageOf(t, registering+source), nil)
		if err != nil || len(names.Functions) != 0 {
			t.Errorf("%s: got %v, error %v", name, names, err)
		}
	}
	source := "const a = \"one\" + \".\" + b\n\nconst b = (\"two\")\n\nfunc init() { selfsame.MustRegisterFunc(a, f) }\n\nfunc f(x int) {}\n"
	names, err := ReadNames(packageOf(t, registering+source), nil)
	if err != nil || names.Functions["one.two"] == nil {
		t.Errorf("a text of constants: got %v, error %v", names.Functions, err)
	}
}

// Types may embed pointers to each other.
func TestEmbeddedTypesEnd(t *testing.T) {
	var source strings.Builder
	source.WriteString("package a\n\n")
	const types = 40
	for i := range types {
		fmt.Fprintf(&source, "type T%d struct {\n", i)
		for j := range types {
			fmt.Fprintf(&source, "\t*T%d\n", j)
		}
		fmt.Fprintf(&source, "}\n\nfunc (*T%d) M%d(x int) {}\n\nfunc (*T%d) Same(y%d int) {}\n\n", i, i, i, i)
	}
	names := testenv.Value(ReadNames(packageOf(t, source.String()), nil))(t)
	texts := names.Texts()
	if got := texts.Parameters["example.org/a.(*T3).M7"]; got != "x" {
		t.Errorf("a method of an embedded type has the parameters %q", got)
	}
	if got := texts.Parameters["example.org/a.(*T3).Same"]; got != "y3" {
		t.Errorf("a type's own method has the parameters %q", got)
	}
	if names.BySymbol("example.org/a.(*T3).None") != nil {
		t.Error("a method that no type has was found")
	}
}

// FuzzSource reads Go source that may not compile: it ends, with an error or without one.
func FuzzSource(f *testing.F) {
	f.Setenv("PATH", "") // no `go list` for what a file imports
	f.Add("type T struct{ selfsame.Object }\n\nfunc (t *T) M(x int) {}\n\nfunc init() { selfsame.MustRegister[T](\"a.T\", selfsame.Method(\"m\", (*T).M)) }")
	f.Add("func () f() {}")
	f.Add("func (a, b T) f() {}\n\ntype T struct{ *T }")
	f.Add("const a, b = b + a, (a)\n\nfunc init() { selfsame.RegisterFunc(a, func(x, y int) {}, selfsame.Doc(b)) }")
	f.Add("var sentinel = errors.New(\"x\") // why\n\nfunc init() { selfsame.MustRegisterErrorKind(sentinel, \"Kind\") }")
	f.Add("func init() { selfsame.Register[T]() ; selfsame.RegisterFunc(\"x\") ; selfsame.Register[T](\"k\", selfsame.Init(), selfsame.Static(\"s\")) }")
	f.Add("type G[T any] struct{ f func() }\n\nfunc (g *G[T]) M() { _ = func() {} }\n\ntype A = G[int]")
	f.Fuzz(func(t *testing.T, body string) {
		p := packageOf(t, registering+body)
		names, err := ReadNames(p, nil)
		if err != nil {
			return
		}
		names.Texts()
		for _, symbol := range []string{"", ".", "example.org/a.f", "example.org/a.(*T).M", "example.org/a.T.M", "example.org/a/a.go:5", body} {
			names.BySymbol(symbol)
		}
		if _, _, err := Funcs(p, nil); err != nil {
			t.Errorf("Funcs: %v", err)
		}
	})
}
