"""Loops whose memory must stay flat: Go keeps nothing of what passes through it. Used by test_go_memory.py and soak.py.

Usage: go_memory.py FOLDER LOOP COUNT     FOLDER has the packages geo and inventory; prints two numbers of bytes

The numbers are the resident memory after the first hundred calls and the largest one after that.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Callable


def resident() -> int:
    """Bytes of memory that this process has resident."""
    if sys.platform == "win32":
        import ctypes

        counters = (ctypes.c_size_t * 9)(72)  # PROCESS_MEMORY_COUNTERS: two numbers of 32 bits, then sizes
        here = ctypes.c_void_p(ctypes.windll.kernel32.GetCurrentProcess())
        if not ctypes.windll.kernel32.K32GetProcessMemoryInfo(here, counters, 72):
            raise ctypes.WinError()
        return counters[2]
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS in /proc/self/status")


def arrays() -> Callable[[], object]:
    """An array of 8 MB is lent to a Go function."""
    import inventory
    import numpy

    source = numpy.ones(1_000_000)
    return lambda: inventory.mean(source.copy())


def pictures() -> Callable[[], object]:
    """Go makes a tensor of 0.36 MB over a slice of its own, and Python drops it."""
    import inventory

    return lambda: inventory.Item("cup").draw(600, 600)


def objects() -> Callable[[], object]:
    """Two objects are lent to a Go function that returns one of them."""
    import geo

    far = geo.Point(9.0, 9.0)
    return lambda: geo.nearest([geo.Point(0.0, 0.0), far])


def kept() -> Callable[[], object]:
    """Go keeps an object for a while and drops it."""
    import signatures

    count = 0

    def step() -> None:
        nonlocal count
        signatures.keep_beads([signatures.Bead(count, None)])
        count += 1
        if count % 100 == 0:
            signatures.drop_beads()

    return step


def exceptions() -> Callable[[], object]:
    """A callback raises, and Go hands the error on. Each exception keeps its frame, which has 100 kB."""
    import inventory

    store = inventory.Store()
    store.add(inventory.Item("cup"))

    def fail(price: float) -> float:
        text = bytearray(100_000)
        raise ValueError(len(text))

    def step() -> None:
        try:
            store.total(fail)
        except ValueError:
            pass

    return step


LOOPS = {loop.__name__: loop for loop in (arrays, pictures, objects, kept, exceptions)}


def run(loop: str, count: int) -> tuple[int, int]:
    """Resident bytes after a hundred calls, and the most after any later call."""
    step = LOOPS[loop]()
    for _ in range(100):
        step()
    first = most = resident()
    often = max(1, count // 500)
    for number in range(count):
        step()
        if number % often == 0:
            most = max(most, resident())
    return first, max(most, resident())


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    gc.collect()
    print(*run(sys.argv[2], int(float(sys.argv[3]))))
