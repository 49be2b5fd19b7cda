"""Where things are in the repository, as the tests see it."""

import os
import subprocess
import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
FIXTURES = SUPPORT.parent / "fixtures"
ROOT = SUPPORT.parents[2]
SCRIPTS = ROOT / "scripts"

# A library that every machine of the system has and that has nothing of this project.
SYSTEM_LIBRARY = {"win32": "kernel32.dll", "darwin": "/usr/lib/libSystem.B.dylib"}.get(sys.platform, "libm.so.6")


def tracked_files() -> list[str]:
    """The paths of all files that git tracks, relative to ROOT."""
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def source_files(*suffixes: str, root: Path = ROOT) -> list[Path]:
    """The files below root whose names end in one of the suffixes, sorted.

    Never enters ``build`` or a hidden folder: other programs may be writing there.
    """
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "build" and not name.startswith(".")]
        found += [Path(folder, name) for name in names if name.endswith(suffixes)]
    return sorted(found)


def check_generated(script: str) -> None:
    """Fails when a page that the script of that name writes is out of date."""
    command = [sys.executable, "-m", f"scripts.{script}", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
