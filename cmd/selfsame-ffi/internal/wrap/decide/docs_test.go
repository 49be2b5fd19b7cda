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
		{"Len", "Len is never true for a Shelf. Add it!", "Never True for a Shelf. Add it!"},
		{"Len", "Length of it; use [shelf.Add] or [Add], not [io.Copy].", "Length of it; use add or add, not io.Copy."},
		{"X", "It fails with ErrFull:\n\n\tOpenShelf()", "It fails with FullError:\n\n    shelf.open_shelf()"},
		{"X", "X", "X"},
		{"X", "Takes an http.HandlerFunc, another [HandlerFunc] and a BookEnd.", "Takes an http.HandlerFunc, another HandlerFunc and a BookEnd."},
		{"X", "Unlike http.PutBook or io.PutBook, shelf.PutBook, s.PutBook and [http.PutBook]", "Unlike http.PutBook or io.put_book, shelf.put_book, s.put_book and http.PutBook"},
		{"X", "See PutBook and [Shelf.HandlerFunc].", "See put_book and Shelf.handler_func."},
		{"X", "See [Other] and Add(). Add returns nothing, Add it.", "See Other and add(). add returns nothing, Add it."},
		{"Decode", "Decode a text.", "Decode a text."},
		{"Close", "Close immediately closes it.", "Immediately closes it."},
		{"Read", "Read is like Get.", "Like Get."},
		{"X", "Takes a map[string]any, a map[int][]string or a [Other].", "Takes a dict[str, Any], a dict[int, list[str]] or a Other."},
	} {
		if got := d.docOf(c[0], c[1], nil); got != c[2] {
			t.Errorf("%s: got %q, want %q", c[0], got, c[2])
		}
	}
}

func TestTermsOfGoAreThoseOfPython(t *testing.T) {
	d := deciderOf()
	for text, want := range map[string]string{
		"It panics if the slice is empty.":                                             "It raises an exception if the list is empty.",
		"Use it in one goroutine; it will panic otherwise.":                            "Use it in one thread; it will raise an exception otherwise.",
		"Takes a pointer to the byte slice, or a nil pointer.":                         "Takes the bytes, or None.",
		"Returns a pointer to a Shelf or an error.":                                    "Returns a Shelf or an error.",
		"An error is returned when it is full, as ErrFull is returned.":                "An exception is raised when it is full, as FullError is raised.",
		"Reads []byte, float64s and uint64.":                                           "Reads bytes, floats and int.",
		"# Heading\n\nText.":                                                           "Heading\n\nText.",
		"Lists:\n\n  - one slice\n  - two":                                             "Lists:\n\n  - one list\n  - two",
		"Takes a table:\n\n\ta  b\n\tc  d":                                             "Takes a table:\n\n    a  b\n    c  d",
		"Returns a byte slice.":                                                        "Returns bytes.",
		"A text.\n\nTo make one do one of\nthe following:\n\n\tvar x T\n\nMore.":       "A text.\n\nMore.",
		"Passes a func and []string to it.":                                            "Passes a function and list[string] to it.",
		"Copies it. This is an efficient\nshortcut for\n\n\tfor i := range x {\n\t}\n": "Copies it.",
		"To have 64 items, say so:\n\n\tvar x T":                                       "To have 64 items, say so.",
		"Add(0) is the first, Add (a word) is none.":                                   "add(0) is the first, Add (a word) is none.",
		"Text. For example:\n\n\tfor i := range x {\n\t}\n\nMore text.":                "Text.\n\nMore text.",
	} {
		if got := d.docOf("X", text, nil); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestExamplesOfSimpleCallsAreTranslated(t *testing.T) {
	d := deciderOf()
	const code = "\ts, err := shelf.OpenShelf(\"a\", []int{1, -2}, nil) // open it\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer s.Close()\n" +
		"\tb := &shelf.Shelf{NextBook: 3}\n\ts.PutBook(b, []byte(\"x\"), `raw`)\n\n\tfmt.Println(s.NextBook)"
	const want = "    s = shelf.open_shelf(\"a\", [1, -2], None)  # open it\n    b = shelf.Shelf(next_book=3)\n" +
		"    s.put_book(b, b\"x\", \"raw\")\n\n    print(s.next_book)"
	if got := d.pythonDoc("Text:\n\n" + code); got != "Text:\n\n"+want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParametersAreCodeInTheSpellingOfPython(t *testing.T) {
	plan := planOf(t, "// Cut copies rangeStart of src into 'key', where key is a key. r is read; a.src is not.\n"+
		"func Cut(rangeStart int, src, key string, r []byte, a int) {}\n")
	const want = "Copies `range_start` of `src` into `key`, where key is a key. `r` is read; a.src is not."
	if got := plan.Functions[0].Doc; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
