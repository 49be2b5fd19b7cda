package decide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/RoaringBitmap/roaring/v2": "roaring", "gopkg.in/yaml.v3": "yaml", "net/url": "url",
		"github.com/go-git/go-git/v5": "git", "github.com/google/cel-go/cel": "cel", "example.com/a-b": "a_b",
	} {
		if got := PackageName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestErrorName(t *testing.T) {
	for name, want := range map[string]string{
		"ErrNotFound": "NotFoundError", "NoErrAlreadyUpToDate": "NoErrAlreadyUpToDateError", "Errors": "ErrorsError", "ErrBadError": "BadError", "SizeErr": "SizeError",
	} {
		if got := errorName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestSubmoduleOfAForeignPackage(t *testing.T) {
	const source = "package shelf\ntype Set struct{}\nfunc (Set) URL() {}\nfunc Bytes() {}\nfunc API() {}\nfunc Image() {}"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "shelf.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, err := new(types.Config).Check("example.com/shelf", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := New(&load.World{Packages: []*load.Package{{Types: own, Docs: load.ReadDocs(nil)}}}, "shelf", overrides.None())
	for path, want := range map[string]string{
		"net/url": "url", "bytes": "go_bytes", "example.com/99designs/api": "designs_api", "example.com/draw/image": "draw_image", "flag": "flag",
	} {
		if got := d.submodule(types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])).Name; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestANameOfAnotherPackageHasThatInFront(t *testing.T) {
	own := types.NewPackage("example.com/color", "color")
	own.Scope().Insert(types.NewTypeName(token.NoPos, own, "RGB", types.Typ[types.Int]))
	d := New(&load.World{Packages: []*load.Package{{Types: own, Docs: load.ReadDocs(nil)}}}, "shelf", overrides.None())
	d.plan.Submodules = []*form.Submodule{{Name: "color", Path: own.Path()}}
	for _, name := range []string{"RGB", "MAX", "Model", "parse"} {
		d.module.Take(name)
	}
	for name, want := range map[string]string{"RGB": "ColorRGB", "MAX": "COLOR_MAX", "Model": "ColorModel", "parse": "color_parse"} {
		if got := d.take(own, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
