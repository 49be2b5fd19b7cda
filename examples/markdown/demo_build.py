"""Compiles what the demo compares with: the C++ extension for both runtimes, and a pure Go program."""

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
    """Something the demo needs is not there; the text says what to do."""


def stock_package() -> Path:
    """The folder of the installed apache-tvm-ffi, found without importing it: two runtimes would share the process."""
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
    """cpp/echo.cc with the headers of the stock wheel, linked to one runtime."""
    out = OUT / name
    out.parent.mkdir(parents=True, exist_ok=True)
    compiler = [need("g++", "apt-get install g++"), "-std=c++17", "-O2", "-fPIC", "-shared"]
    # Nothing may stay undefined: all that the headers ask for is in the one library.
    link = [f"-L{library.parent}", f"-l{library.stem[3:]}", "-Wl,--no-undefined", f"-Wl,-rpath,{library.parent}"]
    run(*compiler, f"-I{stock_package() / 'include'}", HERE / "cpp" / "echo.cc", "-o", out, *link)
    return out


def needed_libraries(path: Path) -> list:
    """The libraries that a shared object asks the loader for."""
    text = run(need("readelf", "apt-get install binutils"), "-d", path)
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text)


def go_summary(path: Path) -> dict:
    """What goldmark finds in a file, printed by a Go program that knows nothing of selfsame."""
    binary = OUT / "mdtree"
    run(need("go", "https://go.dev/dl"), "build", "-o", binary, "./examples/markdown/cmd/mdtree")
    return json.loads(run(binary, path))


def stock_summary(library: Path, path: Path) -> dict:
    """What demo_stock.py finds in a file: the same library in a process with the stock package only."""
    return json.loads(run(sys.executable, HERE / "demo_stock.py", library, path))


def speed(package: str, extension: Path, *options: str) -> dict:
    """Nanoseconds for each operation of demo_speed.py, measured in a process of its own."""
    return json.loads(run(sys.executable, HERE / "demo_speed.py", package, extension, *options))
