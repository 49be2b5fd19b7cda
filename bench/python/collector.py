"""Processor time of a full collection over a graph of native objects, beside the same graph of pure Python objects.

Usage: collector.py

Prints ratios, for a graph that is in use and for one that became garbage. Below 1, native objects are faster.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests" / "support"))

import native_build  # noqa: E402
import selfsame_ffi  # noqa: E402

COUNT = 100_000
ROUNDS = 5


class Plain:
    """The pure Python object that native objects are compared with."""

    def __init__(self):
        self.x = None
        self.any = None


def chain(make):
    """A chain in which each object owns the next; Python refers to the first only."""
    root = node = make()
    for _ in range(COUNT - 1):
        node.x = make()
        node = node.x
    return root


def listed(make):
    """A chain whose objects are also in a Python list."""
    nodes = [make() for _ in range(COUNT)]
    for one, other in zip(nodes, nodes[1:]):
        one.x = other
    return nodes


def tree(make):
    """A tree with lists of children and links to the parents, so that every object has several owners."""
    nodes = [make() for _ in range(COUNT)]
    for i in range(1, COUNT):
        nodes[i].x = nodes[(i - 1) // 2]
    for i in range((COUNT - 1) // 2):
        nodes[i].any = [nodes[2 * i + 1], nodes[2 * i + 2]]
    return nodes[0]


def collect() -> float:
    start = time.thread_time()
    gc.collect()
    return time.thread_time() - start


def measure(shape, make) -> tuple[float, float]:
    """Seconds of a collection with the graph in use, and of one that frees it: the median of ROUNDS each.

    Not the fastest: memory that earlier graphs left in another order would show in later rounds alone.
    """
    used, freed = [], []
    for _ in range(ROUNDS):
        graph = shape(make)
        gc.collect()
        used.append(min(collect() for _ in range(3)))
        del graph
        freed.append(collect())
    return statistics.median(used), statistics.median(freed)


def main() -> None:
    """Prints the table."""
    sys.setrecursionlimit(10 * COUNT)
    selfsame_ffi.load_extension(native_build.build())
    lean = selfsame_ffi.register_object("sst.Plain")(type("Lean", (selfsame_ffi.Object,), {"__slots__": ()}))
    stateful = type("Stateful", (lean,), {})
    gc.disable()
    print(f"{'graph':<12}{'in use':>24}{'freed':>24}")
    print(f"{'':<12}{'lean':>12}{'stateful':>12}{'lean':>12}{'stateful':>12}")
    for shape in (chain, listed, tree):
        base = measure(shape, Plain)
        ratios = [measure(shape, make) for make in (lean, stateful)]
        cells = [ratio[column] / base[column] for column in (0, 1) for ratio in ratios]
        print(f"{shape.__name__:<12}" + "".join(f"{cell:>12.1f}" for cell in cells))


main()
