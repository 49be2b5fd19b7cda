"""The packages that the tests need, for Windows."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from complex_math import fill
from machine import CACHE, HERE, progress, run


def packages() -> Path:
    """Return the folder with the packages that the tests need, for Windows."""
    folder, wanted = CACHE / "packages", (HERE / "requirements.txt").read_text()
    stamp = folder / ".requirements"
    if not (stamp.is_file() and stamp.read_text() == wanted):
        progress("fetching the packages of the tests for Windows")
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--only-binary", ":all:", "--platform", "win_amd64", "--python-version", "3.13"]
        requirements = ["-r", str(HERE / "requirements.txt"), "--target", str(folder)]
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
        run(*pip, *options, *requirements)
        fill(folder)
        stamp.write_text(wanted)
    return folder
