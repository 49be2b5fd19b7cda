"""musl, CPython for it, and what is fetched for it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.tools import debian
from scripts.tools.commands import ROOT, progress, run
from scripts.tools.downloads import for_platform
from scripts.tools.environments import packages, venv
from scripts.tools.processes import start
from scripts.wheels.targets import CACHE as WHEELS
from scripts.wheels.targets import named

HERE = Path(__file__).resolve().parent
CACHE = WHEELS.parent / "musl"
OUTPUT = ROOT / "build" / "musl"
(TARGET,) = named(["x86_64-musl"])
LOADER = Path("/lib/ld-musl-x86_64.so.1")
DEBIAN = ["musl", "musl-dev", "musl-tools", "autoconf", "automake", "libtool"]
PYTHON = "3.13"


def install() -> None:
    """Install musl and what CPython is built with, or say which packages are missing."""
    if LOADER.exists() and all(map(shutil.which, ("musl-gcc", "autoreconf", "libtoolize"))):
        return
    debian.install(*DEBIAN)


def pythons(tools: Path) -> tuple[Path, Path]:
    """Return CPython with the musl of this system, and with the newest of Debian's. They are built when they are
    missing, with the programs in `tools`."""
    folder = CACHE / "python"
    if not (folder / ".complete").is_file():
        progress(f"building CPython {PYTHON} with musl (minutes)")
        env = {**os.environ, "SELFSAME_CACHE": str(CACHE.parent), "PATH": f"{os.environ['PATH']}:{tools}"}
        run("scripts/get_pythons.sh", f"{PYTHON}musl", env=env)
    if not (folder / ".complete").is_file():
        sys.exit("musl: CPython could not be built; run scripts/get_pythons.sh 3.13musl to see why")
    return folder / "bin" / f"python{PYTHON}", folder / "bin" / f"python{PYTHON}-newest"


def installed(python: Path, folders: list[Path]) -> Path:
    """Return the interpreter of a new virtual environment that has what is in some folders."""
    folder = OUTPUT / "venv"
    shutil.rmtree(folder, ignore_errors=True)
    venv(folder, "--without-pip", python=python)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "musl.pth").write_text("".join(f"{path}\n" for path in folders))
    return folder / "bin" / "python"


def packages_of_tests() -> Path:
    """Return the folder with the packages that the tests need, for musl."""
    options = ["--no-compile", *for_platform(TARGET.platform, PYTHON)]
    return packages(CACHE / "packages", HERE / "requirements.txt", options=options)


def environment(**more: str) -> dict[str, str]:
    """Return the environment in which programs that run with musl compile for it, with the compilers of the wheels."""
    programs = {}
    # zig turns on a sanitizer that needs its own library, and links to the unwinder for C++ only. The published headers
    # want to be told that this is musl.
    for name, compiler, flag in (("CC", "cc", "-lunwind"), ("CXX", "c++", "-D__MUSL__")):
        path = OUTPUT / "bin" / name.lower()
        path.parent.mkdir(parents=True, exist_ok=True)
        program = shlex.quote(str(WHEELS / "bin" / f"{compiler}-{TARGET.name}"))
        path.write_text(f'#!/bin/sh\nexec {program} -fno-sanitize=all -Qunused-arguments {flag} "$@"\n')
        path.chmod(0o755)
        programs[name] = str(path)
    folders = os.environ["PATH"].split(os.pathsep)
    return {
        **os.environ,
        **programs,
        "CGO_ENABLED": "1",
        "CGO_CFLAGS": "-O2 -g0",
        "CGO_CXXFLAGS": "-O2 -g0",
        "CGO_LDFLAGS": "-dynamic",  # else zig links programs statically, and they can open no library
        # This machine's Rust makes libraries for glibc.
        "PATH": os.pathsep.join(folder for folder in folders if not (Path(folder) / "cargo").exists()),
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }


def run_python(
    python: Path, env: dict[str, str], arguments: list[str], seconds: float
) -> subprocess.CompletedProcess[str] | None:
    """Run CPython with the arguments. Return None when it did not end in time."""
    return start([str(python), "-X", "faulthandler", *arguments], env, seconds)
