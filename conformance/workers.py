"""Cases that run in processes of their own, so that one which ends its process takes no other with it.

A worker prints a line of JSON before and after each case: its number, its name, and None or its outcome. It begins at
the case that its last argument numbers.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable


def outcomes(
    command: list[str], ended: Callable[[subprocess.CompletedProcess[str]], str], env: dict[str, str] | None = None
) -> dict[str, str]:
    """Return the outcome of every case. After a case that ends its process, whose outcome `ended` tells, a new process
    goes on. RuntimeError when a process fails outside of a case."""
    found: dict[str, str] = {}
    first = 0
    while True:
        worker = subprocess.run([*command, str(first)], capture_output=True, text=True, errors="replace", env=env)
        begun = None
        for line in worker.stdout.splitlines():
            number, name, outcome = json.loads(line)
            begun = (number, name) if outcome is None else None
            if outcome is not None:
                found[name] = outcome
        if worker.returncode == 0:
            return found
        if begun is None:
            raise RuntimeError(f"{' '.join(command)} fails outside of a case:\n{worker.stderr}")
        found[begun[1]] = ended(worker)
        first = begun[0] + 1
