"""Builds selfsame for Windows on x86-64 and tries it under wine: `make windows`.

It needs wine64 and mingw's C and C++ compilers with POSIX threads (as root on Debian it installs them), Maven, which
has CPython for Windows, and pip, which has the stock package apache-tvm-ffi for it. Downloads and wine's folder are
in ~/.cache/selfsame/windows (SELFSAME_CACHE names another folder), what is built is in build/windows.

Usage: scripts/windows/main.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("SELFSAME_CACHE") or Path.home() / ".cache" / "selfsame") / "windows"
OUTPUT = ROOT / "build" / "windows"
CC, CXX = "x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-g++-posix"
WINE = "/usr/lib/wine/wine64"  # Debian's package puts it beside PATH
DEBIAN = ["wine64", "gcc-mingw-w64-x86-64-posix", "g++-mingw-w64-x86-64-posix"]
PYTHON_ARTIFACT = "org.bytedeco:cpython:3.13.0-1.5.11:jar:windows-x86_64"
PEER = "apache-tvm-ffi==0.1.15.post2"
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wno-attributes", "-D_GNU_SOURCE", "-D__USE_MINGW_ANSI_STDIO=1"]
EXTENSION = "examples/geo/selfsame_extension_main"
SECONDS = 900  # for one program under wine


def run(*command: str, env: dict[str, str] | None = None) -> str:
    """Return the output of a command; the program ends with it when the command fails."""
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"windows: {' '.join(command)[:200]} ended with status {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def progress(text: str) -> None:
    """Tell the user what is done now."""
    print(f"windows: {text}", flush=True)


def install() -> None:
    """Install wine and the compilers, or say which packages are missing."""
    if Path(WINE).is_file() and shutil.which(CC) and shutil.which(CXX):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"windows: install {', '.join(DEBIAN)} (names of Debian's packages)")
    progress(f"installing {', '.join(DEBIAN)}")
    run("apt-get", "update", "-qq")
    run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *DEBIAN)


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
    env = {**os.environ, "WINEPREFIX": str(folder), "WINEDEBUG": "-all"}
    system = folder / "drive_c" / "windows" / "system32"
    if not system.is_dir():
        progress("setting up wine")
        run(WINE, "wineboot", "-i", env=env)
    library = system / "bcryptprimitives.dll"
    if not library.is_file():
        run(CC, "-shared", "-o", str(library), str(HERE / "bcryptprimitives.c"), "-ladvapi32")
    return env


def build_go(package: str, output: Path, *flags: str) -> None:
    """Build a shared library for Windows from a Go package."""
    progress(f"building {output.name}")
    env = {**os.environ, "CGO_ENABLED": "1", "GOOS": "windows", "GOARCH": "amd64", "CC": CC, "CXX": CXX}
    linker = '-s -w -extldflags "-static"'  # the compilers' own libraries are not on a user's machine
    go = os.environ.get("GO", "go")
    run(go, "build", "-buildmode=c-shared", *flags, "-ldflags", linker, "-o", str(output), package, env=env)


def build_core(python: Path, output: Path) -> None:
    """Build the package's extension module."""
    progress(f"building {output.name}")
    core, objects = ROOT / "python/src/selfsame_ffi/_core", OUTPUT / "objects"
    includes = [f"-I{ROOT / 'abi/include'}", f"-I{core}", f"-I{python / 'include'}"]

    def compiled(source: Path) -> str:
        made = objects / source.relative_to(core).with_suffix(".o")
        made.parent.mkdir(parents=True, exist_ok=True)
        run(CC, *FLAGS, *includes, "-c", "-o", str(made), str(source))
        return str(made)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(compiled, sorted(core.rglob("*.c"))))
    run(CC, "-shared", "-static", "-s", "-o", str(output), *made, str(python / "libs" / "python313.lib"))


def package(python: Path) -> Path:
    """Return a folder with the Python package for Windows."""
    site = OUTPUT / "site"
    shutil.rmtree(site, ignore_errors=True)
    ignored = shutil.ignore_patterns("_core", "__pycache__")
    shutil.copytree(ROOT / "python/src/selfsame_ffi", site / "selfsame_ffi", ignore=ignored)
    (site / "selfsame_ffi" / "lib").mkdir()
    build_go("./cmd/libselfsame", site / "selfsame_ffi" / "lib" / "tvm_ffi.dll")
    build_core(python, site / "selfsame_ffi" / "_core.pyd")
    build_go(f"./{EXTENSION}", OUTPUT / "geo.dll", "-tags", "selfsame_shared", "-overlay", str(overlay()))
    return site


def overlay() -> Path:
    """Write the main package of the example geo as a library, and the overlay that puts it in its place."""
    source, file = OUTPUT / "main.go", OUTPUT / "overlay.json"
    source.write_text('package main\n\nimport _ "github.com/selfsame-ffi/selfsame/examples/geo"\n\nfunc main() {}\n')
    file.write_text(json.dumps({"Replace": {str(ROOT / EXTENSION / "main.go"): str(source)}}))
    return file


def main() -> None:
    """Set up, build, run the checks, and end with their status."""
    CACHE.mkdir(parents=True, exist_ok=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    install()
    python, stock, env = python_folder(), peer(), prefix()
    site = package(python)
    progress("running the checks under wine")
    paths = [f"Z:{path}" for path in (site, OUTPUT / "geo.dll", stock)]
    command = [WINE, str(python / "python.exe"), "-X", "faulthandler", f"Z:{HERE / 'checks.py'}", *paths]
    # wine gives python.exe no standard input unless it is a pipe.
    done = subprocess.run(
        command, env=env, input="\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS
    )
    print(done.stdout, end="")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
