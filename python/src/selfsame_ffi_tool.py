"""The console script ``selfsame-ffi``: runs the command line tool that the package `selfsame_ffi` carries.

A module of its own, so that the tool starts without the runtime.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Become the tool, with this process's arguments. SystemExit when the package was built without it."""
    tool = Path(__file__).resolve().parent / "selfsame_ffi" / "bin" / "selfsame-ffi"
    if not tool.is_file():
        sys.exit(
            "selfsame-ffi: this selfsame-ffi was built without the command line tool; "
            "install a wheel of it, or run `pip install .` in a checkout where Go is installed"
        )
    os.execv(tool, [str(tool), *sys.argv[1:]])
