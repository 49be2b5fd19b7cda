"""The console and the tables of the benchmark scripts."""

import sys

from rich.console import Console
from rich.table import Table


def console() -> Console:
    """A console on standard output, 120 columns wide if that is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 120)


def table(title: str, name: str, *columns: str) -> Table:
    """A table whose first column names the row; the other columns are numbers."""
    made = Table(title=title, safe_box=True)
    made.add_column(name)
    for column in columns:
        made.add_column(column, justify="right")
    return made
