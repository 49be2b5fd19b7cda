"""Runs ops.py for each peer in turn, several times, and prints selfsame's ratio to each.

A ratio above 1 means that the peer takes so many times as long as selfsame. Times are this machine's, of this run.
"""

import json
import pathlib
import subprocess
import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table

HERE = pathlib.Path(__file__).parent
PEERS = ["selfsame", "tvm_ffi", "nanobind", "pybind11", "floor"]
ROUNDS = 3


def run(peer: str, folder: str) -> dict:
    """One process of one peer."""
    output = subprocess.run(
        [sys.executable, str(HERE / "ops.py"), peer, folder], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return json.loads(output)


def main() -> None:
    """Prints the table."""
    folder = sys.argv[1]
    console = Console(width=None if sys.stdout.isatty() else 120)
    results: dict = {peer: {} for peer in PEERS}
    for _ in range(ROUNDS):
        for peer in PEERS:
            console.print(f"measuring {peer}", style="dim", highlight=False)
            for operation, nanoseconds in run(peer, folder).items():
                known = results[peer].get(operation, float("inf"))
                results[peer][operation] = min(known, nanoseconds)
    table = Table(title="Python operations: the peer's time as a multiple of selfsame's", safe_box=True)
    table.add_column("operation")
    table.add_column("selfsame", justify="right")
    for peer in PEERS[1:]:
        table.add_column(peer, justify="right")
    for operation, own in results["selfsame"].items():
        cells = [f"{own:.1f} ns"]
        for peer in PEERS[1:]:
            other = results[peer].get(operation)
            cells.append("" if other is None else f"{other / own:.2f}x [dim]{other:5.1f}[/dim]")
        table.add_row(escape(operation), *cells)
    console.print(table)


if __name__ == "__main__":
    main()
