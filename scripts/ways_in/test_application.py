"""An application with a Go package in it, put together by PyInstaller, runs where there is no Python."""

# Requirement: F7

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from scripts.newcomer import newcomer
from scripts.tools.commands import ROOT, clean_environment
from scripts.tools.commands import timed as run
from scripts.tools.environments import environment, pip

_APPLICATION = """import shop

accounts = [shop.Account("Ada", 1), shop.Account("Grace", 2)]
print(shop.total(accounts), accounts[0] is accounts[0])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an application and its environment, which has PyInstaller, selfsame-ffi and a Go package."""
    made = tmp_path_factory.mktemp("application")
    newcomer.build_wheel(sys.executable, made)
    programs = environment(made / "environment", "pyinstaller")
    pip("install", "--no-index", "--find-links", made / "wheels", "selfsame-ffi", python=programs / "python")
    env = clean_environment(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    run("selfsame-ffi", "new", "shop", "--replace", ROOT, env=env, cwd=made)
    run("selfsame-ffi", "build", "--wheel", ".", "-o", made / "own", env=env, cwd=made / "shop")
    pip("install", "--no-index", "--no-deps", *(made / "own").glob("*.whl"), python=programs / "python")
    (made / "till.py").write_text(_APPLICATION)
    return made


@pytest.mark.parametrize("kind", ["--onedir", "--onefile"])
def test_application_finds_the_runtime_and_the_package(folder: Path, kind: str, tmp_path: Path) -> None:
    work = ["--workpath", tmp_path / "work", "--specpath", tmp_path, "--distpath", tmp_path / "made"]
    run(folder / "environment/bin/pyinstaller", kind, *work, "--log-level", "WARN", "till.py", cwd=folder)
    shutil.move(tmp_path / "made", tmp_path / "elsewhere")
    program = tmp_path / "elsewhere" / ("till/till" if kind == "--onedir" else "till")
    assert run(program, env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path) == "3 True\n"
