"""Measures the bytes that a native object keeps after its wrapper was dropped, from the process's resident memory.

Usage: kept.py

The native objects are short Arrays in an Array, which the conversion of a list makes without wrappers. Then each is
read once, which makes and drops a wrapper.
"""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

import selfsame_ffi

COUNT = 500_000


def resident() -> int:
    """The resident memory of this process in bytes, without free memory of malloc, in which new blocks would hide."""
    ctypes.CDLL(None).malloc_trim(0)
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no Rss in /proc/self/smaps_rollup")


def main() -> None:
    """Prints the bytes per object."""
    lists = [[0]] * COUNT
    natives = selfsame_ffi.Array(lists[:1000])  # allocations that happen once only
    for i in range(1000):
        natives[i]
    gc.collect()
    start = resident()
    natives = selfsame_ffi.Array(lists)
    made = resident()
    for i in range(COUNT):
        natives[i]
    dropped = resident()
    print(f"a native object, never wrapped:       {(made - start) / COUNT:6.1f} bytes")
    print(f"kept by it once wrapped and dropped:  {(dropped - made) / COUNT:6.1f} bytes")


main()
