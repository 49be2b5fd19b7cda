"""musl, CPython for it, and what is fetched for it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "scripts" / "wheels"))

from targets import CACHE as WHEELS  # noqa: E402
from targets import named  # noqa: E402

CACHE = WHEELS.parent / "musl"
OUTPUT = ROOT / "build" / "musl"
(TARGET,) = named(["x86_64-musl"])
LOADER = Path("/lib/ld-musl-x86_64.so.1")
DEBIAN = ["musl", "musl-dev", "musl-tools", "autoconf", "automake", "libtool"]
PYTHON = "3.13"


def run(*command: str, env: dict[str, str] | None = None, folder: Path = ROOT) -> str:
    """Return the output of a command in a folder; the program ends with it when the command fails."""
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"musl: {' '.join(command)[:200]} ended with status {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def progress(text: str) -> None:
    """Tell the user what is done now."""
    print(f"musl: {text}", flush=True)


def install() -> None:
    """Install musl and what CPython is built with, or say which packages are missing."""
    if LOADER.exists() and all(map(shutil.which, ("musl-gcc", "autoreconf", "libtoolize"))):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"musl: install {', '.join(DEBIAN)} (names of Debian's packages)")
    progress(f"installing {', '.join(DEBIAN)}")
    run("apt-get", "update", "-qq")
    run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *DEBIAN)


def pythons(tools: Path) -> tuple[Path, Path]:
    """Return CPython with the musl of this system, and with the newest of Debian's. They are built when they are
    missing, with the programs in `tools`."""
    folder = CACHE / "python"
    if not (folder / ".complete").is_file():
        progress(f"building CPython {PYTHON} with musl (minutes)")
        env = {**os.environ, "SELFSAME_CACHE": str(CACHE.parent), "PATH": f"{os.environ['PATH']}:{tools}"}
        run(str(ROOT / "scripts" / "get_pythons.sh"), f"{PYTHON}musl", env=env)
    if not (folder / ".complete").is_file():
        sys.exit("musl: CPython could not be built; run scripts/get_pythons.sh 3.13musl to see why")
    return folder / "bin" / f"python{PYTHON}", folder / "bin" / f"python{PYTHON}-newest"


def installed(python: Path, folders: list[Path]) -> Path:
    """Return the interpreter of a new virtual environment that has what is in some folders."""
    folder = OUTPUT / "venv"
    shutil.rmtree(folder, ignore_errors=True)
    run(str(python), "-m", "venv", "--without-pip", str(folder))
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "musl.pth").write_text("".join(f"{path}\n" for path in folders))
    return folder / "bin" / "python"


def packages() -> Path:
    """Return the folder with the packages that the tests need, for musl."""
    folder, wanted = CACHE / "packages", (HERE / "requirements.txt").read_text()
    stamp = folder / ".requirements"
    if not (stamp.is_file() and stamp.read_text() == wanted):
        progress("fetching the packages of the tests for musl")
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--only-binary", ":all:", "--platform", TARGET.platform, "--python-version", PYTHON]
        requirements = ["-r", str(HERE / "requirements.txt"), "--target", str(folder), "--no-compile"]
        run(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", *options, *requirements)
        stamp.write_text(wanted)
    return folder


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


def start(
    python: Path, env: dict[str, str], arguments: list[str], seconds: float
) -> subprocess.CompletedProcess[str] | None:
    """Run CPython with the arguments. Return None when it did not end in time."""
    command = [str(python), "-X", "faulthandler", *arguments]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
    return subprocess.CompletedProcess(command, process.returncode, output)
