"""The folder and the environment of a new user, one for all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from scripts.newcomer import newcomer
from scripts.tools.commands import clean_environment
from scripts.tools.environments import environment, pip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("newcomer")


@pytest.fixture(scope="session")
def env(folder: Path) -> dict[str, str]:
    """The environment of somebody who has never used Go here: with wheels and a proxy."""
    other = newcomer.other_python()
    if other is None:
        pytest.skip("needs another CPython on this machine: scripts/get_pythons.sh sets some up")
    for python in (sys.executable, other):
        newcomer.build_wheel(python, folder)
    for version in (newcomer.VERSION, newcomer.EARLIER):
        newcomer.write_proxy(folder, version)
    venv = folder / "venv"
    python = environment(venv, "pytest") / "python"
    pip("install", "--no-index", "--find-links", folder / "wheels", "selfsame-ffi", python=python)
    return clean_environment(
        PATH=f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
        VIRTUAL_ENV=str(venv),
        GOPROXY=f"file://{folder / 'proxy'}",
        GONOSUMDB="*",
        GOMODCACHE=str(folder / "modules"),
        GOFLAGS="-modcacherw",
        OTHER=other,
    )
