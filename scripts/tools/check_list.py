"""Checks in one process, a printed line for each."""

from __future__ import annotations

import traceback
from typing import Callable

CHECKS: list[tuple[str, Callable[[], None]]] = []


def check(function: Callable[[], None]) -> Callable[[], None]:
    """Add a check, whose name is that of the function."""
    CHECKS.append((function.__name__.replace("_", " "), function))
    return function


def run_checks() -> int:
    """Run all checks, and return how many failed."""
    failed = 0
    for name, run in CHECKS:
        try:
            run()
            print(f"passed   {name}", flush=True)
        except BaseException:  # noqa: BLE001  the table goes on
            failed += 1
            print(f"FAILED   {name}\n{traceback.format_exc()}", flush=True)
    return failed
