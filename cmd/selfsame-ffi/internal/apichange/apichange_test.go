package apichange

// Requirement: F7

import (
	"slices"
	"strings"
	"testing"
)

// module returns a Python file as the tool writes it, with members and functions put in.
func module(members, functions string) string {
	return "# Generated\n\"\"\"A package.\n\nclass Quoted(object):\n\"\"\"\nimport os as _os\n\n__version__ = \"1.0\"\n\n\n@_ffi.register_object(\"shop.Account\")\n" +
		"class Account(_ffi.Object):\n    \"\"\"An account.\"\"\"\n\n    __slots__ = ()\n\n    if _typing.TYPE_CHECKING:\n" + members +
		"\n\n" + functions + "\n__all__ = [\n]\n"
}

func parse(text string) Interface {
	in := Interface{}
	in.Parse(text)
	return in
}

func TestDeclarationsOfGeneratedFilesAreRead(t *testing.T) {
	in := parse(module(`
        def __init__(self, owner: str, balance: int = 0) -> None: ...

        @property
        def balance(self) -> int:
            """in cents"""
            ...

        @balance.setter
        def balance(self, value: int) -> None: ...

        @staticmethod
        def of(names: dict[str, int] = {"a": 1}, /, *rest: str) -> Account: ...
`, `@_ffi.function("shop.total")
def total(accounts: _typing.Sequence[Account]) -> int:
    """The sum.

    In cents.
    """
    raise NotImplementedError

LIMIT: _typing.Final = 10
`))
	want := []string{"Account", "Account.__init__", "Account.balance", "Account.of", "LIMIT", "total"}
	var names []string
	for name := range in {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Fatalf("got %q, want %q", names, want)
	}
	if e := in["Account.balance"]; e.Kind != "property" || !e.Writable || e.Doc != "in cents" || e.Type != "int" {
		t.Errorf("balance is %+v", e)
	}
	if e := in["Account.of"]; e.Kind != "static method" || len(e.Params) != 3 || e.Params[0].Default != `{"a": 1}` {
		t.Errorf("of is %+v", e)
	}
	if e := in["total"]; e.Doc != "The sum.\n\nIn cents." || e.Params[0].Type != "_typing.Sequence[Account]" {
		t.Errorf("total is %+v", e)
	}
}

