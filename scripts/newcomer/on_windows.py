"""CPython for Windows under wine, with the wheel of selfsame-ffi that `make windows` left and what is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.tools.commands import ROOT, VERSION
from scripts.tools.downloads import for_platform
from scripts.tools.environments import pip
from scripts.windows import machine

WHEELS = ROOT / "build" / "windows" / "dist"


class Windows:
    """A folder of packages for CPython 3.13 on Windows. Skips the test where `make windows` was not run."""

    def __init__(self, site: Path) -> None:
        if not Path(machine.WINE).is_file() or not list(WHEELS.glob(f"selfsame_ffi-{VERSION}-*-win_amd64.whl")):
            pytest.skip("needs wine and the wheel of selfsame-ffi for Windows: make windows")
        self.site, self.folder = site, machine.python_folder()

    def install(self, wheel: Path) -> None:
        """Let pip choose for Windows: it refuses wheels whose tags do not fit."""
        pip("install", *for_platform("win_amd64"), "--no-index", "--find-links", WHEELS, "--target", self.site, wheel)

    def python(self, *arguments: str) -> str:
        """What a program prints, which must end well within five minutes."""
        paths = ";".join(machine.windows_path(path) for path in (self.site, machine.HERE / "wine"))
        done = machine.under_wine(self.folder, list(arguments), 300, PYTHONPATH=paths)
        assert isinstance(done, subprocess.CompletedProcess), "it did not end"
        assert done.returncode == 0, done.stdout
        return done.stdout
