"""Compiles the programs of the demo: the C++ extension for both runtimes, and a pure Go program to compare with."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "demo"


class Missing(Exception):
    """The demo lacks something; the message says how to get it."""


def stock_package() -> Path:
    """The folder of the installed apache-tvm-ffi. It is not imported, because that would load its runtime here too."""
    spec = importlib.util.find_spec("tvm_ffi")
    if spec is None or not spec.submodule_search_locations:
        raise Missing(f"apache-tvm-ffi is not installed; run: {sys.executable} -m pip install apache-tvm-ffi")
    return Path(next(iter(spec.submodule_search_locations)))


def need(command: str, install: str) -> str:
    path = shutil.which(command)
    if path is None:
        raise Missing(f"{command} was not found in PATH; install it with: {install}")
    return path


def run(*command: object) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        raise Missing(f"{' '.join(str(c) for c in command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_echo(library: Path, name: str) -> Path:
    """Compile cpp/echo.cc with the headers of the stock wheel and link it to one runtime."""
    out = OUT / name
    out.parent.mkdir(parents=True, exist_ok=True)
    compiler = [need("g++", "apt-get install g++"), "-std=c++17", "-O2", "-fPIC", "-shared"]
    # No symbol may stay undefined: that library has every function that the headers use.
    link = [f"-L{library.parent}", f"-l{library.stem[3:]}", "-Wl,--no-undefined", f"-Wl,-rpath,{library.parent}"]
    run(*compiler, f"-I{stock_package() / 'include'}", HERE / "cpp" / "echo.cc", "-o", out, *link)
    return out


def needed_libraries(path: Path) -> list:
    """The libraries that a shared object is linked to."""
    text = run(need("readelf", "apt-get install binutils"), "-d", path)
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text)


def go_summary(path: Path) -> dict:
    """Headings, links and text of a file, from a Go program with goldmark and without selfsame."""
    binary = OUT / "mdtree"
    run(need("go", "https://go.dev/dl"), "build", "-o", binary, "./examples/markdown/cmd/mdtree")
    return json.loads(run(binary, path))


def stock_summary(library: Path, path: Path) -> dict:
    """Headings and text of a file, from the same library in a process with the stock package only."""
    return json.loads(run(sys.executable, HERE / "demo_stock.py", library, path))


def speed(package: str, extension: Path, *options: str) -> dict:
    """Nanoseconds of each operation of demo_speed.py, measured in another process."""
    return json.loads(run(sys.executable, HERE / "demo_speed.py", package, extension, *options))
