"""Wine, the compilers, CPython for Windows and what is fetched for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "scripts" / "parts"))

from steps import Steps, start  # noqa: E402

STEPS = Steps("windows")
run, progress = STEPS.run, STEPS.progress
CACHE = Path(os.environ.get("SELFSAME_CACHE") or Path.home() / ".cache" / "selfsame") / "windows"
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
    STEPS.install(DEBIAN)


def python_folder() -> Path:
    """Return the folder with python.exe, its headers and import libraries."""
    folder = CACHE / "python"
    found = folder / "org" / "bytedeco" / "cpython" / "windows-x86_64"
    if not (found / "python.exe").is_file():
        progress(f"fetching {PYTHON_ARTIFACT}")
        run("mvn", "-q", "dependency:get", "-Dtransitive=false", f"-Dartifact={PYTHON_ARTIFACT}")
        copy = ["-q", "dependency:copy", f"-Dartifact={PYTHON_ARTIFACT}", f"-DoutputDirectory={CACHE}"]
        run("mvn", *copy, "-Dmdep.useBaseVersion=true")
        (jar,) = CACHE.glob("cpython-*.jar")
        run(sys.executable, "-m", "zipfile", "-e", str(jar), str(folder))
    return found


def peer() -> Path:
    """Return the folder with the unpacked stock package for Windows."""
    folder = CACHE / PEER.replace("==", "-")
    if not (folder / "tvm_ffi").is_dir():
        progress(f"fetching {PEER} for Windows")
        options = ["--only-binary", ":all:", "--platform", "win_amd64", "--python-version", "3.13"]
        run(sys.executable, "-m", "pip", "download", "-q", *options, "-d", str(CACHE), PEER)
        for wheel in CACHE.glob("*.whl"):  # with what it depends on
            run(sys.executable, "-m", "zipfile", "-e", str(wheel), str(folder))
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
        run(CC, "-shared", "-o", str(library), str(HERE / "bcryptprimitives.c"), "-ladvapi32")
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
