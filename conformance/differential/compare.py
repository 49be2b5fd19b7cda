"""Compares libselfsame.so with the published library, case by case, each library in separate processes.

usage: python3 -m conformance.differential.compare SELFSAME PUBLISHED [-v]

Every difference must be explained in known_differences.py. libselfsame.so must not crash where the published library
does.
"""

# Requirement: E1

from __future__ import annotations

import pathlib
import subprocess
import sys

from conformance import workers
from conformance.differential.known_differences import explain

RUNNER = pathlib.Path(__file__).with_name("run_cases.py")
PARTS = ("facts", "calls", "json", "input")


def ended(worker: subprocess.CompletedProcess[str]) -> str:
    """Return the outcome of a case that ended its process. RuntimeError when the program of the cases failed."""
    if worker.returncode == 1:
        raise RuntimeError(f"{' '.join(worker.args)} fails:\n{worker.stderr}")
    last = worker.stderr.strip().splitlines()[-1:]
    return f"ends the process: {''.join(last)}" if worker.returncode > 0 else "crashes"


def outcomes(library: str, part: str) -> dict[str, str]:
    """Return the outcome of every case of a part."""
    return workers.outcomes([sys.executable, str(RUNNER), library, part], ended)


def every_outcome(library: str) -> dict[str, str]:
    return {name: outcome for part in PARTS for name, outcome in outcomes(library, part).items()}


def main() -> int:
    ours, theirs = every_outcome(sys.argv[1]), every_outcome(sys.argv[2])
    verbose = "-v" in sys.argv
    unexplained = explained = 0
    for name in sorted(ours.keys() | theirs.keys()):
        mine, published = ours.get(name, "(absent)"), theirs.get(name, "(absent)")
        if mine == published:
            continue
        reason = explain(name, mine, published)
        if reason is None:
            unexplained += 1
        else:
            explained += 1
        if reason is None or verbose:
            print(f"{name}\n  here:      {mine}\n  published: {published}\n  {reason or 'NOT EXPLAINED'}")
    alike = len(ours) - unexplained - explained
    print(f"{len(ours)} cases, {alike} alike, {explained} differ for a known reason, {unexplained} without one")
    if len(ours) < 10000:
        print("too few cases")
        return 1
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