func TestEachKindOfChangeHasItsLevel(t *testing.T) {
	def := func(params, result string) string {
		return "def f(" + params + ") -> " + result + ":\n    \"\"\"Doc.\"\"\"\n"
	}
	for _, test := range []struct{ before, now, want string }{
		{def("a: int", "int"), "", "breaking: f: the function is gone"},
		{"", def("a: int", "int"), "additive: f: a new function"},
		{def("a: int", "int"), def("a: int", "float"), "breaking: f: it returns float, no longer int"},
		{def("", "int"), def("", "int | None"), "breaking: f: it returns int | None, no longer int"},
		{def("", "int | None"), def("", "int"), "additive: f: it returns int, no longer int | None"},
		{def("a: int", "int"), def("a: float", "int"), "additive: f: the parameter a takes float, no longer int"},
		{def("", "_typing.Any"), def("", "int"), "additive: f: it returns int, no longer _typing.Any"},
		{def("a: int", "int"), def("a: int, b: int", "int"), "breaking: f: the new parameter b is required"},
		{def("a: int", "int"), def("a: int, b: int = 0", "int"), "additive: f: there is a parameter b"},
		{def("a: int, b: int", "int"), def("b: int, a: int", "int"), "breaking: f: the parameter a has another place\nbreaking: f: the parameter b has another place"},
		{def("a: int", "int"), def("b: int", "int"), "breaking: f: the parameter a is called b"},
		{def("a: int, /", "int"), def("b: int, /", "int"), "documentation: f: the parameter a is called b"},
		{def("*a: int", "int"), def("*b: int", "int"), "documentation: f: the parameter *a is called *b"},
		{def("*a: int", "int"), def("*b: int | str, c: int = 0", "int"), "additive: f: the parameter *b takes int | str, no longer int\nadditive: f: there is a parameter c\ndocumentation: f: the parameter *a is called *b"},
		{def("**a: int", "int"), def("**b: str", "int"), "breaking: f: the parameter **b takes str, no longer int\ndocumentation: f: the parameter **a is called **b"},
		{def("*a: int", "int"), def("**a: int", "int"), "breaking: f: the parameter *a is gone\nadditive: f: there is a parameter **a"},
		{def("a: int", "int"), def("a: int, /", "int"), "breaking: f: the parameter a takes no keyword any more"},
		{def("a: int, b: int", "int"), def("a: int", "int"), "breaking: f: the parameter b is gone"},
		{def("a: int = 0", "int"), def("a: int = 1", "int"), "breaking: f: the parameter a is 1 by default, no longer 0"},
		{def("a: int = 0", "int"), def("a: int", "int"), "breaking: f: the parameter a is required"},
		{def("a: int", "int"), def("a: int = 0", "int"), "additive: f: the parameter a may be left out"},
		{def("a: int", "int"), def("a: int | str", "int"), "additive: f: the parameter a takes int | str, no longer int"},
		{def("a: int | None", "int"), def("a: int", "int"), "breaking: f: the parameter a takes int, no longer int | None"},
		{def("*, a: int", "int"), def("*, b: int = 0, a: int", "int"), "additive: f: there is a parameter b"},
		{def("", "int"), strings.Replace(def("", "int"), "Doc", "Docs", 1), "documentation: f: its description has changed"},
		{"class E(_ffi.Error, ValueError):\n", "class E(_ffi.Error):\n", "breaking: E: it is no ValueError any more"},
		{"class E(_ffi.Error):\n", "class E(_ffi.Error, ValueError):\n", "additive: E: it is a ValueError too"},
		{"class C:\n    x: int\n", "class C:\n    @property\n    def x(self) -> int:\n", "breaking: C.x: it cannot be set any more"},
		{"class C:\n    def x(self) -> int: ...  # type: ignore[override]\n", "class C:\n    def x(self) -> str:  # type: ignore[override]\n", "breaking: C.x: it returns str, no longer int"},
		{"class C:\n    @property\n    def x(self) -> int:\n", "class C:\n    x: int\n", "additive: C.x: it can be set"},
		{"class C:\n    x: int | None\n", "class C:\n    x: int\n", "breaking: C.x: its type is int, no longer int | None"},
		{"class C:\n    @property\n    def x(self) -> int:\n", "class C:\n    def x(self) -> int:\n", "breaking: C.x: the property is a method now"},
		{"class C:\n    x: bytes\n", "class C:\n    x: _builtins.bytes\n    def bytes(self) -> int:\n", "additive: C.bytes: a new method"},
		{"LIMIT = 1\n", "LIMIT = 2\n", "breaking: LIMIT: its value was 1 and is 2"},
		{"_x = 1\n", "", ""},
		{"class C:\n    x: int\n", "", "breaking: C: the class is gone"},
		{"class C:\n    x: int\n", "class D:\n    x: int\nC = D\n", "additive: D: a new class"},
		{"class C:\n    x: int\n", "class D:\n    y: int\nC = D\n", "breaking: C.x: the field is gone\nadditive: D: a new class"},
	} {
		var got []string
		for _, c := range Compare(parse(test.before), parse(test.now)) {
			got = append(got, c.Level.String()+": "+c.Text)
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%q to %q:\ngot  %s\nwant %s", test.before, test.now, strings.Join(got, "\n"), test.want)
		}
	}
}

func TestNextVersionIsASemanticOne(t *testing.T) {
	for _, test := range []struct {
		version string
		level   Level
		want    string
	}{
		{"1.2.3", Breaking, "2.0.0"}, {"1.2.3", Additive, "1.3.0"}, {"1.2.3", Documentation, "1.2.4"},
		{"0.2.3", Breaking, "0.3.0"}, {"0.2.3", Additive, "0.2.4"}, {"2024.1", Breaking, "2024.1"},
	} {
		if got := Next(test.version, test.level); got != test.want {
			t.Errorf("%s, %s: got %s, want %s", test.version, test.level, got, test.want)
		}
	}
}

func TestChangelogHasASectionForEachVersion(t *testing.T) {
	text := Changelog("", "1.0.0", []Change{{Additive, "f: a new function"}})
	text = Changelog(text, "2.0.0", []Change{{Breaking, "f: the function is gone"}})
	text = Changelog(text, "2.0.0", []Change{{Breaking, "f: the function is gone"}, {Additive, "g: a new function"}})
	want := "# Changelog\n\n## 2.0.0\n\n- breaking: f: the function is gone\n- additive: g: a new function\n\n## 1.0.0\n\n- additive: f: a new function\n"
	if text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
