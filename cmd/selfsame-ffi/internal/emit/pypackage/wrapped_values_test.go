package pypackage

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// written returns the module of a wrapped package with one class.
func written(t *testing.T, c model.Class) string {
	t.Helper()
	c.Parent, c.Operators = "ffi.Object", append(c.Operators, "wrapped")
	m := &Module{
		Name: "shop", ImportPath: "example.com/shop", Library: "_shop.so", Prefixes: []string{"shop"}, Runtime: Selfsame,
		Content: model.Library{Classes: []model.Class{c}},
	}
	text := testenv.Value(m.Write())(t)
	return text
}

func TestATypeOfConstantsIsAnEnum(t *testing.T) {
	str := model.Schema{Type: "ffi.String"}
	text := written(t, model.Class{
		Key: "shop.Kind", Doc: "A kind.", Init: &model.Function{Name: "__ffi_init__", Typed: true},
		Enum: &model.Enum{Base: "GoIntEnum", Members: []model.Constant{{Name: "NOVEL", Value: "0", Doc: "a story"}, {Name: "MANUAL", Value: "1"}}},
		Methods: []model.Function{
			{Name: "louder", Typed: true, Result: str}, {Name: "__str__", Typed: true, Result: str}, {Name: "__or__", Typed: true, Result: str, Args: []model.Schema{str}},
		},
	})
	want := "@_ffi.constants(\"shop.Kind\")\nclass Kind(_ffi.GoIntEnum):\n    \"\"\"A kind.\"\"\"\n\n    NOVEL = 0\n    \"\"\"a story\"\"\"\n    MANUAL = 1\n"
	if !strings.Contains(text, want) || !strings.Contains(text, "def louder(self) -> str: ...") {
		t.Errorf("no %q in\n%s", want, text)
	}
	for _, part := range []string{"__slots__", "__init__(", "__or__"} {
		if strings.Contains(text, part) {
			t.Errorf("the enum has %q:\n%s", part, text)
		}
	}
}

func TestClassesSayWhatTheyAreOfCollections(t *testing.T) {
	str, number := model.Schema{Type: "ffi.String"}, model.Schema{Type: "int"}
	loop := model.Function{Name: "__iter__", Typed: true, Result: model.Schema{Type: "go.Iterator", Args: []model.Schema{str}}}
	get := model.Function{Name: "__getitem__", Typed: true, Result: number, Args: []model.Schema{str}, ArgNames: []string{"key"}}
	for abstract, want := range map[string]string{
		"MutableMapping": "class Box(_ffi.Object, _typing.MutableMapping[str, int]):", "Set": "class Box(_ffi.Object, _typing.AbstractSet[str]):",
		"Iterator": "class Box(_ffi.Object, _typing.Iterator[str]):",
	} {
		text := written(t, model.Class{Key: "shop.Box", Abstract: abstract, Methods: []model.Function{loop, get}})
		if !strings.Contains(text, want) || strings.Contains(text, "async def __anext__(self) -> str: ...") != (abstract == "Iterator") {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The text of a base is evaluated when the class is made.
func TestABaseMentionsAClassThatFollowsAsText(t *testing.T) {
	m := &Module{
		Name: "shop", ImportPath: "example.com/shop", Library: "_shop.so", Prefixes: []string{"shop"}, Runtime: Selfsame,
		Content: model.Library{Classes: []model.Class{
			{Key: "shop.Box", Parent: "ffi.Object", Items: &model.Schema{Type: "go.Sequence", Args: []model.Schema{{Type: "shop.Cup"}}}},
			{Key: "shop.Cup", Parent: "ffi.Object"},
			{Key: "shop.Row", Parent: "ffi.Object", Items: &model.Schema{Type: "go.Mapping", Args: []model.Schema{{Type: "int"}, {Type: "shop.Cup"}}}},
		}},
	}
	text, err := m.Write()
	if err != nil || !strings.Contains(text, "class Box(_ffi.GoSequence[\"Cup\"]):") || !strings.Contains(text, "class Row(_ffi.GoMapping[int, Cup]):") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestTheConstructorOfASliceTakesItsElementsOrOneIterableOfThem(t *testing.T) {
	words := model.Schema{Type: "ffi.Array", Args: []model.Schema{{Type: "ffi.String"}}}
	init := model.Function{Typed: true, Variadic: true, Keywords: true, Args: []model.Schema{words}, ArgNames: []string{"value"}}
	text := written(t, model.Class{
		Key: "shop.Words", Items: &model.Schema{Type: "go.Sequence", Args: []model.Schema{{Type: "ffi.String"}}}, Init: &init,
	})
	if want := "def __init__(self, *value: str | _typing.Iterable[str]) -> None"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestANumberTypeTakesAnIntOnEitherSide(t *testing.T) {
	own := model.Schema{Type: "shop.Amount"}
	text := written(t, model.Class{Key: "shop.Amount", Methods: []model.Function{
		{Name: "__go_from_int__", Static: true, Typed: true, Result: own, Args: []model.Schema{{Type: "int"}}},
		{Name: "__add__", Typed: true, Result: own, Args: []model.Schema{own}},
	}})
	testenv.Contains(t, text, "def __add__(self, other: Amount | int, /) -> Amount: ...", "def __radd__(self, other: int, /) -> Amount: ...")
}
