"""The packages that the tests need, for Windows."""

from __future__ import annotations

from pathlib import Path

from scripts.tools import environments
from scripts.tools.downloads import for_platform
from scripts.windows.complex_math import fill
from scripts.windows.machine import CACHE, HERE


def packages() -> Path:
    """Return the folder with the packages that the tests need, for Windows."""
    options = ["--no-compile", *for_platform("win_amd64")]
    folder = environments.packages(CACHE / "packages", HERE / "requirements.txt", options=options)
    fill(folder)
    return folder
