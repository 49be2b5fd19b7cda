"""Signatures and annotations of functions and members at run time are those that type checkers read."""

# Requirement: D5
# Requirement: D11

import ast
import importlib
import inspect
import pydoc
import subprocess
import sys
import types
import typing
import warnings

import origins
import pytest
import selfsame_ffi
from selfsame_ffi._types.source_declarations import declaration


@pytest.fixture(scope="module", params=["signatures", "goclasses", "inventory", "geo", "shelf"])
def package(request, go_packages):
    folder = origins.wrapped() if request.param == "shelf" else go_packages
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(request.param)
    finally:
        sys.path.remove(str(folder))


def declared(body, path=""):
    """The declared functions with the paths of their names."""
    for node in body:
        if isinstance(node, ast.If):
            yield from declared(node.body, path)
        elif isinstance(node, ast.ClassDef):
            yield from declared(node.body, f"{path}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not any("overload" in ast.unparse(d) for d in node.decorator_list):
            yield path + node.name, node


def callables(package):
    """Each function and member that a package declares for type checkers, with what it is at run time."""
    for path, node in declared(ast.parse(inspect.getsource(package)).body):
        owner = package
        for part in path.split(".")[:-1]:
            owner = getattr(owner, part)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            found = getattr(owner, node.name)
        if isinstance(found, property):
            is_setter = any(ast.unparse(part).endswith(".setter") for part in node.decorator_list)
            path, found = (f"{path} =", found.fset) if is_setter else (path, found.fget)
        if callable(found):
            yield path, node, found


def as_written(node):
    """A declaration as inspect shows it: with annotations as text, and parameters of no known default as dots."""
    for part in ast.walk(node.args):
        if isinstance(part, ast.arg) and part.annotation is not None:
            part.annotation = ast.Constant(ast.unparse(part.annotation))
    result = "" if node.returns is None else f" -> {ast.unparse(node.returns)!r}"
    return f"({ast.unparse(node.args)}){result}"


def without_spaces(text):
    return text.replace(" ", "").replace("datetime.", "_datetime.").replace("__", "_")


def test_every_signature_is_the_declared_one(package):
    pairs = {
        path: (without_spaces(str(inspect.signature(found))), without_spaces(as_written(node)))
        for path, node, found in callables(package)
    }
    assert pairs and {path: pair for path, pair in pairs.items() if pair[0] != pair[1]} == {}


def test_every_annotation_can_be_evaluated(package):
    for path, node, found in callables(package):
        names = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg) and part.annotation is not None}
        if sys.version_info < (3, 10) and isinstance(found, types.FunctionType) and "|" in str(found.__annotations__):
            continue  # 3.9 cannot evaluate `Exception | None` of a property that the module itself has
        assert set(typing.get_type_hints(found)) == names | {"return"}, path


@pytest.mark.skipif(sys.version_info < (3, 10), reason="3.9 cannot evaluate X | Y")
def test_the_annotations_of_every_class_can_be_evaluated(package):
    classes = [
        found
        for found in vars(package).values()
        if isinstance(found, type) and found.__module__.startswith(package.__name__)
    ]
    assert classes
    for cls in classes:
        assert set(cls.__dict__.get("__annotations__", ())) <= set(typing.get_type_hints(cls)), cls


def test_the_signature_of_a_class_is_that_of_its_constructor(go):
    assert str(inspect.signature(go.Link)) == "(name: 'str' = 'link') -> 'None'"
    assert str(inspect.signature(go.Series)) == (
        "(values: '_typing.Sequence[float] | _ffi.SupportsDLPack', counts: '_typing.Mapping[str, int]' = ...) -> 'None'"
    )
    assert str(inspect.signature(go.Counter(1).same)) == "(other: 'Counter') -> 'bool'"
    assert typing.get_type_hints(go.Counter.same) == {"other": go.Counter, "return": bool}
    if sys.version_info >= (3, 10):  # 3.9 cannot evaluate `Link | None` in the body of a class
        assert typing.get_type_hints(go.Link)["name"] is str
    assert typing.get_type_hints(go.divide)["a"] is int
    assert "def tail(self)" in inspect.getsource(go.Link.tail)
    assert "rename(self, name: " in pydoc.plain(pydoc.render_doc(go.Link))


def test_members_that_no_module_declares_show_the_names_that_native_code_registered(native):
    assert typing.get_type_hints(native.Leaf.add) == {}
    assert not hasattr(native.Leaf.add, "__wrapped__")
    assert str(inspect.signature(native.Leaf.add)) == "(self, /, *args)"
    undeclared = selfsame_ffi.get_global_func("ffi.GetKwargsObject")
    assert typing.get_type_hints(undeclared) == {} and not hasattr(undeclared, "__signature__")


UNASKED = """
import sys
sys.path.insert(0, sys.argv[1])
import signatures as go
go.Counter(1).add(2), go.divide(7, 2), go.Link.__doc__
print("selfsame_ffi._types.source_declarations" in sys.modules)
"""


def test_declarations_are_read_when_somebody_asks(go_packages):
    done = subprocess.run([sys.executable, "-c", UNASKED, go_packages], capture_output=True, text=True, timeout=1800)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("file", [None, "/nowhere/at/all.py"])
def test_a_module_without_source_declares_nothing(monkeypatch, file):
    module = types.ModuleType("nowhere")
    module.__file__ = file
    monkeypatch.setitem(sys.modules, "nowhere", module)
    assert declaration(type("Some", (), {"__module__": "nowhere"}), "method") is None
    assert declaration(type("Other", (), {"__module__": "not.imported"}), "method") is None


def test_declarations_of_a_module_of_ones_own(monkeypatch, tmp_path):
    (tmp_path / "own_declarations.py").write_text(
        "from typing import TYPE_CHECKING, overload\n"
        "class Outer:\n"
        "    class Inner:\n"
        "        if TYPE_CHECKING:\n"
        "            def f(self, a: int | None = None, *, b: Outer = ...) -> str | None: ...\n"
        "            @overload\n"
        "            def g(self, a: int) -> int: ...\n"
        "            @overload\n"
        "            def g(self, a: str) -> str: ...\n"
        "            def h(self, a: int = missing) -> int: ...\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import own_declarations

    inner = own_declarations.Outer.Inner
    found = declaration(inner, "f")
    assert found is declaration(inner, "f") and found.__code__.co_firstlineno == 5
    assert str(inspect.signature(found)) == "(self, a: 'int | None' = None, *, b: 'Outer' = Ellipsis) -> 'str | None'"
    assert declaration(inner, "g") is None and declaration(inner, "h") is None and declaration(inner, "i") is None
