"""Runs the operations of a published package on the stock runtime and on selfsame, and compares results and CPU time.

Usage: main.py FOLDER PACKAGE [--rounds N] [--only TEXT]

FOLDER has `stock` and `ours`: the package and what it needs, and the same with libselfsame.so in the place of
libtvm_ffi.so (scripts/real_packages.sh makes them). A third side, `frontend`, is `stock` with selfsame_ffi under the
name `tvm_ffi`: our Python package too. Three processes run at the same time, one on each; they do each operation in
turn, several times, and the least CPU time of each counts, because other load on the machine can only add to it. Prints
a table with the ratios to stock and returns 1 when a result differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = ("ours", "frontend", "stock")
STOCK = SIDES.index("stock")
# A sample repeats a short operation until it takes this long.
SAMPLE_SECONDS = 0.05


class Ended(Exception):
    """The process of one side ended where it should have answered."""


class Side:
    """The process that runs the operations on one of the runtimes. Started again after it ended by itself."""

    def __init__(self, folder: str, side: str, module: str, log: Any) -> None:
        """Start the process."""
        self.name = side
        self.module = module
        self.log = log
        packages = os.path.join(folder, "ours" if side == "ours" else "stock")
        self.environment = dict(os.environ, PYTHONPATH=packages, PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0")
        if side == "frontend":
            self.environment["SELFSAME_AS_TVM_FFI"] = "1"
        self.start()

    def start(self) -> None:
        """Start a fresh process."""
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "operations.py"), self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=self.environment,
        )

    def ask(self, command: str) -> dict[str, Any]:
        """Send a command and return the answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Ended(f"the process ended with code {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def result(self, index: int) -> str:
        """Make an operation and return its result, or what went wrong."""
        try:
            answer = self.ask(f"make {index}")
        except Ended as ended:
            self.start()
            return f"failed: {ended}"
        return str(answer["result"]) if "result" in answer else f"failed: {answer['error']}"


class Outcome:
    """The counts and ratios of one package."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.ratios: list[tuple[float, str]] = []
        self.different: list[str] = []
        self.failed: list[str] = []


def timed(sides: list[Side], rounds: int) -> list[float]:
    """Return the least CPU time of the operation on each side."""
    first = [max(side.ask("sample 1")["cpu"], 1e-7) for side in sides]
    repeats = max(1, min(20000, int(SAMPLE_SECONDS / min(first))))
    samples: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, taken in zip(sides, samples):
            taken.append(side.ask(f"sample {repeats}")["cpu"])
    return [min(taken) for taken in samples]


def run(sides: list[Side], rounds: int, only: str) -> Outcome:
    """Run all operations and print a line about each."""
    outcome = Outcome()
    names = sides[STOCK].ask("list")["names"]
    if any(side.ask("list")["names"] != names for side in sides):
        raise SystemExit("the sides do not list the same operations")
    print(f"{'operation':46} {'stock':>11} {'ours':>7} {'frontend':>8}  result")
    for index, name in enumerate(names):
        if only not in name:
            continue
        results = [side.result(index) for side in sides]
        if results[STOCK].startswith("failed: "):  # there is nothing to compare with
            outcome.failed.append(name)
            print(f"{name:46} stock {results[STOCK]}; ours: {results[0]}", flush=True)
            continue
        if any(result != results[STOCK] for result in results):
            outcome.different.append(name)
            print(f"{name:46} DIFFERENT", flush=True)
            for side, result in zip(SIDES, results):
                print(f"    {side + ':':10}{result}", flush=True)
            continue
        times = timed(sides, rounds)
        ratios = [time / times[STOCK] for time in times]
        outcome.ratios.append((ratios[0], name))
        print(f"{name:46} {times[STOCK] * 1e6:8.1f} us {ratios[0]:6.2f}x {ratios[1]:7.2f}x  equal", flush=True)
        for side in sides:
            side.ask("drop")
    return outcome


def main() -> int:
    """Print the table of one package."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("package")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="operations whose name has this text")
    options = parser.parse_args()
    module = options.package.replace("-", "_") + "_operations"
    with open(os.path.join(options.folder, "output.log"), "w") as log:
        sides = [Side(options.folder, side, module, log) for side in SIDES]
        try:
            outcome = run(sides, options.rounds, options.only)
            total = [side.ask("end")["cpu"] for side in sides]
        except Ended as ended:
            print(f"{options.package}: {ended}; see {log.name}")
            return 1
    stock = total[STOCK]
    whole = f"{stock * 1e6:8.0f} us {total[0] / stock:6.2f}x {total[1] / stock:7.2f}x"
    print(f"{'the whole process, with imports':46} {whole}")
    above = [name for ratio, name in outcome.ratios if ratio > 1.0]
    equal = len(outcome.ratios)
    counts = f"{equal} results equal, {len(outcome.different)} different, {len(outcome.failed)} failed on stock"
    print(f"{options.package}: {counts}; {len(above)} of {equal} took more CPU time than there")
    return 1 if outcome.different else 0


if __name__ == "__main__":
    sys.exit(main())
