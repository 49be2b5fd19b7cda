"""The work of one request, with objects of Go or with objects of Python alone, as SERVICE_OBJECTS says (go, python).

A request makes thirteen objects with links, lists, a dict, an attribute of Python's own and callbacks, and drops them.
"""

from __future__ import annotations

import os

if os.environ.get("SERVICE_OBJECTS", "go") == "go":
    from geo import Point, nearest
    from inventory import Item, Store

    class Order(Point):
        """A class of Go with state of Python's own."""
else:
    from plain_objects import Item, Order, Store, nearest

CATALOG = Store()
for number in range(50):
    CATALOG.add(Item(f"item{number}", float(number)))


def work(k: int) -> dict:
    """The answer to request k."""
    points = [Order(float(i), float(k % 7)) for i in range(1, 8)]
    for point, following in zip(points, points[1:]):
        point.next = following
    points[0].tag = f"k{k}"
    near = nearest(points)
    if near is not points[0] or near.tag != f"k{k}":
        raise AssertionError(f"request {k}: nearest returned another object than the first point")
    store = Store()
    for i in range(5):
        item = Item(f"o{i}", float(k % 13 + i))
        item.tags.append("x")
        store.add(item)
    return {
        "k": k,
        "near": near.x,
        "total": store.total(lambda price: price * 1.2),
        "cheap": [item.name for item in CATALOG.cheapest(3)],
        "count": len(store.items),
        "norm": points[3].norm(),
    }
