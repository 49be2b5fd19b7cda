"""One maker per wrapper family: objects of classes, containers, Functions, Errors, Tensors, Modules, opaque values."""

from __future__ import annotations

from typing import Any, Callable

import origins
import pytest
import selfsame


def _tensor() -> Any:
    numpy = pytest.importorskip("numpy")
    return selfsame.from_dlpack(numpy.zeros(3))


def module_path() -> Any:
    """A library that is a module, loaded once: what a first load keeps is not a test's."""
    path = origins.c("module")
    selfsame.load_module(path, keep_module_alive=False)
    return path


def makers(native: Any) -> dict[str, Callable[[], Any]]:
    """By family: makes a new native, which nobody has seen before. Its wrapper is its only owner."""
    path = module_path()
    return {
        "object": lambda: native.Leaf(1),
        "Array": lambda: selfsame.Array([1]),
        "List": lambda: selfsame.List([1]),
        "Map": lambda: selfsame.Map({"a": 1}),
        "Dict": lambda: selfsame.Dict({"a": 1}),
        "closure": lambda: selfsame.convert(lambda: 1),
        "Function": lambda: selfsame.get_global_func("ffi.MapForwardIterFunctor")(selfsame.Map({"a": 1})),
        "Error": lambda: selfsame.Error("ValueError", "text"),
        "Tensor": _tensor,
        "Module": lambda: selfsame.load_module(path, keep_module_alive=False),
        "opaque": lambda: selfsame.opaque(["anything"]),
        "Shape": lambda: selfsame.Shape((1, 2)),
    }


# Without Shape: that is a tuple, and a tuple is a value, the same while it is held.
FAMILIES = ["object", "Array", "List", "Map", "Dict", "closure", "Function", "Error", "Tensor", "Module", "opaque"]

# Those whose class has a constructor that Python can call.
CONSTRUCTED: dict[str, Callable[[type], Any]] = {
    "object": lambda cls: cls(1),
    "Array": lambda cls: cls([1]),
    "List": lambda cls: cls([1]),
    "Map": lambda cls: cls({"a": 1}),
    "Dict": lambda cls: cls({"a": 1}),
    "Error": lambda cls: cls("ValueError", "text"),
}
