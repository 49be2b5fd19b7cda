"""Times operations, and a full collection, beside more and more live tied objects: `make bench-live`.

Usage: live_objects.py FOLDER_OF_THE_BUILT_EXTENSIONS

Prints each time as a multiple of that with 1,000 live objects, and the pauses of both collectors in milliseconds. For
CPython that is a full collection with lean wrappers, and one with pure Python objects. For Go it is one with as many
objects alive in Python, and one with as many handles alive in Go. Needs 3 GB of memory.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from timeit import Timer

from output import console, pin, record, table

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests" / "support"))

import native_build  # noqa: E402
import selfsame_ffi  # noqa: E402

COUNTS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
COLLECTED = COUNTS[:-1]  # the collectors walk over all objects, which takes seconds with more
NUMBER, ROUNDS = 50_000, 61


class Plain:
    """The pure Python object that native objects are compared with."""

    def __init__(self) -> None:
        self.x = None
        self.any = None


def pause(kept: list) -> float:
    """Milliseconds of a full collection, the shortest of some."""
    shortest = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        gc.collect()
        shortest = min(shortest, time.perf_counter() - begin)
    assert kept
    return 1000 * shortest


def go_pauses(folder: str) -> dict[str, dict[str, float]]:
    """Milliseconds of Go's full collection and of its stop of all goroutines, the shortest of some."""
    sys.path.insert(0, folder)
    import gocalls

    collect, keep = (selfsame_ffi.get_global_func(f"gocalls.{name}") for name in ("collect", "keep"))

    def shortest() -> tuple[float, float]:
        took, stopped = zip(*(collect() for _ in range(5)))
        return min(took), min(stopped)

    rows: dict[str, dict[str, float]] = {}

    def measure(where: str, count: int) -> None:
        took, stopped = shortest()
        rows.setdefault(f"Go, objects alive in {where}", {})[str(count)] = took
        rows.setdefault(f"Go, objects alive in {where}: goroutines stopped", {})[str(count)] = stopped

    kept: list = []
    for count in COLLECTED:
        kept += [gocalls.Node(1) for _ in range(count - len(kept))]
        measure("Python", count)
    kept.clear()
    for count in COLLECTED:
        keep(count)
        measure("Go", count)
    return rows


def main() -> None:
    pin()
    selfsame_ffi.load_extension(native_build.build())
    lean = selfsame_ffi.register_object("sst.Plain")(type("Lean", (selfsame_ffi.Object,), {"__slots__": ()}))
    echo = selfsame_ffi.get_global_func("sst.echo")
    gc.disable()
    gc.freeze()
    names = {"held": lean(), "dropped": lean(), "echo": echo}
    names["held"].x = names["child"] = lean()
    names["dropped"].x = lean()
    operations = {
        "a.x, held": Timer("held.x", globals=names),
        "a.x, dropped and refetched": Timer("dropped.x", globals=names),
        "f(x)": Timer("echo(held)", globals=names),
    }
    times: dict[str, dict[str, float]] = {name: {} for name in operations}
    pauses: dict[str, dict[str, float]] = {"selfsame, lean wrappers": {}, "pure Python objects": {}}
    for count in COLLECTED:  # first, while there are no tie records to walk over
        pauses["pure Python objects"][str(count)] = pause([Plain() for _ in range(count)])
    kept: list = []
    for count in COUNTS:
        kept += [lean() for _ in range(count - len(kept))]
        for name, timer in operations.items():
            times[name][str(count)] = min(timer.repeat(ROUNDS, NUMBER))
        if count in COLLECTED:
            pauses["selfsame, lean wrappers"][str(count)] = pause(kept)
    kept.clear()
    pauses.update(go_pauses(sys.argv[1]))
    ratios = {name: {n: value / row[str(COUNTS[0])] for n, value in row.items()} for name, row in times.items()}
    results = table("Beside many live tied objects", "", *(f"{count:,}" for count in COUNTS))
    for name, row in ratios.items():
        results.add_row(name, *(f"{value:.2f}x" for value in row.values()))
    console().print(results)
    columns = table("Pauses of the collectors in milliseconds", "", *(f"{count:,}" for count in COLLECTED))
    for name, row in pauses.items():
        columns.add_row(name, *(f"{value:.2f}" for value in row.values()))
    console().print(columns)
    record("live_objects", ratios)
    record("collector", pauses)


if __name__ == "__main__":
    main()
