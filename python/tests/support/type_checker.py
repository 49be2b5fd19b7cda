"""mypy on files that tests write."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[3] / "build"
CHECKERS = BUILD / "check-venv" / "bin" / "mypy"  # `make check` installs it


def complaints(folder: Path, *files: str, modules: Path) -> str:
    """All that ``mypy --strict`` says of files in a folder, which may import what is in the folder `modules`.

    Skips the test on a machine without mypy, and where mypy runs on an older CPython.
    """
    if importlib.util.find_spec("mypy") is not None:
        command = [sys.executable, "-m", "mypy"]
    elif CHECKERS.is_file():
        (version,) = (int(path.name.rpartition(".")[2]) for path in CHECKERS.parents[1].glob("lib/python3.*"))
        if sys.version_info[:2] > (3, version):
            pytest.skip(f"mypy runs on CPython 3.{version}, and cannot parse the newer syntax of packages for this one")
        command = [str(CHECKERS), "--python-executable", sys.executable]
    else:
        pytest.skip("mypy is not installed: `make check` installs it")
    command += ["--strict", "--no-error-summary", "--cache-dir", str(BUILD / "mypy-tests"), *files]
    environment = {**os.environ, "MYPYPATH": str(modules)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, cwd=folder, env=environment)
    said = done.stdout + done.stderr
    assert bool(said) == bool(done.returncode), (done.returncode, said)
    return said
