"""Writes the graph of a small shop, for the browser tests and the pictures in docs.

Usage: example_graph.py FILE.json
"""

from __future__ import annotations

import sys

import selfsame_ffi
from selfsame_ffi import dataclasses, debug


@dataclasses.py_class("shop.Item")
class Item(dataclasses.Object):
    name: str
    price: float


@dataclasses.py_class("shop.Order")
class Order(dataclasses.Object):
    number: int
    items: selfsame_ffi.Array


def main() -> None:
    items = [Item(f"thing{n}", 1.5 * n) for n in range(10_000)]
    shop = selfsame_ffi.Dict({"stock": selfsame_ffi.Array(items), "total": 42})
    shop["orders"] = selfsame_ffi.List([Order(n, selfsame_ffi.Array(items[n : n + 3])) for n in range(3)])
    shop["on change"] = lambda: shop
    shop["self"] = selfsame_ffi.List([shop])
    shown = items[1]
    del items
    graph = debug.graph(shop, shown)
    graph.save(sys.argv[1])
    shop.clear()


if __name__ == "__main__":
    main()
