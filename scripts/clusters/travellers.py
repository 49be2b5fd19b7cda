"""The code that the tests of clusters run on the workers, which import it, as they import the Go packages."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import geo
import search
from selfsame_ffi import _core

in_place: list[bool] = []  # for each buffer of a pickle that this process read: whether a Tensor uses it without a copy
_tensor_over = _core.tensor_over


def _recording(*args: Any) -> Any:
    made = _tensor_over(*args)
    in_place.append(made is not None)
    return made


_core.tensor_over = _recording


class Named(geo.Point):
    """A Python subclass of a Go class, with attributes."""

    def __init__(self, name: str) -> None:
        self.__ffi_init__(1.0, 2.0)
        self.name = name

    def shout(self) -> str:
        return self.name.upper()


class Shard:
    """An actor with an index."""

    def __init__(self, path: str = "") -> None:
        self.index = search.Index(path)

    def add(self, documents: dict[str, Any]) -> int:
        return self.index.add(documents.items())

    def search(self, query: str) -> list[search.Hit]:
        return self.index.search(query)


def look(points: list[Any]) -> dict[str, Any]:
    """The list [p, q, p] as a worker sees it, where p.next is q."""
    first, second, third = points
    return {
        "process": os.getpid(),
        "same": first is third and first.next is second,
        "norm": first.norm(),
        "class": type(first) is geo.Point,
    }


@dataclasses.dataclass
class Box:
    """A result that is one message: of a list, tuple or dict that is the whole result, Dask sends each item."""

    value: Any


def boxed(value: Any) -> Box:
    return Box(value)


def same(value: Any) -> Any:
    return value


def memory_of(message: list[Any]) -> tuple[float, int, list[bool]]:
    """The sum of a Tensor of float64, its address modulo 8, and which buffers were used in place in this message.

    The Tensor comes second, behind something of this module, so that the module is there when it is read.
    """
    tensor = message[1]
    used = in_place[:]
    in_place.clear()
    return float(tensor.numpy().sum()), tensor.data_ptr() % 8, used
