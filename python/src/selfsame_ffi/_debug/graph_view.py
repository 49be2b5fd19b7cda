"""Pictures and pages of graphs, which the command line tool makes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def tool() -> str | None:
    """Return the command line tool: that of this package, or the one in SELFSAME_TOOL or PATH; None for none."""
    own = Path(__file__).resolve().parent.parent / "bin" / "selfsame-ffi"
    if own.is_file():
        return str(own)
    return os.environ.get("SELFSAME_TOOL") or shutil.which("selfsame-ffi")


def render(data: str, form: str) -> str:
    """Return the output of ``selfsame-ffi graph --format FORM`` for a graph's JSON. RuntimeError when it fails or is
    missing."""
    path = tool()
    if path is None:
        raise RuntimeError(
            "selfsame-ffi: this package was built without the command line tool, which draws graphs; install a wheel "
            "of selfsame-ffi, or set SELFSAME_TOOL to the tool"
        )
    done = subprocess.run([path, "graph", "-", "--format", form], input=data.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{path} graph: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()
