"""Times the same compiled program on both libraries, in turn, and prints selfsame's time as a multiple of the peer's.

Usage: table.py PROGRAM SELFSAME_FOLDER PEER_FOLDER [--rounds N] [--only TEXT] [--strict]

An operation may take as long as in the peer; one that takes longer is missed, unless notes.py says where its
instructions go. The notes are printed below the table.

Each folder has a libtvm_ffi.so. Both programs run at the same time; they time each operation one after the other,
several times, and the fastest time of each counts, because other load on the machine can only slow them down. Quote the
ratios, not the times.
"""

import argparse
import os
import subprocess
import sys
import time

from notes import NOTES

# Two runs of the same library differ by this much on a machine with other load.
NOISE = 0.05


class Program:
    """A running copy of the program, on the library in the folder."""

    def __init__(self, program: str, folder: str) -> None:
        """Start it and read the list of its operations."""
        environment = dict(os.environ, LD_LIBRARY_PATH=folder)
        self.process = subprocess.Popen(
            [program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.operations: list[tuple[str, str]] = []
        while line := self._read():
            kind, name = line.split(" ", 1)
            self.operations.append((kind, name))

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the program ended with code {self.process.wait()}")
        return line.rstrip("\n")

    def _write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def time(self, operation: int) -> float:
        """Return the nanoseconds per call in one sample."""
        self._write(str(operation))
        return float(self._read())

    def drop(self) -> None:
        """Free what the last operation made."""
        self._write("drop")

    def stop(self) -> None:
        """End the program."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def verdict(name: str, ratio: float) -> str:
    """Return what the table says of an operation: pass, a miss that has a note, or a miss."""
    if ratio <= 1 + NOISE:
        return "pass"
    return "note" if name in NOTES else "MISS"


def print_notes(ratios: dict[str, float], complete: bool) -> None:
    """Print the notes of operations above 1.0, and name the notes that are no longer needed."""
    for name, ratio in ratios.items():
        if name in NOTES and ratio > 1:
            print(f"-- {name}, {ratio:.2f}x: {NOTES[name]}")
    for name in NOTES:
        if name in ratios and ratios[name] < 1 - NOISE:
            print(f"-- stale note in notes.py: {name} takes {ratios[name]:.2f}x")
        if complete and name not in ratios:
            print(f"-- stale note in notes.py: there is no operation {name}")


def start_time(program: str, folder: str) -> float:
    """Return the nanoseconds that a process takes that loads the library, looks up its operations and ends."""
    began = time.perf_counter()
    Program(program, folder).stop()
    return (time.perf_counter() - began) * 1e9


def main() -> int:
    """Print the table; return 1 when an operation missed its target and --strict was given."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("selfsame")
    parser.add_argument("peer")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--only", default="", help="operations whose name has this text")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    programs = [Program(options.program, options.selfsame), Program(options.program, options.peer)]
    print(f"{'operation':42} {'selfsame':>12} {'libtvm_ffi':>12} {'ratio':>7}")
    ratios: dict[str, float] = {}
    group = ""
    for index, (kind, name) in enumerate(programs[0].operations):
        if options.only not in name:
            continue
        if kind != group:
            group = kind
            titles = {"plane": "data plane and header code", "call": "builtin functions", "bulk": "bulk work"}
            print(f"-- {titles[kind]}")
        best = [float("inf"), float("inf")]
        for _ in range(options.rounds if kind != "bulk" else max(3, options.rounds // 3)):
            for which, program in enumerate(programs):
                best[which] = min(best[which], program.time(index))
        for program in programs:
            program.drop()
        ratios[name] = best[0] / best[1]
        cells = f"{best[0]:12.1f} {best[1]:12.1f} {ratios[name]:6.2f}x"
        print(f"{name:42} {cells}  {verdict(name, ratios[name])}", flush=True)
    for program in programs:
        program.stop()
    if not options.only:
        best = [float("inf"), float("inf")]
        for _ in range(options.rounds):
            for which, folder in enumerate((options.selfsame, options.peer)):
                best[which] = min(best[which], start_time(options.program, folder))
        print(f"-- a process that only loads the library: {best[0] / best[1]:.2f}x")
    print_notes(ratios, complete=not options.only)
    verdicts = [verdict(name, ratio) for name, ratio in ratios.items()]
    missed = verdicts.count("MISS")
    print(f"{missed or 'none'} missed, {verdicts.count('note')} explained")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
