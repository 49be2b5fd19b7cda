"""Bytes that a native keeps once it was wrapped and the wrapper dropped, as the process's memory shows them.

The natives are short Arrays in an Array, made by its conversion and never wrapped; then each is read once.
"""

from __future__ import annotations

import gc
from pathlib import Path

import selfsame_ffi

COUNT = 500_000


def resident() -> int:
    """Bytes of this process that are in memory."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no Rss in /proc/self/smaps_rollup")


def main() -> None:
    """Prints both numbers."""
    lists = [[0]] * COUNT
    natives = selfsame_ffi.Array(lists[:1000])  # what is made once is made
    for i in range(1000):
        natives[i]
    gc.collect()
    start = resident()
    natives = selfsame_ffi.Array(lists)
    made = resident()
    for i in range(COUNT):
        natives[i]
    dropped = resident()
    print(f"a native, never wrapped:              {(made - start) / COUNT:6.1f} bytes")
    print(f"kept by it once wrapped and dropped:  {(dropped - made) / COUNT:6.1f} bytes")


main()
