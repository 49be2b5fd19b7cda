"""Times Python's calls of Go functions beside the same in Rust (PyO3), Go through ctypes, and bare cgo callbacks.

Usage: go_functions.py FOLDER_OF_THE_BUILT_EXTENSIONS

All of them run in one process, on one processor, and take turns in short rounds, so that other load on the machine
slows all of them alike. The medians count.
"""

from __future__ import annotations

import array
import ctypes
import importlib
import os
import pathlib
import statistics
import sys
import timeit
from collections.abc import Callable
from typing import Any

import numpy
from output import console, pin, record, table

SLICE = 2e6  # nanoseconds that one sample of an operation takes
ROUNDS = int(os.environ.get("SELFSAME_BENCH_ROUNDS", "31"))
PEERS = ("pyo3", "ctypes", "array", "floor", "floor-abi")


class Operation:
    """A statement that does `per_run` operations; `setup` runs before each sample."""

    def __init__(self, statement: str, per_run: int = 1, setup: str = "pass", **names: Any):
        self.timer = timeit.Timer(statement, setup, globals=names)
        self.per_run = per_run
        self.number = 0

    def measure(self) -> float:
        """Nanoseconds per operation."""
        if self.number == 0:
            taken = min(self.timer.timeit(1) for _ in range(3)) * 1e9
            self.number = max(1, int(SLICE / max(taken, 20)))
        return self.timer.timeit(self.number) / self.number / self.per_run * 1e9


def calls(
    get: Callable[[str], Any], pyo3: Any, by_hand: Any, floor: Any, items: int = 1000
) -> dict[str, dict[str, Operation]]:
    """The operations by row and peer. `pyo3` and `by_hand` are None where they were not built; `items`: callbacks."""
    names = {f"key number {i}": i for i in range(100)}
    ints = list(range(1000))
    floats = [float(i) for i in range(1000)]
    texts = [f"text number {i}" for i in range(1000)]
    small, large = bytes(100), bytes(1_000_000)
    rows: dict[str, dict[str, Operation]] = {}

    def row(name: str, ours: str, peer: str | None, argument: Any, released: bool = True, per_run: int = 1,
            statement: str = "f(x)", hand: Operation | None = None) -> None:  # fmt: skip
        setup = f"f.release_gil = {released}"
        rows[name] = {"selfsame": Operation(statement, per_run, setup, f=get("gocalls." + ours), x=argument)}
        if pyo3 is not None and peer is not None:
            rows[name]["pyo3"] = Operation(statement, per_run, f=getattr(pyo3, peer), x=argument)
        if hand is not None:
            rows[name]["ctypes"] = hand

    def hand(function: str, statement: str, **more: Any) -> Operation | None:
        return None if by_hand is None else Operation(statement, f=getattr(by_hand, function), **more)

    add = hand("peerAddOne", "f(x)", x=7)
    row("int to int, lock released", "add_one", "add_one_released", 7, hand=add)
    row("int to int, lock kept", "add_one", "add_one", 7, released=False)
    floor.set_into_go(get("gocalls.bare_address")())
    rows["int to int, lock released"]["floor"] = Operation("f(x)", f=floor.int_to_int_released, x=7)
    rows["int to int, lock kept"]["floor"] = Operation("f(x)", f=floor.int_to_int, x=7)
    row("3 arguments, one a keyword", "volume", "volume", 7, statement="f(x, 2, depth=3)")
    row("dict of 100 in", "sum_dict", "sum_dict", names)
    row("dict of 100 in and out", "copy_dict", "copy_dict", names)
    row("list of 1,000 ints in", "sum_ints", "sum_ints", ints)
    row("list of 1,000 floats in", "sum_floats", "sum_floats", floats)
    many = list(range(100_000))
    row("list of 100,000 ints in, only read", "sum_read_ints", "sum_ints", many)
    rows["list of 100,000 ints in, only read"]["array"] = Operation("f('q', x)", f=array.array, x=many)
    row("list of 1,000 floats in, lent", "sum_lent", "sum_floats", floats)
    for n in (1_000, 1_000_000):
        row(f"NumPy array of {n:,} floats in, copied", "sum_floats", "sum_buffer", numpy.arange(float(n)))
        row(f"NumPy array of {n:,} floats in, only read", "sum_read_floats", "sum_buffer", numpy.arange(float(n)))
        row(f"NumPy array of {n:,} floats in, lent", "sum_lent", "sum_buffer", numpy.arange(float(n)))
        row(f"NumPy array of {n:,} floats in, as a Tensor", "sum_tensor", None, numpy.arange(float(n)))
    row("list of 1,000 texts in", "sum_texts", "sum_texts", texts)
    row("list of 1,000 ints out", "make_ints", "make_ints", 1000)
    row("list of 1,000 ints out, of a slice that Go keeps", "kept_ints", None, None, statement="f()")
    if pyo3 is not None:
        kept = rows["list of 1,000 ints out, of a slice that Go keeps"]
        kept["pyo3"] = Operation("f(x)", f=pyo3.make_ints, x=1000)
    for size, value in (("100 B", small), ("1 MB", large)):
        by = hand("peerSizeOfCopy", "f(x, n)", x=value, n=len(value))
        row(f"bytes of {size} in, copied", "size_of_copy", "size_of_copy", value, hand=by)
        row(f"bytes of {size} in, only read", "size_of_read", "size_of_lent", value)
        row(f"bytes of {size} in, lent", "size_of_lent", "size_of_lent", value)
        row(f"bytes of {size} out", "make_bytes", "make_bytes", len(value))
    rows["bytes of 1 MB, Go's own copy"] = {"selfsame": Operation("f(x, 10)", 10, f=get("gocalls.own_copies"), x=large)}
    rows["bytes of 8 KB, Go's own copy"] = {
        "selfsame": Operation("f(x, 100)", 100, f=get("gocalls.own_copies"), x=bytes(8000))
    }
    n = items
    for name, ours in (
        ("func parameter", "each"),
        ("on a goroutine", "each_there"),
        ("Bind", "each_bound"),
        ("Bind, lock kept", "each_kept"),
    ):
        rows[f"callback per item, {name}"] = {
            "selfsame": Operation("f(g, n)", n, f=get("gocalls." + ours), g=lambda i: i, n=n)
        }
        if pyo3 is not None:
            rows[f"callback per item, {name}"]["pyo3"] = Operation("f(g, n)", n, f=pyo3.each, g=lambda i: i, n=n)
    for peer, item in (("floor", floor.item_caller), ("floor-abi", floor.item_caller_abi)):
        rows["callback per item, Bind, lock kept"][peer] = Operation(
            "f(c, n)", n, f=get("gocalls.bare_calls"), c=item(lambda i: i), n=n
        )
    if by_hand is not None:
        callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda i: i)
        rows["callback per item, func parameter"]["ctypes"] = Operation(
            "f(g, n)", n, f=by_hand.peerEach, g=callback, n=n
        )
    n = 100_000
    row("iter.Seq of 100,000, per item", "count", "count", n, per_run=n, statement="for _ in f(x): pass")
    return rows


