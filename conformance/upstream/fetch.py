"""Upstream's source distribution, and an environment with the wheel of the same release, fetched with pip."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

# The packages that upstream's Python tests import, as far as they install everywhere. Tests of PyTorch and of GPUs skip
# themselves.
PACKAGES = ("ml_dtypes", "ninja", "numpy", "pytest", "pytest-timeout", "pytest-xdist", "setuptools")


def _pip(python: Path, *arguments: str) -> str:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def newest_release(python: Path) -> str:
    """The version of the newest published apache-tvm-ffi."""
    found = re.match(r"apache-tvm-ffi \(([^)]+)\)", _pip(python, "index", "versions", "apache-tvm-ffi"))
    if found is None:
        raise SystemExit("pip does not say which version of apache-tvm-ffi is the newest")
    return found.group(1)


def sources(folder: Path, release: str) -> Path:
    """The unpacked source distribution of a release, downloaded when it is missing."""
    target = folder / f"apache_tvm_ffi-{release}"
    if not target.is_dir():
        print(f"downloading the source distribution of apache-tvm-ffi {release}", flush=True)
        scratch = folder / "download"
        shutil.rmtree(scratch, ignore_errors=True)
        wanted = ["--no-binary", "apache-tvm-ffi", f"apache-tvm-ffi=={release}"]
        _pip(Path(sys.executable), "download", "-q", "--no-deps", "--dest", str(scratch), *wanted)
        with tarfile.open(next(scratch.glob("*.tar.gz"))) as archive:
            archive.extractall(scratch)
        (scratch / target.name).rename(target)
    return target


def environment(folder: Path, release: str) -> Path:
    """The Python of a virtual environment with the release's wheel and PACKAGES, made when it is missing."""
    python = folder / "venv" / "bin" / "python"
    stamp = folder / "venv" / f".{release}"
    if not stamp.exists():
        print(f"making an environment with apache-tvm-ffi {release}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], check=True)
        _pip(python, "install", "-q", f"apache-tvm-ffi=={release}", *PACKAGES)
        stamp.touch()
    return python


def package(folder: Path, python: Path, library: Path | None) -> Path:
    """A folder with a copy of the environment's package tvm_ffi, with `library` in the place of its own.

    None keeps its own.
    """
    code = "import importlib.util; print(importlib.util.find_spec('tvm_ffi').submodule_search_locations[0])"
    installed = Path(
        subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    )
    target = folder / ("package-stock" if library is None else "package-selfsame")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(installed, target / "tvm_ffi")
    for facts in installed.parent.glob("apache_tvm_ffi-*.dist-info"):  # the package finds its library through them
        shutil.copytree(facts, target / facts.name)
    if library is not None:
        shutil.copyfile(library, target / "tvm_ffi" / "lib" / "libtvm_ffi.so")
    return target
