"""The time that each peer takes for an operation, as a multiple of selfsame's.

table.py FOLDER_OF_THE_BUILT_EXTENSIONS

Every peer is a process of its own (ops.py), and all of them live at the same time. A round asks each of them for a
slice of one operation, one after the other, so that whatever else goes on in the machine meets all of them alike. The
table has the median of the rounds' ratios, and the median of selfsame's own times.
"""

import json
import pathlib
import statistics
import subprocess
import sys

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

HERE = pathlib.Path(__file__).parent
PEERS = ["selfsame", "tvm_ffi", "nanobind", "pybind11", "floor"]
ROUNDS = 41


class Peer:
    """One running ops.py."""

    def __init__(self, name: str, folder: str):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "ops.py"), name, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.operations = json.loads(self._line())

    def measure(self, operation: str) -> float:
        """Nanoseconds per operation in one slice."""
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
    """Each peer's times of one operation, round by round."""
    taking_part = [name for name in peers if operation in peers[name].operations]
    times: dict = {name: [] for name in taking_part}
    for name in taking_part:
        peers[name].measure(operation)  # once to warm up
    for _ in range(rounds):
        for name in taking_part:
            times[name].append(peers[name].measure(operation))
    return times


def main() -> None:
    """Prints the table."""
    folder = sys.argv[1]
    console = Console(width=None if sys.stdout.isatty() else 120)
    peers = {name: Peer(name, folder) for name in PEERS}
    table = Table(title="Python operations: the peer's time as a multiple of selfsame's", safe_box=True)
    table.add_column("operation")
    table.add_column("selfsame", justify="right")
    for peer in PEERS[1:]:
        table.add_column(peer, justify="right")
    for operation in track(peers["selfsame"].operations, "measuring", console=console):
        times = measure(peers, operation, ROUNDS)
        own = times["selfsame"]
        cells = [f"{statistics.median(own):.1f} ns"]
        for peer in PEERS[1:]:
            if peer in times:
                ratio = statistics.median(theirs / ours for theirs, ours in zip(times[peer], own))
                cells.append(f"{ratio:.2f}x [dim]{statistics.median(times[peer]):5.1f}[/dim]")
            else:
                cells.append("")
        table.add_row(escape(operation), *cells)
    for peer in peers.values():
        peer.close()
    console.print(table)


if __name__ == "__main__":
    main()
