"""The members of native classes that a module declares for type checkers, read from the module's source."""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
import textwrap
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType, ModuleType

    _Key = tuple[str, str]  # a class's qualified name, a member's name

_FUTURE = __future__.annotations.compiler_flag


class _Declared:
    """Where the members that a module declares stand in its source, and the functions made of them so far."""

    def __init__(self, module: ModuleType) -> None:
        self.file = getattr(module, "__file__", None) or "<declarations>"
        self.namespace = vars(module)
        self.places: dict[_Key, tuple[int, int]] = {}
        self.made: dict[_Key, FunctionType | None] = {}
        try:
            source = inspect.getsource(module)
            tree = ast.parse(source)
        except (OSError, TypeError, SyntaxError):  # no source, no file, or a file that changed since the import
            source, tree = "", ast.Module([], [])
        self.lines = source.splitlines()
        for key, node in _definitions(tree.body, ""):
            self.places[key] = (node.lineno, node.end_lineno or node.lineno)

    def function(self, key: _Key, shown: str) -> FunctionType | None:
        """Return the function for a member; `shown` is the name of the class for users."""
        if key in self.places and key not in self.made:
            self.made[key] = self._make(key, shown)
        return self.made.get(key)

    def _make(self, key: _Key, shown: str) -> FunctionType | None:
        first, last = self.places[key]
        tree = ast.parse(textwrap.dedent("\n".join(self.lines[first - 1 : last])))
        definition = tree.body[0]
        if not isinstance(definition, ast.FunctionDef):
            return None
        ast.increment_lineno(tree, first - 1)
        found: dict[str, Any] = {}
        try:
            exec(compile(tree, self.file, "exec", _FUTURE, True), self.namespace, found)
        except Exception:  # a default names what only type checkers import
            return None
        made: FunctionType = found[definition.name]
        made.__qualname__ = f"{shown}.{definition.name}"
        return made


def _definitions(body: list[ast.stmt], path: str) -> Iterator[tuple[_Key, ast.FunctionDef]]:
    """The functions in classes. The setter of a property is ``set_NAME``, as its method is; overloads are left out."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _definitions(node.body, path)
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{path}.{node.name}" if path else node.name)
        elif isinstance(node, ast.FunctionDef) and path:
            roles = {ast.unparse(part).rpartition(".")[2] for part in node.decorator_list}
            if "overload" not in roles:
                yield (path, f"set_{node.name}" if "setter" in roles else node.name), node


_modules: weakref.WeakKeyDictionary[ModuleType, _Declared] = weakref.WeakKeyDictionary()


def declaration(cls: type, member: str) -> FunctionType | None:
    """Return the declaration of a member of a class as a Python function; None when its module declares none.

    Nobody calls the function. Its globals are the module's, so that its annotations can be evaluated.
    """
    package, _, submodule = cls.__module__.rpartition(".")
    # A class of another Go package stands in the module of the wrapped one, under a private name.
    for name, path in ((cls.__module__, cls.__qualname__), (package, f"_{submodule}_{cls.__qualname__}")):
        module = sys.modules.get(name)
        if module is None:
            continue
        declared = _modules.get(module)
        if declared is None:
            declared = _modules[module] = _Declared(module)
        found = declared.function((path, member), cls.__qualname__)
        if found is not None:
            return found
    return None


def annotations_of(declared: FunctionType) -> dict[str, Any]:
    """Return the annotations of a declaration as this Python can evaluate them: 3.9 has no ``|`` between types."""
    if sys.version_info < (3, 10):
        return {name: _without_bars(text) for name, text in declared.__annotations__.items()}
    return dict(declared.__annotations__)


def _without_bars(text: str) -> str:
    return ast.unparse(_Unions().visit(ast.parse(text, mode="eval"))) if "|" in text else text


class _Unions(ast.NodeTransformer):
    """Spells ``X | Y`` as a Union."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.BitOr):
            return node
        union = ast.parse("__import__('typing').Union", mode="eval").body
        return ast.Subscript(union, ast.Tuple([node.left, node.right], ast.Load()), ast.Load())
