"""How long it takes to import the package, as a multiple of the time that importing stock tvm_ffi takes.

Each is imported in a fresh interpreter, in turn; what an interpreter takes that imports nothing is subtracted. The
table has the medians.
"""

import statistics
import subprocess
import sys
import time

from rich.console import Console
from rich.progress import track
from rich.table import Table

ROUNDS = 15
PROGRAMS = {"": "pass", "selfsame": "import selfsame_ffi", "tvm_ffi": "import tvm_ffi"}


def seconds(program: str) -> float:
    """How long a fresh interpreter takes for a program."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Prints the table."""
    console = Console(width=None if sys.stdout.isatty() else 120)
    times: dict = {name: [] for name in PROGRAMS}
    for program in PROGRAMS.values():
        seconds(program)  # once, so that all files are in memory
    for _ in track(range(ROUNDS), "measuring imports", console=console):
        for name, program in PROGRAMS.items():
            times[name].append(seconds(program))
    own, stock = (
        statistics.median(took - empty for took, empty in zip(times[name], times[""]))
        for name in ("selfsame", "tvm_ffi")
    )
    table = Table(title="Import of the package", safe_box=True)
    table.add_column("selfsame", justify="right")
    table.add_column("tvm_ffi", justify="right")
    table.add_row(f"{own * 1e3:.0f} ms", f"{stock / own:.2f}x [dim]{stock * 1e3:.0f}[/dim]")
    console.print(table)


if __name__ == "__main__":
    main()
