package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestSetMetadata(t *testing.T) {
	metadata := `{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"None\"},{\"type\":\"geo.Point\"},` +
		`{\"type\":\"Optional\",\"args\":[{\"type\":\"int\"}]}]}","arg_names":["count"],"arg_defaults":["None"],"doc":"a doc"}`
	optional := Schema{Type: "Optional", Args: []Schema{{Type: "int"}}}
	method := Function{Name: "move"}
	testenv.OK(t, method.SetMetadata(metadata, true))
	want := Function{
		Name: "move", Doc: "a doc", Typed: true, Result: Schema{Type: "None"}, Args: []Schema{optional}, ArgNames: []string{"count"}, Keywords: true,
		ArgDefaults: []string{"None"},
	}
	if !reflect.DeepEqual(method, want) {
		t.Errorf("as a method: got %+v, want %+v", method, want)
	}
	function := Function{Name: "f", Doc: "its own"}
	testenv.OK(t, function.SetMetadata(metadata, false))
	if len(function.Args) != 2 || function.ArgNames != nil || function.Keywords || function.Doc != "its own" {
		t.Errorf("as a function, which has one argument more than names: got %+v", function)
	}
	for _, text := range []string{"", "{}", `{"type_schema":"{\"type\":\"ffi.Function\"}"}`} {
		packed := Function{Name: "f"}
		if err := packed.SetMetadata(text, false); err != nil || packed.Typed {
			t.Errorf("metadata %q: got %+v, error %v; want an unknown signature", text, packed, err)
		}
	}
}

// Newer headers write the result and the parameters of a function apart.
func TestSchemasOfFunctionsHaveTwoForms(t *testing.T) {
	apart := `{"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"None\"}],` +
		`\"params\":[{\"type\":\"int\"},{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"bool\"}],\"params\":[]}}]}}"}`
	together := `{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"None\"},{\"type\":\"int\"},` +
		`{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"bool\"}]}]}"}`
	var got [2]Function
	for i, metadata := range []string{apart, together} {
		testenv.OK(t, got[i].SetMetadata(metadata, false))
	}
	if !got[0].Typed || len(got[0].Args) != 2 || !reflect.DeepEqual(got[0], got[1]) {
		t.Errorf("got %+v and %+v", got[0], got[1])
	}
}

func TestBadMetadata(t *testing.T) {
	for _, text := range []string{"{", `"text"`, `{"type_schema":"{"}`, `{"type_schema":5}`} {
		f := Field{Name: "x"}
		if err := f.SetMetadata(text); err == nil || !strings.Contains(err.Error(), "field x") {
			t.Errorf("metadata %q of a field: got error %v", text, err)
		}
	}
	noObject := `{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"None\"}]}"}`
	m := Function{Name: "m"}
	if err := m.SetMetadata(noObject, true); err == nil || !strings.Contains(err.Error(), "method m") {
		t.Errorf("a method without an argument for the object: got error %v", err)
	}
}

// Requirement: D12
func TestDefaultsOfLibrariesAreLiterals(t *testing.T) {
	good := []string{"None", "True", "-5", "2.5", "1e+30", "...", `float("nan")`, `"text"`, `"quo\"ted\\"`, `b"\x00"`}
	wrong := []string{
		"__import__('os').system('x')", `"a" + f()`, `"a", b`, "f()", "a", "1\n", `"line` + "\n" + `end"`, `"\"`, "", "\"\u202e\"", `float("x")`, "'a'",
	}
	for i, text := range literals(append(slices.Clone(good), wrong...)) {
		if i < len(good) && text != good[i] {
			t.Errorf("got %s, expected %s", text, good[i])
		}
		if i >= len(good) && text != "..." {
			t.Errorf("got %s for no literal", text)
		}
	}
}

