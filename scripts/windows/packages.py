"""The packages that the tests need, for Windows."""

from __future__ import annotations

from pathlib import Path

from complex_math import fill
from machine import CACHE, HERE, STEPS


def packages() -> Path:
    """Return the folder with the packages that the tests need, for Windows."""
    folder, requirements = CACHE / "packages", HERE / "requirements.txt"
    if STEPS.fetch(folder, requirements, "win_amd64"):
        fill(folder)
        STEPS.fetched(folder, requirements)
    return folder
