package gosource

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestReadNames(t *testing.T) {
	source := testenv.Value(os.ReadFile(filepath.Join("testdata", "geo.go.txt")))(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "geo.go"), string(source))
	write(t, filepath.Join(dir, "go.mod"), "module example.org/geo\n\ngo 1.24\n")
	p := &Package{Dir: dir, ImportPath: "example.org/geo", Name: "geo", GoFiles: []string{"geo.go"}}
	got := testenv.Value(ReadNames(p, nil))(t)
	upper := got.Functions["geo.upper"]
	if upper == nil || !reflect.DeepEqual(upper.Params, []string{"s"}) {
		t.Errorf("geo.upper, a function of another package: %+v, want one parameter s", upper)
	}
	delete(got.Functions, "geo.upper")
	want := &Names{
		Functions: map[string]*FuncNames{
			"geo.nearest":    {GoName: "Nearest", Doc: "Nearest finds one.", Params: []string{"points", "limit"}},
			"geo.lambda":     {Params: []string{"a", "b"}},
			"geo.documented": {Doc: "Explicit.", Params: []string{"points", "limit"}},
		},
		Classes: map[string]*ClassNames{
			"geo.Shape": {
				Doc:    "Shape is what\nhas a place.",
				Fields: map[string]string{"posx": "Where it stands.", "posy": "Where it stands.", "maxsize": "and how big it is"},
				Init:   &FuncNames{Params: []string{"x", "y"}},
				Methods: map[string]*FuncNames{
					"move":   {GoName: "Move", Doc: "Move moves it.", Params: []string{"dx", "dy"}},
					"scale":  {GoName: "scale", Doc: "scale scales a shape.", Params: []string{"factor"}},
					"origin": {Params: []string{"", "named"}},
				},
			},
			"geo.Point": {
				Doc: "Point is a point.", Fields: map[string]string{},
				Methods: map[string]*FuncNames{"move_point": {GoName: "Move", Doc: "Move moves it.", Params: []string{"dx", "dy"}}},
			},
		},
	}
	if !reflect.DeepEqual(got.Functions, want.Functions) {
		t.Errorf("functions: got %+v", got.Functions)
	}
	for symbol, params := range map[string]string{
		".Nearest": "points limit", ".(*Shape).Move": "dx dy", ".scale": "s factor", "/geo.go:47": "a b",
	} {
		if found := got.Texts().Parameters["example.org/geo"+symbol]; found != params {
			t.Errorf("the parameters of %s: got %q, want %q", symbol, found, params)
		}
	}
	for symbol, comment := range map[string]string{
		".Nearest": "Nearest finds one.", ".(*Shape).Move": "Move moves it.", ".(*Point).Move": "Move moves it.", ".Point": "Point is a point.",
		".Shape.posx": "Where it stands.", ".Shape.maxsize": "and how big it is", "/geo.go:47": "",
	} {
		if found := got.Texts().Comments["example.org/geo"+symbol]; found != comment {
			t.Errorf("the comment of %s: got %q, want %q", symbol, found, comment)
		}
	}
	if kinds := map[string]ErrorNames{"geo.Flat": {Doc: "errFlat says that a shape has no size."}, "KeyError": {}}; !maps.Equal(got.Errors, kinds) {
		t.Errorf("kinds of errors: got %v", got.Errors)
	}
	for key, c := range want.Classes {
		if !reflect.DeepEqual(got.Classes[key], c) {
			t.Errorf("class %s: got %+v, want %+v", key, got.Classes[key], c)
		}
	}
	if len(got.Classes) != len(want.Classes) {
		t.Errorf("got %d classes, want %d", len(got.Classes), len(want.Classes))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	testenv.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestFilesAreParsedOnce(t *testing.T) {
	p := &Package{Dir: t.TempDir(), GoFiles: []string{"p.go"}}
	path := p.Files()[0]
	if _, err := p.Syntax(); err == nil {
		t.Error("a missing file was parsed")
	}
	testenv.OK(t, os.WriteFile(path, []byte("package p\n"), 0o600))
	first, err := p.Syntax()
	if err != nil || len(first.Files) != 1 || first.Set.File(first.Files[0].Pos()).Name() != path {
		t.Fatalf("got %v, error %v", first, err)
	}
	testenv.OK(t, os.Remove(path))
	if again, err := p.Syntax(); again != first || err != nil {
		t.Errorf("got %v, error %v, want what was parsed before", again, err)
	}
}

// The tool reads of a module for a later Go as much as its own Go understands. Other files that do not parse are
// errors.
//
// Requirement: G4
func TestFilesInALaterLanguageAreReadAsFarAsTheyAreUnderstood(t *testing.T) {
	p := &Package{Dir: t.TempDir(), GoFiles: []string{"p.go"}}
	write(t, p.Files()[0], "package p\n\nfunc F(a int) { print(a ? 1 : 2) }\n\n// G is known.\nfunc G(b int) {}\n")
	for _, version := range []string{"", "1.24.0"} {
		p.Module = &Module{GoVersion: version}
		if _, err := p.Syntax(); err == nil {
			t.Errorf("no error for a module of go %q", version)
		}
	}
	p.Module.GoVersion = "1.999"
	parsed := testenv.Value(p.Syntax())(t)
	if names := functionNames(parsed.Files[0]); !slices.Equal(names, []string{"F", "G"}) {
		t.Errorf("got the funcs %v", names)
	}
}

func functionNames(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
