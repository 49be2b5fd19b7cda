"""Runs the operations of a published package on the stock runtime and on selfsame, and compares results and CPU time.

Usage: main.py FOLDER PACKAGE [--rounds N] [--only TEXT]

FOLDER has `stock` and `ours`: the package and what it needs, and the same with libselfsame.so in the place of
libtvm_ffi.so (scripts/real_packages.sh makes them). A third side, `frontend`, is `stock` with selfsame_ffi under the
name `tvm_ffi`: our Python package too. Three processes run at the same time, one on each; they do each operation in
turn, N times (7), on the same objects. The results of each round are compared, because an operation that changes what
it was given shows in the next one. The least CPU time counts, because other load on the machine can only add to it.
Prints a table with the ratios to stock. Returns 1 when a result differs or one of our sides fails, and says the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = ("ours", "frontend", "stock")
STOCK = SIDES.index("stock")
# A sample repeats a short operation until it takes this long.
SAMPLE_SECONDS = 0.05


# Lines of a process's output that are shown when it fails.
LAST_LINES = 25


class Failed(Exception):
    """A side could not do what it was asked for."""

    def __init__(self, reason: str, on_stock: bool = False) -> None:
        """Say the reason, and whether the side is stock."""
        super().__init__(reason)
        self.on_stock = on_stock


class Different(Exception):
    """The sides have different results."""


class Side:
    """The process that runs the operations on one of the runtimes. Started again after it ended by itself."""

    def __init__(self, folder: str, side: str, module: str) -> None:
        """Start the process."""
        self.name = side
        self.module = module
        self.log = os.path.join(folder, f"output-{side}.log")
        packages = os.path.join(folder, "ours" if side == "ours" else "stock")
        self.environment = dict(os.environ, PYTHONPATH=packages, PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0")
        if side == "frontend":
            self.environment["SELFSAME_AS_TVM_FFI"] = "1"
        open(self.log, "w").close()
        self.start()

    def start(self) -> None:
        """Start a fresh process."""
        self.said = os.path.getsize(self.log)
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [sys.executable, os.path.join(HERE, "operations.py"), self.module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self.environment,
            )

    def last_words(self) -> str:
        """The end of what the process has written to stderr since the last call: `faulthandler` is on in it."""
        with open(self.log, errors="replace") as log:
            log.seek(self.said)
            lines = log.read().splitlines()
            self.said = log.tell()
        return "".join(f"\n        {line}" for line in lines[-LAST_LINES:])

    def ask(self, command: str) -> dict[str, Any]:
        """Send a command and return the answer. Failed when the process says that the command failed, or ends."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self.process.wait()
            how = f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"
            reason = f"the process ended {how}{self.last_words()}"
            self.start()
            raise Failed(reason)
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failed(f"{answer['error']}{self.last_words()}")
        return answer


class Outcome:
    """The counts and ratios of one package."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.ratios: list[tuple[float, str]] = []
        self.different: list[str] = []
        self.failed: list[str] = []
        self.failed_on_stock: list[str] = []


def apart(texts: list[str]) -> list[str]:
    """The texts around the first place in which they differ."""
    place = next((i for i, characters in enumerate(zip(*texts)) if len(set(characters)) > 1), min(map(len, texts)))
    return [f"{len(text)} characters, at {place}: {text[max(0, place - 60) : place + 60]!r}" for text in texts]


def ask_all(sides: list[Side], command: str, where: str) -> list[dict[str, Any]]:
    """The answers of all sides. Failed when one has none, Different when a result is not stock's."""
    answers, failures = [], {}
    for side in sides:
        try:
            answers.append(side.ask(command))
        except Failed as failed:
            failures[side.name] = f"{where}: failed on {side.name}: {failed}"
    if failures:
        raise Failed("\n    ".join(failures.values()), on_stock="stock" in failures)
    results = [str(answer.get("result")) for answer in answers]
    if any(result != results[STOCK] for result in results):
        texts = [side.ask("text")["text"] for side in sides]
        raise Different("\n    ".join([where, *(f"{name + ':':10}{part}" for name, part in zip(SIDES, apart(texts)))]))
    return answers


def timed(sides: list[Side], index: int, rounds: int) -> list[float]:
    """Run an operation in all rounds and return the least CPU time of each side."""
    ask_all(sides, f"make {index}", "the first time")
    first = min(answer["cpu"] for answer in ask_all(sides, "sample 1", "the second time"))
    repeats = max(1, min(20000, int(SAMPLE_SECONDS / max(first, 1e-7))))
    taken: list[list[float]] = []
    for number in range(1, rounds + 1):
        answers = ask_all(sides, f"round {repeats}", f"round {number} of {rounds}")
        taken.append([answer["cpu"] for answer in answers])
    for side in sides:
        side.ask("drop")
    return [min(times) for times in zip(*taken)]


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
        try:
            times = timed(sides, index, rounds)
        except Different as different:
            outcome.different.append(name)
            print(f"{name:46} DIFFERENT\n    {different}", flush=True)
            continue
        except Failed as failed:  # on stock: there is nothing to compare with
            (outcome.failed_on_stock if failed.on_stock else outcome.failed).append(name)
            print(f"{name:46} FAILED\n    {failed}", flush=True)
            continue
        ratios = [time / times[STOCK] for time in times]
        outcome.ratios.append((ratios[0], name))
        print(f"{name:46} {times[STOCK] * 1e6:8.1f} us {ratios[0]:6.2f}x {ratios[1]:7.2f}x  equal", flush=True)
    return outcome


def main() -> int:
    """Print the table of one package."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("package")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="operations whose name has this text")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"argument --rounds: expected at least 1, got {options.rounds}")
    module = options.package.replace("-", "_") + "_operations"
    sides = [Side(options.folder, side, module) for side in SIDES]
    try:
        outcome = run(sides, options.rounds, options.only)
        total = [side.ask("end")["cpu"] for side in sides]
    except Failed as failed:
        print(f"{options.package}: {failed}")
        return 1
    stock = total[STOCK]
    whole = f"{stock * 1e6:8.0f} us {total[0] / stock:6.2f}x {total[1] / stock:7.2f}x"
    print(f"{'the whole process, with imports':46} {whole}")
    above = [name for ratio, name in outcome.ratios if ratio > 1.0]
    equal, of_ours, of_stock = len(outcome.ratios), len(outcome.failed), len(outcome.failed_on_stock)
    counts = f"{equal} results equal in {options.rounds} rounds, {len(outcome.different)} different"
    counts += f", {of_ours} failed on ours, {of_stock} on stock"
    print(f"{options.package}: {counts}; {len(above)} of {equal} took more CPU time than there")
    return 1 if outcome.different or outcome.failed else 0


if __name__ == "__main__":
    sys.exit(main())
