"""The console, the tables and the results file of the benchmark scripts."""

import json
import os
import pathlib
import sys

from rich.console import Console
from rich.table import Table

RESULTS = pathlib.Path(__file__).parents[2] / "build" / "bench.json"


def console() -> Console:
    """A console on standard output, 160 columns wide if that is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 160)


def table(title: str, name: str, *columns: str) -> Table:
    """A table whose first column names the row; the other columns are numbers."""
    made = Table(title=title, safe_box=True)
    made.add_column(name)
    for column in columns:
        made.add_column(column, justify="right")
    return made


def pin() -> None:
    """Let this process and those that it starts run on one processor: the last that it may use."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def record(section: str, figures: dict) -> None:
    """Replace one section of build/bench.json by these figures."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known[section] = figures
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(known, indent=1) + "\n")
