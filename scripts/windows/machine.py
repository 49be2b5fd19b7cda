"""Wine, the compilers, CPython for Windows and what is fetched for it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from scripts.tools import commands, debian
from scripts.tools.commands import ROOT, progress, run
from scripts.tools.downloads import artifact, download, for_platform, unpack
from scripts.tools.processes import start

HERE = Path(__file__).resolve().parent
CACHE = commands.CACHE / "windows"
OUTPUT = ROOT / "build" / "windows"
CC, CXX = "x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-g++-posix"
WINE = "/usr/lib/wine/wine64"  # Debian's package puts it beside PATH
DEBIAN = ["wine64", "gcc-mingw-w64-x86-64-posix", "g++-mingw-w64-x86-64-posix"]
PYTHON_ARTIFACT = "org.bytedeco:cpython:3.13.0-1.5.11:jar:windows-x86_64"
PEER = "apache-tvm-ffi==0.1.15.post2"


def install() -> None:
    """Install wine and the compilers, or say which packages are missing."""
    if Path(WINE).is_file() and shutil.which(CC) and shutil.which(CXX):
        return
    debian.install(*DEBIAN)


def python_folder() -> Path:
    """Return the folder with python.exe, its headers and import libraries."""
    folder = CACHE / "python"
    found = folder / "org" / "bytedeco" / "cpython" / "windows-x86_64"
    if not (found / "python.exe").is_file():
        unpack(artifact(PYTHON_ARTIFACT, CACHE), folder)
    return found


def peer() -> Path:
    """Return the folder with the unpacked stock package for Windows."""
    folder = CACHE / PEER.replace("==", "-")
    if not (folder / "tvm_ffi").is_dir():
        for wheel in download(CACHE / "wheels", PEER, options=for_platform("win_amd64")):  # with what it depends on
            unpack(wheel, folder)
    return folder


def prefix() -> dict[str, str]:
    """Return the environment for wine, whose folder is made when it is missing."""
    folder = CACHE / "wine"
    env = {**os.environ, "WINEPREFIX": str(folder), "WINEDEBUG": "-all,err+seh,err+virtual"}
    system = folder / "drive_c" / "windows" / "system32"
    if not system.is_dir():
        progress("setting up wine")
        run(WINE, "wineboot", "-i", env=env)
    library = system / "bcryptprimitives.dll"
    if not library.is_file():
        run(CC, "-shared", "-o", library, HERE / "bcryptprimitives.c", "-ladvapi32")
    return env


def windows_path(path: Path) -> str:
    """Return the path as programs under wine see it."""
    return "Z:" + str(path).replace("/", "\\")


def under_wine(
    python: Path, arguments: list[str], seconds: float, **more: str
) -> subprocess.CompletedProcess[str] | None:
    """Run CPython under wine with the arguments and more variables. Return None when it did not end in time."""
    env = {**prefix(), **more}
    command = [WINE, str(python / "python.exe"), "-X", "faulthandler", *arguments]
    return start(command, env, seconds)  # wine gives python.exe no standard input unless it is a pipe
