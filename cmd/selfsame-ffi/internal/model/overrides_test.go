package model

import (
	"reflect"
	"strings"
	"testing"
)

// Requirement: D14

func overridden(t *testing.T, text string) (*Library, error) {
	t.Helper()
	lib := &Library{
		Classes: []Class{
			{
				Key: "geo.Point", Init: &Function{Name: "__ffi_init__", Typed: true, Args: []Schema{{Type: "int"}}},
				Fields:  []Field{{Name: "next", Type: Schema{Type: "ffi.Object"}}},
				Methods: []Function{{Name: "move", Typed: true, Args: []Schema{{Type: "int"}, {Type: "Any"}}, Result: Schema{Type: "ffi.Object"}}},
			},
			{Key: "geo.a.Line"}, {Key: "geo.b.Line"},
		},
		Functions: []Function{{Name: "geo.any"}},
	}
	o, err := ReadOverrides(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return lib, o.Apply(lib)
}

func TestOverridesSayWhatTheLibraryDoesNot(t *testing.T) {
	lib, err := overridden(t, `{"functions": {
		"geo.Point.move": {"args": ["steps", "where: Optional[Point]"], "result": "Array[geo.a.Line]", "doc": "Moves."},
		"geo.Point.__init__": {"args": ["x"]}, "geo.any": {"args": [": int"], "result": "Map[str, Array[bytes]]"}},
		"fields": {"geo.Point.next": "Point"}}`)
	relative, relativeErr := overridden(t, `{"namespace": "geo", "functions": {
		"Point.move": {"args": ["steps", "where: Optional[Point]"], "result": "Array[a.Line]", "doc": "Moves."},
		"Point.__init__": {"args": ["x"]}, "any": {"args": [": int"], "result": "Map[str, Array[bytes]]"}},
		"fields": {"Point.next": "Point"}}`)
	if relativeErr != nil || !reflect.DeepEqual(lib, relative) {
		t.Errorf("with a namespace: %+v, error %v", relative, relativeErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	point, move := lib.Classes[0], lib.Classes[0].Methods[0]
	optional := Schema{Type: "Optional", Args: []Schema{{Type: "geo.Point"}}}
	if !reflect.DeepEqual(move.Args, []Schema{{Type: "int"}, optional}) || !reflect.DeepEqual(move.ArgNames, []string{"steps", "where"}) ||
		move.Result.String() != "Array[geo.a.Line]" || move.Doc != "Moves." {
		t.Errorf("the method is %+v", move)
	}
	if point.Fields[0].Type.Type != "geo.Point" || point.Init.ArgNames[0] != "x" || point.Init.Args[0].Type != "int" {
		t.Errorf("the class is %+v", point)
	}
	f := lib.Functions[0]
	if !f.Typed || f.Args[0].Type != "int" || f.Result.String() != "Map[str, Array[bytes]]" {
		t.Errorf("the function is %+v", f)
	}
}

func TestOverridesThatFitNothingAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"functions": {"geo.gone": {}, "geo.Point.next": {}}, "fields": {"geo.Point.y": "int"}}`: "the library has no geo.Point.next, geo.gone, the field geo.Point.y",
		`{"functions": {"geo.Point.move": {"args": ["a"]}}}`:                                      "geo.Point.move: expected 2 arguments, as the library says, got 1",
		`{"functions": {"geo.Point.move": {"result": "Line"}}}`:                                   `"Line" is ambiguous`,
		`{"functions": {"geo.Point.move": {"result": "Array[int"}}}`:                              "expected ]",
		`{"functions": {"geo.Point.move": {"result": "int]"}}}`:                                   `unexpected "]" at the end`,
		`{"fields": {"geo.Point.next": "gone"}}`:                                                  `there is no class or type "gone"`,
		`{"function": {}}`:                                                                        "unknown field",
		`{} {}`:                                                                                   "expected one JSON object",
		`{`:                                                                                       "EOF",
	} {
		if _, err := overridden(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}
