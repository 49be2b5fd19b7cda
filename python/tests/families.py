"""One maker per wrapper family: objects of classes, containers, Functions, Errors, Tensors, Modules, opaque values."""

from __future__ import annotations

from typing import Any, Callable

import origins
import pytest
import selfsame_ffi


def _tensor() -> Any:
    numpy = pytest.importorskip("numpy")
    return selfsame_ffi.from_dlpack(numpy.zeros(3))


def module_path() -> Any:
    """A library that is a module, loaded once: what a first load keeps is not a test's."""
    path = origins.c("module")
    selfsame_ffi.load_module(path, keep_module_alive=False)
    return path


def makers(native: Any) -> dict[str, Callable[[], Any]]:
    """By family: makes a new native, which nobody has seen before. Its wrapper is its only owner."""
    path = module_path()
    return {
        "object": lambda: native.Leaf(1),
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
