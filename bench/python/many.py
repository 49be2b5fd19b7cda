"""Times work on many items: a loop of calls, a batch of calls, NumPy and plain Python.

Usage: many.py FOLDER_OF_THE_BUILT_EXTENSION

All run in one process and take turns in short rounds, so that other load on the machine slows all of them alike. The
least time of each counts. The figures are nanoseconds for each item and ratios to plain Python, for docs/fast.md.
"""

from __future__ import annotations

import os
import sys
import timeit

import numpy
from output import console, record, table

ITEMS = 10_000
SLICE = 5e-3  # seconds that one sample takes
ROUNDS = int(os.environ.get("SELFSAME_BENCH_ROUNDS", "21"))
WAYS = ("Python", "calls", "map", "map, parallel", "batches", "ufunc", "NumPy", "floor")


def rows() -> dict[str, dict[str, timeit.Timer]]:
    """The statements by row and way."""
    import gocalls
    import selfsame_ffi

    names = {
        "gocalls": gocalls,
        "numpy": numpy,
        "ahead": selfsame_ffi.ahead,
        "half": selfsame_ffi.ufunc(gocalls.half),
        "hypot": selfsame_ffi.ufunc(gocalls.hypot),
        "work": selfsame_ffi.ufunc(gocalls.microsecond),
        "floats": [float(i) for i in range(ITEMS)],
        "array": numpy.arange(float(ITEMS)),
        "texts": [f"text number {i}" for i in range(ITEMS)],
        "nodes": [gocalls.Node(i) for i in range(ITEMS)],
    }
    statements = {
        "number to number, a list": {
            "Python": "[x / 2 for x in floats]",
            "calls": "[f(x) for x in floats]",
            "map": "f.map(floats)",
            "NumPy": "(numpy.array(floats) / 2).tolist()",
        },
        "number to number, an array": {
            "Python": "[x / 2 for x in array]",
            "calls": "[f(x) for x in floats]",
            "map": "f.map(array)",
            "ufunc": "half(array)",
            "NumPy": "array / 2",
        },
        "two numbers to one, an array": {
            "map": "gocalls.hypot.map(array, array)",
            "ufunc": "hypot(array, array)",
            "NumPy": "numpy.hypot(array, array)",
        },
        "number to number or an error, a list": {
            "calls": "[e(x) for x in floats]",
            "map": "e.map(floats)",
        },
        "number to number, a func with a context": {
            "calls": "for x in floats: c(x)",
            "floor": "gocalls.hand_overs(10_000)",  # to another goroutine and back, for each call
        },
        "text to number, a list": {
            "Python": "[len(s) for s in texts]",
            "calls": "[size(s) for s in texts]",
            "map": "size.map(texts)",
        },
        "text to text, a list": {
            "Python": "[s + '!' for s in texts]",
            "calls": "[shout(s) for s in texts]",
            "map": "shout.map(texts)",
        },
        "object to number, a list": {
            "Python": "[node.n for node in nodes]",
            "calls": "[read(node) for node in nodes]",
            "map": "read.map(nodes)",
        },
        "a generator of numbers, into a Go loop": {
            "Python": "for x in (x for x in floats): pass",
            "calls": "total(x for x in floats)",
            "batches": "total(ahead(x for x in floats))",
        },
        "numbers out of a Go loop": {
            "Python": "for x in range(10_000): pass",
            "batches": "for x in count(10_000): pass",
        },
        "numbers out of Go loops of ten": {
            "Python": "for _ in range(1000):\n for x in range(10): pass",
            "batches": "for _ in range(1000):\n for x in count(10): pass",
            "floor": "gocalls.hand_overs(3_000)",  # for 2, 4 and the other elements of each
        },
        "texts out of a Go loop": {
            "Python": "for x in texts: pass",
            "calls": "for x in texts: shout(x)",
            "batches": "for x in names(10_000): pass",
        },
        "objects out of a Go loop": {
            "Python": "for x in nodes: pass",
            "calls": "for x in nodes: echo(x)",
            "batches": "for x in each(nodes): pass",
        },
        "200 square roots, an array": {
            "calls": "[w(x) for x in floats]",
            "map": "w.map(array)",
            "map, parallel": "w.map(array, parallel=True)",
            "ufunc": "work(array)",
        },
    }
    functions = ("f=gocalls.half; e=gocalls.half_or_error; c=gocalls.half_in_context; size=gocalls.text_size; "
                 "shout=gocalls.shout; read=gocalls.read; w=gocalls.microsecond; total=gocalls.total; "
                 "count=gocalls.count; names=gocalls.names; echo=gocalls.echo; each=gocalls.each_node")  # fmt: skip
    return {
        row: {way: timeit.Timer(text, functions, globals=names) for way, text in ways.items()}
        for row, ways in statements.items()
    }


def measure(timers: dict[str, timeit.Timer]) -> dict[str, float]:
    """Nanoseconds for each item, the least of all rounds, in turns."""
    runs = {way: max(1, int(SLICE / min(timer.repeat(2, 1)))) for way, timer in timers.items()}
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(ROUNDS):
        for way, timer in timers.items():
            best[way] = min(best[way], timer.timeit(runs[way]) / runs[way] / ITEMS * 1e9)
    return best


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    shown = table("Many items: nanoseconds for each", "work", *WAYS)
    figures = {}
    for row, timers in rows().items():
        figures[row] = measure(timers)
        shown.add_row(row, *(f"{figures[row][way]:.1f}" if way in figures[row] else "" for way in WAYS))
    console().print(shown)
    record("many", figures)


if __name__ == "__main__":
    main()
