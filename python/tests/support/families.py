"""Makers of native objects, one for each wrapper family: classes, containers, Functions, Errors, Tensors, and so on."""

from __future__ import annotations

from typing import Any, Callable

import origins
import pytest
import selfsame_ffi
from selfsame_ffi.dataclasses import py_class


@py_class("families.Declared")
class Declared(selfsame_ffi.Object):
    """A class whose native type Python declares."""

    __slots__ = ()
    value: Any = None


def _tensor() -> Any:
    numpy = pytest.importorskip("numpy")
    return selfsame_ffi.from_dlpack(numpy.zeros(3))


def module_path() -> Any:
    """Path of a library that is a module. It was loaded once, so that a test does not count what a first load keeps."""
    path = origins.c("module")
    selfsame_ffi.load_module(path, keep_module_alive=False)
    return path


def makers(native: Any) -> dict[str, Callable[[], Any]]:
    """For each family, a function that makes a new native object and returns its wrapper, which is its only owner."""
    path = module_path()
    return {
        "object": lambda: native.Leaf(1),
        "py_class": lambda: Declared(1),
        "c_class": lambda: selfsame_ffi.StructuralKey("a"),
        "Array": lambda: selfsame_ffi.Array([1]),
        "List": lambda: selfsame_ffi.List([1]),
        "Map": lambda: selfsame_ffi.Map({"a": 1}),
        "Dict": lambda: selfsame_ffi.Dict({"a": 1}),
        "closure": lambda: selfsame_ffi.convert(lambda: 1),
        "Function": lambda: selfsame_ffi.get_global_func("ffi.MapForwardIterFunctor")(selfsame_ffi.Map({"a": 1})),
        "Error": lambda: selfsame_ffi.Error("ValueError", "text"),
        "Tensor": _tensor,
        "Module": lambda: selfsame_ffi.load_module(path, keep_module_alive=False),
        "opaque": lambda: selfsame_ffi.opaque(["anything"]),
        "Shape": lambda: selfsame_ffi.Shape((1, 2)),
    }


# All but Shape: that is a tuple, and has the same identity only as long as Python refers to it.
FAMILIES = ["object", "py_class", "c_class", "Array", "List", "Map", "Dict", "closure", "Function"]
FAMILIES += ["Error", "Tensor", "Module", "opaque"]

# The families whose classes can be called from Python, with a function that calls such a class.
CONSTRUCTED: dict[str, Callable[[type], Any]] = {
    "object": lambda cls: cls(1),
    "py_class": lambda cls: cls(1),
    "c_class": lambda cls: cls("a"),
    "Array": lambda cls: cls([1]),
    "List": lambda cls: cls([1]),
    "Map": lambda cls: cls({"a": 1}),
    "Dict": lambda cls: cls({"a": 1}),
    "Error": lambda cls: cls("ValueError", "text"),
}
