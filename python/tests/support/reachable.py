"""Reachability, for the tests' models of object graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Callable


def reachable(roots: Iterable[int], referred: Callable[[int], Iterable[int]]) -> set[int]:
    """The roots and all that they lead to; `referred` gives the names that an object refers to."""
    seen: set[int] = set()
    queue = [*roots]
    while queue:
        name = queue.pop()
        if name not in seen:
            seen.add(name)
            queue.extend(referred(name))
    return seen
