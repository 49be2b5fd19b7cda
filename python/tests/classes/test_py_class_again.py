"""Classes and functions that their module defines again, as when a cell of a notebook runs again."""

import itertools
import sys
import types

import pytest
from selfsame_ffi import get_global_func, structural_equal
from selfsame_ffi.core import _lookup_or_register_type_info_from_type_key

# Requirement: F2

_numbers = itertools.count()

HEAD = """
from selfsame_ffi import Object, method, register_global_func
from selfsame_ffi.dataclasses import field, py_class
"""


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: a native type and its Functions live as long as the process."""


@pytest.fixture
def cell(monkeypatch):
    """Runs a cell in a module of its own, and returns the module."""
    module = types.ModuleType(f"notebook{next(_numbers)}")
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def run(text):
        exec(compile(HEAD + text, "<cell>", "exec"), module.__dict__)
        return module

    return run


def native_method(obj, name):
    info = _lookup_or_register_type_info_from_type_key(type(obj).__tvm_ffi_type_info__.type_key)
    return next(one.func for one in info.methods if one.name == name)


POINT = """
@py_class
class Point(Object):
    x: int
    y: list[int] = field(default_factory=list)
    name: str = "a"

    @method
    def total(self) -> int:
        return self.x + len(self.y)
"""


def test_a_cell_with_a_class_runs_again(cell):
    old = cell(POINT).Point
    kept = old(3, [1])
    new = cell(POINT).Point
    assert new is not old and new.__tvm_ffi_type_info__.type_index == old.__tvm_ffi_type_info__.type_index
    made = new(1, [2])
    assert (type(made), made.total(), list(made.y), kept.total(), type(kept)) == (new, 2, [2], 4, old)


def test_methods_defaults_and_options_are_those_of_the_last_run(cell):
    old = cell(POINT).Point(1)
    changed = (
        POINT.replace('"a"', '"a longer name than before"')
        .replace("=list)", "=lambda: [7, 8])")
        .replace("self.x +", "10 *")
    )
    module = cell(
        changed.replace("name: str =", "name: str = field(repr=False, default=").replace('before"', 'before")')
    )
    point = module.Point(1)
    assert (point.name, list(point.y), point.total()) == ("a longer name than before", [7, 8], 20)
    assert "name" not in repr(point) and old.name == "a"
    assert native_method(point, "total")(point) == 20
    made = get_global_func("ffi.MakeObjectFromPackedArgs")(point.__tvm_ffi_type_info__.type_index, "x", 5)
    assert (made.name, list(made.y), type(made)) == ("a longer name than before", [7, 8], module.Point)


def test_a_method_that_is_gone_is_gone(cell):
    old = cell(POINT).Point(1)
    total = native_method(old, "total")
    module = cell(
        POINT[: POINT.index("    @method")] + "    @method\n    def count(self) -> int:\n        return len(self.y)\n"
    )
    point = module.Point(1, [2])
    assert point.count() == 1 and not hasattr(point, "total") and total(old) == 1
    assert [one.name for one in module.Point.__tvm_ffi_type_info__.methods if one.name in ("total", "count")] == [
        "count"
    ]
    cell(POINT)
    assert module.Point(2).total() == 2


def test_type_attributes_are_those_of_the_last_run(cell):
    body = "@py_class\nclass Node(Object):\n    x: int\n"
    equal = "    def __s_equal__(self, other, eq): return True\n    def __s_hash__(self, init, h): return init\n"
    module = cell(body + equal)
    assert structural_equal(module.Node(1), module.Node(2))
    cell(body)
    assert not structural_equal(module.Node(1), module.Node(2))
    cell(body + equal)
    assert structural_equal(module.Node(1), module.Node(2))


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        ("x: int", "x: float", "the field 'x' was int and is float now"),
        ("x: int", "x: int\n    z: int = 0", "the field 'z' is new"),
        ("    x: int\n", "", "the field 'x' is gone"),
        ("@py_class\n", "@py_class(structural_eq='dag')\n", "structural_eq was 'tree' and is 'dag' now"),
        ("Point(Object)", "Point(Base)", "its base was ffi.Object and is"),
    ],
)
def test_another_layout_is_refused_with_what_differs(cell, before, after, difference):
    module = cell(POINT + "@py_class\nclass Base(Object):\n    b: int\n")
    old = module.Point
    with pytest.raises(
        ValueError, match=f"Point is declared again with another layout: {difference}.*restart the kernel"
    ):
        cell(POINT.replace(before, after))
    assert module.Point is old and old(2, [1]).total() == 3
    assert cell(POINT).Point(2).total() == 2


def test_classes_that_derive_from_one_before_go_on(cell):
    more = "@py_class\nclass Child(Point):\n    z: int = 1\n"
    module = cell(POINT + more)
    child = module.Child
    cell(POINT)
    assert child(1, [1], "n", 2).total() == 2 and not issubclass(child, module.Point)
    cell(more)
    assert issubclass(module.Child, module.Point) and module.Child(1).z == 1


def test_a_class_that_still_waits_for_a_name_is_declared_again(cell):
    waits = "@py_class\nclass Tree(Object):\n    leaf: 'LaterLeaf'\n"
    cell(waits)
    module = cell(waits)
    cell("@py_class\nclass LaterLeaf(Object):\n    x: int\n")
    assert module.Tree(module.LaterLeaf(3)).leaf.x == 3


def test_another_class_does_not_take_the_key(cell):
    cell("@py_class('again.Key')\nclass A(Object):\n    x: int\n")
    with pytest.raises(ValueError, match="already registered"):
        cell("@py_class('again.Key')\nclass B(Object):\n    x: int\n")


def test_a_cell_with_a_global_function_runs_again(cell):
    name = f"again.f{next(_numbers)}"
    text = f"@register_global_func({name!r})\ndef f(x):\n    return x + 1\n"
    cell(text)
    cell(text.replace("+ 1", "+ 2"))
    assert get_global_func(name)(1) == 3
    for other in (text.replace("def f", "def g"), f"register_global_func({name!r}, lambda x: x)"):
        with pytest.raises(RuntimeError, match="already registered"):
            cell(other)
    with pytest.raises(RuntimeError, match="already registered"):
        cell(f"def make():\n    {text.splitlines()[0]}\n    def f(x): pass\nmake()")
    assert get_global_func(name)(1) == 3