func TestTypesOfTheStandardLibraryCrossInNativeOnes(t *testing.T) {
	texts := func() Schema {
		maybe := Schema{Type: "std::optional", Args: []Schema{{Type: "int"}}}
		return Schema{Type: "std::map", Args: []Schema{{Type: "std::string"}, {Type: "std::vector", Args: []Schema{maybe}}}}
	}
	lib := &Library{
		Functions: []Function{{Result: texts(), Args: []Schema{texts()}}},
		Classes: []Class{{
			Fields: []Field{{Type: texts()}}, Methods: []Function{{Result: texts()}},
			Init: &Function{Args: []Schema{texts()}, ByName: []Field{{Type: texts()}}},
		}},
	}
	lib.InNativeTypes()
	f, c := lib.Functions[0], lib.Classes[0]
	for _, s := range []Schema{f.Result, f.Args[0], c.Fields[0].Type, c.Methods[0].Result, c.Init.Args[0], c.Init.ByName[0].Type} {
		if got := s.String(); got != "Map[str, Array[Optional[int]]]" {
			t.Errorf("it became %s", got)
		}
	}
}

// Requirement: D14
func TestArgumentsOfTypesThatAreNoTypes(t *testing.T) {
	f := Function{Name: "sum"}
	schema := `{"type":"ffi.Function","args":[{"type":"float"},{"type":"std::array","args":[{"type":"float"},3]}]}`
	testenv.OK(t, f.SetMetadata(fmt.Sprintf(`{"type_schema":%q}`, schema), false))
	lib := &Library{Functions: []Function{f}}
	lib.InNativeTypes()
	if got := lib.Functions[0].Args[0].String(); got != "Array[float]" {
		t.Errorf("it became %s", got)
	}
}

// A result that is a value or an error, and an argument that is moved, are read as they are shown.
// Requirement: D14
func TestTypesAreReadAsTheyAreShown(t *testing.T) {
	point := Schema{Type: "geo.Point"}
	for text, want := range map[string]Schema{
		"Expected[geo.Point]":          {Type: "Expected", Args: []Schema{point}},
		"RValueRef[Array[geo.Point]]":  {Type: "ObjectRValueRef", Args: []Schema{{Type: "ffi.Array", Args: []Schema{point}}}},
		"Variant[geo.Point, int, str]": {Type: "Variant", Args: []Schema{point, {Type: "int"}, {Type: "ffi.String"}}},
		"DLTensor*":                    {Type: "DLTensor*"},
	} {
		got, err := ParseSchema(text, map[string]bool{"geo.Point": true})
		if err != nil || got.String() != text || want.String() != text {
			t.Errorf("%s is read as %s, error %v; shown as %s", text, got, err, want)
		}
	}
	var read Schema
	if err := json.Unmarshal([]byte(`{"type":"Expected","args":[{"type":"int"},{"type":"ffi.Error"}]}`), &read); err != nil || read.String() != "Expected[int]" {
		t.Errorf("the schema of C++ is shown as %s, error %v", read, err)
	}
}

// Requirement: D14
func TestFieldsByKeywordAreLast(t *testing.T) {
	number := Schema{Type: "int"}
	f := Function{OfFields: true, Args: []Schema{number, number}, ArgNames: []string{"a", "b"}, ArgDefaults: []string{"1"}, ByName: []Field{{Name: "c", Type: number, Default: "2"}}}
	all, keywords := f.InOrder()
	if !slices.Equal(all.ArgNames, []string{"a", "b", "c"}) || !slices.Equal(all.ArgDefaults, []string{"1", "2"}) || !slices.Equal(keywords, []string{"c"}) {
		t.Errorf("got %+v, by keyword %v", all, keywords)
	}
	f.ByName = append([]Field{{Name: "d", Type: number}}, f.ByName...)
	if all, _ = f.InOrder(); !slices.Equal(all.ArgNames, []string{"a", "b", "d", "c"}) || !slices.Equal(all.ArgDefaults, []string{"2"}) {
		t.Errorf("got %+v", all)
	}
	f.OfFields = false
	if all, keywords = f.InOrder(); len(all.Args) != 2 || keywords != nil {
		t.Errorf("another function became %+v, by keyword %v", all, keywords)
	}
}