def objects(gocalls: Any, get: Callable[[str], Any], pyo3: Any) -> dict[str, dict[str, Operation]]:
    """The operations that take an object of the package itself."""
    node, holder = gocalls.Node(5), gocalls.Holder()
    rows = {
        "a Value field read in Go": {"selfsame": Operation("f(x)", f=get("gocalls.read_value"), x=holder)},
        "object to int, lent": {"selfsame": Operation("f(x)", f=get("gocalls.read"), x=node)},
        "object to the same object, as a handle": {"selfsame": Operation("f(x)", f=get("gocalls.echo"), x=node)},
    }
    if pyo3 is not None:
        rows["a Value field read in Go"]["pyo3"] = Operation("f(x)", f=pyo3.read_value, x=pyo3.Holder())
    return rows


def built(load: Callable[[], Any]) -> Any:
    """The result of `load`; None if it was not built."""
    try:
        return load()
    except (ImportError, OSError):
        return None


def library_by_hand(folder: str) -> Any:
    """The C library of Go functions, with the types of its functions declared."""
    library = ctypes.CDLL(str(pathlib.Path(folder) / "libctypes_peer.so"))
    library.peerAddOne.argtypes = [ctypes.c_int64]
    library.peerSizeOfCopy.argtypes = [ctypes.c_char_p, ctypes.c_int64]
    library.peerEach.argtypes = [ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64), ctypes.c_int64]
    for function in (library.peerAddOne, library.peerSizeOfCopy, library.peerEach):
        function.restype = ctypes.c_int64
    return library


def main() -> None:
    """Prints the table and records it."""
    folder = sys.argv[1]
    sys.path.insert(0, folder)
    pin()
    import gocalls
    import selfsame_ffi

    get = selfsame_ffi.get_global_func
    bare = get("gocalls.bare_callbacks")
    pyo3, by_hand = built(lambda: importlib.import_module("pyo3_ext")), built(lambda: library_by_hand(folder))
    rows = {**calls(get, pyo3, by_hand, importlib.import_module("floor_ext")), **objects(gocalls, get, pyo3)}
    results = table(
        "Python calls a Go function", "call", "selfsame", "bare cgo callbacks", *(f"{peer}: ours is" for peer in PEERS)
    )
    figures: dict = {}
    for name, by_peer in rows.items():
        times: dict[str, list[float]] = {peer: [] for peer in by_peer}
        callbacks = []
        for _ in range(ROUNDS):
            callbacks.append(bare(5_000))
            for peer, operation in by_peer.items():
                times[peer].append(operation.measure())
        middle = {peer: statistics.median(taken) for peer, taken in times.items()}
        ratio = {
            peer: statistics.median(ours / theirs for ours, theirs in zip(times["selfsame"], times[peer]))
            for peer in by_peer
        }
        crossings = statistics.median(ours / each for ours, each in zip(times["selfsame"], callbacks))
        figures[name] = {"ns": middle, "ours_over": ratio, "bare_callbacks": crossings}
        shown = [f"{ratio[peer]:.2f}x [dim]{middle[peer]:.0f}[/dim]" if peer in middle else "" for peer in PEERS]
        results.add_row(name, f"{middle['selfsame']:.0f} ns", f"{crossings:.2f}x", *shown)
    console().print(results)
    record("go_through_python", figures)


if __name__ == "__main__":
    main()
