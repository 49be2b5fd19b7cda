"""The entry points that other programs call: the console script ``selfsame-ffi``, and PyInstaller's hooks.

A module of its own, so that these start without the runtime.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Become the tool, with this process's arguments; on Windows run it and end with its status. SystemExit when the
    package was built without it."""
    name = "selfsame-ffi.exe" if sys.platform == "win32" else "selfsame-ffi"
    tool = Path(__file__).resolve().parent / "selfsame_ffi" / "bin" / name
    if not tool.is_file():
        sys.exit(
            "selfsame-ffi: this selfsame-ffi was built without the command line tool; "
            "install a wheel of it, or run `pip install .` in a checkout where Go is installed"
        )
    command = [str(tool), *sys.argv[1:]]
    if sys.platform == "win32":  # a console that ran execv would not wait for the new process
        sys.exit(subprocess.run(command).returncode)
    os.execv(tool, command)


def pyinstaller_hooks() -> list[str]:
    """Return the folder of the hooks by which PyInstaller finds the runtime's libraries."""
    return [str(Path(__file__).resolve().parent / "selfsame_ffi" / "_pyinstaller")]
