package pypackage

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func text(t *testing.T, m Module) string {
	t.Helper()
	m.Name, m.Library, m.Prefixes, m.Runtime = "desk", "_desk.so", []string{"desk"}, Selfsame
	made := testenv.Value(m.Write())(t)
	return made
}

func expect(t *testing.T, made string, lines ...string) {
	t.Helper()
	testenv.Contains(t, made, lines...)
}

// The methods of an interface that Python gives to Go have the arguments that Go passes, and callbacks the types of both sides.
func TestInterfacesOfPythonHaveTheMethodsThatGoCalls(t *testing.T) {
	str, integer := model.Schema{Type: "ffi.String"}, model.Schema{Type: "int"}
	iface := func(key string) model.Schema {
		return model.Schema{Type: "go.Interface", Args: []model.Schema{{Type: key}}}
	}
	callback := model.Schema{Type: "ffi.Function", Args: []model.Schema{{Type: "None"}, str}}
	ask := model.Function{
		Name: "ask", Typed: true, Result: integer, Args: []model.Schema{str, callback}, ArgNames: []string{"text", "answer"}, Keywords: true,
		ArgDefaults: []string{"None"}, ByName: []model.Field{{Name: "ctx", Type: str, Default: "None"}},
	}
	made := text(t, Module{Content: model.Library{
		Classes: []model.Class{
			{Key: "desk.Given", Init: &model.Function{Typed: true}, Methods: []model.Function{ask}},
			{Key: "desk.Inner", Init: &model.Function{Typed: true}, Methods: []model.Function{ask}},
			{Key: "desk.Gotten", Init: &model.Function{Typed: true}, Methods: []model.Function{ask}},
		},
		Functions: []model.Function{
			{Name: "desk.take", Typed: true, Result: iface("desk.Gotten"), Args: []model.Schema{iface("desk.Given"), callback}, ArgNames: []string{"g", "f"}},
			{
				Name: "desk.make", Typed: true, Result: callback, ArgNames: []string{"f"},
				Args: []model.Schema{{Type: "ffi.Function", Args: []model.Schema{iface("desk.Inner"), str}}},
			},
			{
				Name: "desk.rest", Typed: true, Result: model.Schema{Type: "None"}, ArgNames: []string{"f"},
				Args: []model.Schema{{Type: "ffi.Function", Args: []model.Schema{integer, str}, Variadic: true}},
			},
		},
	}})
	if n := strings.Count(made, "def ask(self, text: str, answer: _typing.Callable[[str], None], /) -> int:"); n != 2 {
		t.Errorf("%d interfaces are those of Python in\n%s", n, made)
	}
	expect(t, made,
		"def ask(self, text: str, answer: _typing.Callable[[str], object] | None = None, *, ctx: str | None = None) -> int:",
		"def take(g: Given | None, f: _typing.Callable[[str], object]) -> Gotten:",
		"def make(f: _typing.Callable[[str], Inner | None]) -> _typing.Callable[[str], None]:",
		"def rest(f: _typing.Callable[..., int]) -> None:")
}

func TestPackageVariablesAreAttributesOfTheModule(t *testing.T) {
	integer := model.Schema{Type: "int"}
	made := text(t, Module{Content: model.Library{Functions: []model.Function{
		{Name: "desk.limit", Typed: true, Result: integer, Property: "limit", Doc: "How many."},
		{Name: "desk.limit.set", Typed: true, Result: model.Schema{Type: "None"}, Args: []model.Schema{integer}, Property: "limit"},
		{Name: "desk.fixed", Typed: true, Result: integer, Property: "fixed"},
	}}})
	expect(t, made, "    limit: int\n    \"\"\"How many.\"\"\"\n", "\"limit\": (\"desk.limit\", \"desk.limit.set\", \"\"),", "\"fixed\": (\"desk.fixed\", None, \"\"),",
		"__all__ = [\n    \"fixed\",\n    \"limit\",\n]")
	if strings.Contains(made, "def limit") {
		t.Errorf("limit is a function too:\n%s", made)
	}
}

func TestForeignTypesArePrivateNamesOfThePackage(t *testing.T) {
	made := text(t, Module{
		Content: model.Library{
			Classes: []model.Class{{Key: "desk.net_url.URL"}, {Key: "desk.net_url.URLs"}, {Key: "desk.other.Thing"}},
			Functions: []model.Function{{
				Name: "desk.open", Typed: true, Result: model.Schema{Type: "desk.net_url.URL"}, Records: []model.Record{{Key: "net_url.Part"}, {Key: "sql.Stats"}},
				Args: []model.Schema{{Type: "ffi.Bytes"}}, ArgNames: []string{"of"},
			}},
		},
		Extras: []Extra{{Module: "_foreign", Names: []string{"net_url", "bytes"}}, {Module: "_submodules", Names: []string{"sql"}}},
	})
	expect(t, made, "class _net_url_URL(_ffi.Object):", "__module__, __qualname__ = f\"{__name__}.net_url\", \"URL\"", "class other_Thing(",
		"def open(of: _builtins.bytes) -> _net_url_URL:", "Functions:\n\n    open(of: bytes) -> net_url.URL\n", "_net_url_Part.__module__, _net_url_Part.__name__, _net_url_Part.__qualname__ = f\"{__name__}.net_url\",", "class Stats:", "__all__ = [\n    \"Stats\",\n    \"bytes\",\n    \"net_url\",\n    \"open\",\n    \"other_Thing\",\n    \"sql\",\n]")
}
