package pycalls

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D14

// A package whose modules reach the native functions in all the ways that published packages have.
var sources = map[string]string{
	"__init__.py":      "raise RuntimeError('the sources are read, not run')\n",
	"_ffi_api.py":      "import tvm_ffi\ntvm_ffi.init_ffi_api('geo', __name__)\n",
	"deep/__init__.py": "",
	"deep/cpp.py":      "from tvm_ffi import init_ffi_api\ninit_ffi_api('tvm.geo.deep', 'geo.deep.cpp')\n",
	"base.py":          "from . import _ffi_api as _core\n",
	"points.py": `
from typing import List, Optional, Union
import tvm_ffi
from . import _ffi_api
from .base import _core
from .deep import cpp

@tvm_ffi.register_object("geo.Point")
class Point(tvm_ffi.Object):
    def __init__(self, x: float, label="a"):
        self.__init_handle_by_constructor__(_ffi_api.Point, x, label)

    def moved(self, by: float, parent: "Optional[Point]" = None):
        """Move the point.

        More.
        """
        return _core.moved(self, by, parent)

class Matcher:
    def accept(self, token_id: int, debug: bool = False) -> bool:
        return self._handle.accept(token_id, debug)

def filled(parts: list = None, depth: int = 1):
    if parts is None:
        parts = []
    return _ffi_api.filled(parts, depth)

def nearest(points: List[Point], at, limit: int = -1, exact: bool = True) -> Optional[Point]:
    return _ffi_api.nearest([p._handle for p in points], at._handle, limit, exact)

def scale(x, factors):
    """Scale it.

    Parameters
    ----------
    x : geo.Point or Shape
        What.

    factors : list of float
        By what.

    Returns
    -------
    y : geo.Point
        The result.
    """
    return cpp.scale(x, factors)

def twice(a, b=None):
    cpp.varies(a)
    return cpp.varies(a, b)

def known(name):
    return tvm_ffi.get_global_func("geo.known")(str(name), 3)
`,
}

func TestSourcesNameTheArgumentsOfNativeFunctions(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "geo")
	for name, text := range sources {
		path := filepath.Join(folder, name)
		testenv.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testenv.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	calls := testenv.Value(Read(t.Context(), "python3", []string{folder}))(t)
	any, number, text, flag := model.Schema{Type: "Any"}, model.Schema{Type: "int"}, model.Schema{Type: "ffi.String"}, model.Schema{Type: "bool"}
	object, point := model.Schema{Type: "ffi.Object"}, model.Schema{Type: "geo.Point"}
	typed := func(name string, args ...model.Schema) model.Function {
		return model.Function{Name: name, Typed: true, Result: any, Args: args}
	}
	lib := &model.Library{
		Classes: []model.Class{{Key: "geo.Point"}, {Key: "geo.impl.Matcher", Methods: []model.Function{typed("accept", number, flag)}}},
		Functions: []model.Function{
			typed("geo.Point", any, text), typed("geo.moved", object, any, point), typed("geo.nearest", any, any, number, flag), {Name: "geo.deep.scale"},
			typed("geo.filled", any, any), {Name: "geo.deep.varies"}, typed("geo.known", text, number), typed("geo.unknown", number),
		},
	}
	calls.Apply(lib)
	got := map[string]string{}
	for f := range lib.Callables() {
		got[f.Name] = fmt.Sprintf("%v %v %v %v %v %s", f.ArgNames, f.Args, f.Result, f.ArgDefaults, f.Typed, f.Doc)
	}
	for name, want := range map[string]string{
		"geo.Point":       "[x label] [float str] Any [\"a\"] true ",
		"geo.moved":       "[point by parent] [geo.Point float Optional[geo.Point]] Any [None] true Move the point.",
		"geo.nearest":     "[points at limit exact] [Array[geo.Point] Any int bool] Optional[geo.Point] [-1 True] true ",
		"geo.filled":      "[parts depth] [Array int] Any [1] true ",
		"accept":          "[token_id debug] [int bool] bool [False] true ",
		"geo.deep.scale":  "[x factors] [Object Array[float]] geo.Point [] true Scale it.",
		"geo.deep.varies": "[] [] Any [] false ",
		"geo.known":       "[name ] [str int] Any [] true ",
		"geo.unknown":     "[] [int] Any [] true ",
	} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
}

func TestAPackageThatIsNotThereIsNamed(t *testing.T) {
	if _, err := Read(t.Context(), "python3", []string{"there_is_none"}); err == nil || err.Error() != "there_is_none: there is no Python package there_is_none" {
		t.Error(err)
	}
}
