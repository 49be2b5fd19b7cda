"""Wine, the compilers, CPython for Windows and what is fetched for it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
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


def run(*command: str, env: dict[str, str] | None = None, folder: Path = ROOT) -> str:
    """Return the output of a command in a folder; the program ends with it when the command fails."""
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
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


def lost_its_main_thread(process: int) -> bool:
    """Whether the main thread has ended and others have not: wine ends that thread alone after a stack overflow."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(os.listdir(f"/proc/{process}/task")) > 1
    except OSError:
        return False


def under_wine(
    python: Path, arguments: list[str], seconds: float, **more: str
) -> subprocess.CompletedProcess[str] | None:
    """Run CPython under wine with the arguments and more variables. Return None when it did not end in time."""
    env = {**prefix(), **more}
    command = [WINE, str(python / "python.exe"), "-X", "faulthandler", *arguments]
    # wine gives python.exe no standard input unless it is a pipe.
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        last = time.monotonic() + seconds
        text: str | None = "\n"
        while True:
            try:
                output, _ = process.communicate(text, timeout=5)
                break
            except subprocess.TimeoutExpired:
                text = None
                lost = lost_its_main_thread(process.pid)
                if not lost and time.monotonic() < last:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                if not lost:
                    return None
                output += "windows: the main thread ended, and other threads did not\n"
                break
    return subprocess.CompletedProcess(command, process.returncode, output)
