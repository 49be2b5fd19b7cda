"""Times the import of selfsame_ffi and of stock tvm_ffi, and prints the ratio.

Usage: import_time.py

Fresh interpreters import the packages in turn. The time of an interpreter that imports nothing is subtracted. The table
has medians.
"""

import statistics
import subprocess
import sys
import time

from output import console, table
from rich.progress import track

ROUNDS = 15
PROGRAMS = {"": "pass", "selfsame": "import selfsame_ffi", "tvm_ffi": "import tvm_ffi"}


def seconds(program: str) -> float:
    """The time that a fresh interpreter takes to run a program."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Prints the table."""
    screen = console()
    times: dict = {name: [] for name in PROGRAMS}
    for program in PROGRAMS.values():
        seconds(program)  # once, so that all files are in the page cache
    for _ in track(range(ROUNDS), "measuring imports", console=screen):
        for name, program in PROGRAMS.items():
            times[name].append(seconds(program))
    own, stock = (
        statistics.median(took - empty for took, empty in zip(times[name], times[""]))
        for name in ("selfsame", "tvm_ffi")
    )
    results = table("Import: the peer's time as a multiple of selfsame's", "", "selfsame", "tvm_ffi")
    results.add_row("import", f"{own * 1e3:.0f} ms", f"{stock / own:.2f}x [dim]{stock * 1e3:.0f}[/dim]")
    screen.print(results)


if __name__ == "__main__":
    main()
