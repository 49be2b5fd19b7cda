package decide

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

// deciderOf makes a Decider for a package whose scope has a func OpenShelf, a type Shelf with a field NextBook and methods that are
// called as types of this package and of another one, and ErrFull.
func deciderOf() *Decider {
	p := types.NewPackage("example.com/shelf", "shelf")
	other := types.NewPackage("example.com/http", "http")
	foreign := types.NewTypeName(token.NoPos, other, "HandlerFunc", nil)
	other.Scope().Insert(foreign)
	other.Scope().Insert(types.NewFunc(token.NoPos, other, "PutBook", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	p.SetImports([]*types.Package{other})
	field := types.NewField(token.NoPos, p, "NextBook", types.Typ[types.Int], false)
	name := types.NewTypeName(token.NoPos, p, "Shelf", nil)
	shelf := types.NewNamed(name, types.NewStruct([]*types.Var{field}, nil), nil)
	for _, method := range []string{"HandlerFunc", "BookEnd", "PutBook"} {
		self := types.NewVar(token.NoPos, p, "s", types.NewPointer(shelf))
		shelf.AddMethod(types.NewFunc(token.NoPos, p, method, types.NewSignatureType(self, nil, nil, nil, nil, false)))
	}
	end := types.NewTypeName(token.NoPos, p, "BookEnd", nil)
	types.NewNamed(end, types.NewStruct(nil, nil), nil)
	p.Scope().Insert(end)
	p.Scope().Insert(name)
	p.Scope().Insert(types.NewFunc(token.NoPos, p, "OpenShelf", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	p.Scope().Insert(types.NewFunc(token.NoPos, p, "Add", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	p.Scope().Insert(types.NewVar(token.NoPos, p, "ErrFull", types.Universe.Lookup("error").Type()))
	return New(&load.World{Packages: []*load.Package{{Types: p, Docs: &load.Docs{}}}}, "shelf", overrides.None())
}

func TestCommentsBecomeDocstringsWithPythonNames(t *testing.T) {
	d := deciderOf()
	for _, c := range [][3]string{
		{"Add", "Add adds a book. It returns nil if OpenShelf was called before.", "Adds a book. It returns None if open_shelf was called before."},
		{"Title", "Title is the title, see [Shelf.NextBook] and [*Shelf].", "The title, see Shelf.next_book and Shelf."},
		{"Len", "Len is never true for a Shelf. Add it!", "Is never True for a Shelf. Add it!"},
		{"Len", "Length of it; use [shelf.Add] or [Add], not [io.Copy].", "Length of it; use add or add, not [io.Copy]."},
		{"X", "It fails with ErrFull:\n\n\tOpenShelf()", "It fails with FullError:\n\n    OpenShelf()"},
		{"X", "X", "X"},
		{"X", "Takes an http.HandlerFunc, another [HandlerFunc] and a BookEnd.", "Takes an http.HandlerFunc, another HandlerFunc and a BookEnd."},
		{"X", "Unlike http.PutBook or io.PutBook, shelf.PutBook, s.PutBook and [http.PutBook]", "Unlike http.PutBook or io.put_book, shelf.put_book, s.put_book and [http.PutBook]"},
		{"X", "See PutBook and [Shelf.HandlerFunc].", "See put_book and Shelf.handler_func."},
		{"Decode", "Decode a text.", "Decode a text."},
	} {
		if got := d.docOf(c[0], c[1]); got != c[2] {
			t.Errorf("%s: got %q, want %q", c[0], got, c[2])
		}
	}
}
