"""Draws docs/figures/*.svg from build/bench.json (`make bench`) and bench/profiles, and writes docs/figures.md's table.

Usage: plots.py

A figure whose section is missing in build/bench.json is left as it is.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from scripts.tools import tables  # noqa: E402
from scripts.tools.commands import ROOT  # noqa: E402

FIGURES = ROOT / "docs" / "figures"
RESULTS = ROOT / "build" / "bench.json"
PAGE = ROOT / "docs" / "figures.md"
MARKS = ("<!-- table: written by scripts/plots.py -->\n", "<!-- end of table -->")

# Name, colour and mark of each peer, always the same.
PEERS = {
    "floor": ("floor: C alone", "#6b7486", "|"),
    "selfsame": ("selfsame", "#c02a3c", "o"),
    "tvm_ffi": ("tvm_ffi (stock)", "#2457c5", "s"),
    "nanobind": ("nanobind", "#1a7f4b", "^"),
    "pybind11": ("pybind11", "#8a4fbf", "v"),
    "pyo3": ("PyO3", "#b4550a", "D"),
    "pyo3-arc": ("PyO3, shared (Arc)", "#0f8a8a", "P"),
    "plain": ("pure Python", "#8a6d1d", "x"),
}
TABLE = (
    "a.x, held",
    "a.i",
    "f(x), GIL kept",
    "f(x), GIL released",
    "make(x) and drop, GIL kept",
    "callback with 8 objects, GIL kept",
)

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "selfsame",
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e3e6ec",
        "axes.axisbelow": True,
    }
)


def save(figure: Any, name: str) -> None:
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    print(f"docs/figures/{name}.svg")


def rows_of_dots(title: str, label: str, figures: dict[str, dict[str, float]], name: str, log: bool) -> None:
    """A row for each operation, a mark for each peer. ``figures``: from operations to peers to numbers."""
    operations = list(figures)[::-1]
    figure, axes = plt.subplots(figsize=(8, 0.45 * len(operations) + 1.2))
    for peer, (text, colour, mark) in PEERS.items():
        found = [(figures[one][peer], at) for at, one in enumerate(operations) if peer in figures[one]]
        if found:
            xs, ys = zip(*found)
            axes.scatter(xs, ys, label=text, color=colour, marker=mark, s=70 if mark == "|" else 42, zorder=3)
    axes.set_yticks(range(len(operations)), operations)
    axes.set_ylim(-0.6, len(operations) - 0.4)
    if log:
        axes.set_xscale("log")
        ticks = [
            tick
            for tick in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
            if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]
        ]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.axvline(1, color=PEERS["selfsame"][1], linewidth=1, alpha=0.5)
    axes.set_xlabel(label)
    axes.set_title(title, loc="left", fontsize=11)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    save(figure, name)


def lines(title: str, xlabel: str, ylabel: str, series: dict[str, dict[str, float]], name: str, log: bool) -> None:
    """A line for each series, from numbers (as text) to values."""
    figure, axes = plt.subplots(figsize=(7, 3.6))
    colours = [colour for _, colour, _ in list(PEERS.values())[1:]]
    for (label, values), colour in zip(series.items(), colours):
        xs = sorted(values, key=float)
        axes.plot([float(x) for x in xs], [values[x] for x in xs], marker="o", label=label, color=colour)
    if log:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title, loc="left", fontsize=11)
    axes.legend(frameon=False)
    save(figure, name)


def instructions() -> dict[str, dict[str, float]]:
    """Instructions per operation by peer, from the first lines of the profiles."""
    found: dict[str, dict[str, float]] = {}
    for path in sorted((ROOT / "bench" / "profiles").glob("*.txt")):
        head = re.match(r"(.*) \((\S+)\): (\d+) instructions", path.read_text())
        if head and head[2] in PEERS:
            found.setdefault(head[1], {})[head[2]] = int(head[3])
    return {name: peers for name, peers in found.items() if len(peers) > 1 and "selfsame" in peers}


def table(operations: dict[str, dict[str, Any]]) -> str:
    """The table of the page: times ours of each peer."""
    peers = ["tvm_ffi", "nanobind", "pybind11", "pyo3", "plain", "floor"]
    rows = []
    for name, row in ((name, operations[name]) for name in TABLE if name in operations):
        cells = [f"{row[peer]['times_ours']:.1f}x" if peer in row else "" for peer in peers]
        rows.append([f"`{name}`", f"{row['selfsame']['ns']:.0f} ns", *cells])
    head = ["operation", "selfsame", *(PEERS[peer][0] for peer in peers)]
    return tables.markdown(head, rows, numbers=True)


def write_table(operations: dict[str, dict[str, Any]]) -> None:
    PAGE.write_text(tables.between(PAGE.read_text(), *MARKS, table(operations)))


def main() -> None:
    rows_of_dots(
        "Instructions for one operation from Python (callgrind; independent of the machine's load)",
        "instructions",
        instructions(),
        "instructions",
        False,
    )
    if not RESULTS.is_file():
        sys.exit("plots.py: build/bench.json does not exist: run make bench")
    results = json.loads(RESULTS.read_text())
    if operations := results.get("python_operations"):
        ratios = {
            name: {"selfsame": 1.0, **{peer: row[peer]["times_ours"] for peer in row if peer != "selfsame"}}
            for name, row in operations.items()
        }
        rows_of_dots(
            "One operation from Python: time as a multiple of selfsame's (left is faster)",
            "times selfsame's time, logarithmic",
            ratios,
            "operations",
            True,
        )
        write_table(operations)
    if live := results.get("live_objects"):
        lines("Cost of an operation with many live tied objects", "live tied objects", "times that with 1,000", live,
              "live-objects", True)  # fmt: skip
    if threads := results.get("threads"):
        lines(
            "Threads that fetch the same objects",
            "threads",
            "throughput, times one thread's",
            threads,
            "threads",
            False,
        )
    if pauses := results.get("collector"):
        lines("Pause of a full collection", "objects", "milliseconds", pauses, "collector", False)


if __name__ == "__main__":
    main()
