package model

import "testing"

// Requirement: D14
func TestMethodsOfOneNameAreJoined(t *testing.T) {
	number, text, none := Schema{Type: "int"}, Schema{Type: "ffi.String"}, Schema{Type: "None"}
	method := func(name, doc string, result Schema, args ...Schema) Function {
		return Function{Name: name, Doc: doc, Typed: true, Result: result, Args: args}
	}
	lib := &Library{Classes: []Class{{Methods: []Function{
		method("add", "Adds.", number, number, text),
		method("other", "", text, text),
		method("add", "Joins.", text, text, text),
		method("add", "", Schema{Type: "float"}, Schema{Type: "float"}, text),
		method("set", "", none, number),
		method("set", "", number, number),
		method("get", "", number),
		method("get", "", number, number),
	}}}}
	lib.JoinOverloads()
	methods := lib.Classes[0].Methods
	if len(methods) != 4 || methods[1].Name != "other" || methods[1].Args[0].String() != "str" {
		t.Fatalf("got %v", methods)
	}
	add, set, get := methods[0], methods[2], methods[3]
	if got := add.Result.String(); got != "Variant[int, str, float]" || !add.Typed {
		t.Errorf("the result is %s", got)
	}
	if got := add.Args[0].String() + ", " + add.Args[1].String(); got != "Variant[int, str, float], str" {
		t.Errorf("the arguments are %s", got)
	}
	if add.Doc != "Adds.\n\nJoins." {
		t.Errorf("the documentation is %q", add.Doc)
	}
	if got := set.Result.String(); got != "Any" || set.Args[0].String() != "int" {
		t.Errorf("with and without a result: %s", got)
	}
	if get.Typed || len(get.Args) != 0 || get.Name != "get" {
		t.Errorf("with other numbers of arguments: %v", get)
	}
}
