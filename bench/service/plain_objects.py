"""The classes of examples/geo and examples/inventory that the service uses, in Python alone."""

from __future__ import annotations

import math
from typing import Callable


class Order:
    def __init__(self, x: float, y: float) -> None:
        self.x, self.y, self.next = x, y, None

    def norm(self) -> float:
        return math.hypot(self.x, self.y)


def nearest(points: list[Order]) -> Order:
    return min(points, key=Order.norm)


class Item:
    def __init__(self, name: str, price: float) -> None:
        self.name, self.price, self.tags = name, price, []


class Store:
    def __init__(self) -> None:
        self.items, self.by_name = [], {}

    def add(self, item: Item) -> None:
        self.items.append(item)
        self.by_name[item.name] = item

    def total(self, discount: Callable[[float], float]) -> float:
        return sum(discount(item.price) for item in self.items)

    def cheapest(self, count: int) -> list[Item]:
        return sorted(self.items, key=lambda item: item.price)[:count]
