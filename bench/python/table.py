"""Prints the time that each peer takes for an operation, as a multiple of selfsame's.

Usage: table.py FOLDER_OF_THE_BUILT_EXTENSIONS

Each peer is a process that runs ops.py; all of them run at the same time. In each round every peer times the same
operation for some milliseconds, one after another, so that other load on the machine slows all of them alike. All run
on one processor.

All of that is done several times, each time with new processes. Where the system happens to place a process's memory
can slow an operation for as long as that process lives, at most to 1.9 times: about one process in ten, of each peer.
Without address space randomization it does not happen. The table has the median of all rounds' ratios, and the median
of selfsame's times, so that one such process does not decide it.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

from output import console, pin, record, table
from rich.console import Console
from rich.markup import escape
from rich.progress import track

HERE = pathlib.Path(__file__).parent
PEERS = ["selfsame", "tvm_ffi", "nanobind", "pybind11", "pyo3", "pyo3-arc", "plain", "floor", "floor-abi"]
STARTS = int(os.environ.get("SELFSAME_BENCH_STARTS", "5"))
ROUNDS = int(os.environ.get("SELFSAME_BENCH_ROUNDS", "9"))


class Peer:
    """A process that runs ops.py, or another script that serves as it does."""

    def __init__(self, name: str, folder: str, script: str = "ops.py"):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / script), name, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.operations = json.loads(self._line())

    def measure(self, operation: str) -> float:
        """Nanoseconds per operation in one sample."""
        self.process.stdin.write(operation + "\n")
        self.process.stdin.flush()
        return float(self._line())

    def _line(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a peer ended early, with exit status {self.process.wait()}")
        return line

    def close(self) -> None:
        """Ends the process."""
        self.process.stdin.close()
        self.process.wait()


def measure(peers: dict, operation: str, rounds: int) -> dict:
    """The times of one operation by peer, one element per round."""
    taking_part = [name for name in peers if operation in peers[name].operations]
    times: dict = {name: [] for name in taking_part}
    for name in taking_part:
        peers[name].measure(operation)  # a warm-up run
    for _ in range(rounds):
        for name in taking_part:
            times[name].append(peers[name].measure(operation))
    return times


def measure_starts(names: list, folder: str, screen: Console, script: str = "ops.py") -> dict:
    """The times by operation and peer: one element per round, those of all starts one after another."""
    times: dict = {}
    for _ in track(range(STARTS), "measuring", console=screen):
        peers = {name: Peer(name, folder, script) for name in names}
        for operation in peers["selfsame"].operations:
            of_peers = times.setdefault(operation, {})
            for name, taken in measure(peers, operation, ROUNDS).items():
                of_peers.setdefault(name, []).extend(taken)
        for peer in peers.values():
            peer.close()
    return times


def show(screen: Console, title: str, section: str, peers: list, measured: dict) -> None:
    """Prints the table of the times of measure_starts, and records them."""
    figures: dict = {}
    results = table(f"{title}: the peer's time as a multiple of selfsame's", "operation", *peers)
    for operation, times in measured.items():
        own = times["selfsame"]
        cells = [f"{statistics.median(own):.1f} ns"]
        figures[operation] = {"selfsame": {"ns": statistics.median(own)}}
        for peer in peers[1:]:
            if peer in times:
                ratio = statistics.median(theirs / ours for theirs, ours in zip(times[peer], own))
                figures[operation][peer] = {"ns": statistics.median(times[peer]), "times_ours": ratio}
                cells.append(f"{ratio:.2f}x [dim]{statistics.median(times[peer]):5.1f}[/dim]")
            else:
                cells.append("")
        results.add_row(escape(operation), *cells)
    screen.print(results)
    record(section, figures)


def main() -> None:
    """Prints the table."""
    folder = sys.argv[1]
    screen = console()
    pin()
    built = [name for name in PEERS if not name.startswith("pyo3") or list(pathlib.Path(folder).glob("pyo3_ext*"))]
    show(screen, "Python operations", "python_operations", built, measure_starts(built, folder, screen))


if __name__ == "__main__":
    main()
