"""Upstream's source distribution, and an environment with the wheel of the same release, fetched with pip."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from scripts.tools import environments
from scripts.tools.commands import run
from scripts.tools.downloads import source_distribution

# The packages that upstream's Python tests import, as far as they install everywhere. Tests of PyTorch and of GPUs skip
# themselves.
PACKAGES = ("ml_dtypes", "ninja", "numpy", "pytest", "pytest-timeout", "pytest-xdist", "setuptools")


def newest_release(python: Path) -> str:
    """The version of the newest published apache-tvm-ffi."""
    found = re.match(
        r"apache-tvm-ffi \(([^)]+)\)", environments.pip("index", "versions", "apache-tvm-ffi", python=python)
    )
    if found is None:
        raise SystemExit("pip does not say which version of apache-tvm-ffi is the newest")
    return found.group(1)


def sources(folder: Path, release: str) -> Path:
    """The unpacked source distribution of a release, downloaded when it is missing."""
    return source_distribution(folder, "apache-tvm-ffi", release)


def environment(folder: Path, release: str) -> Path:
    """The Python of a virtual environment with the release's wheel and PACKAGES, made when it is missing."""
    return environments.environment(folder / "venv", f"apache-tvm-ffi=={release}", *PACKAGES) / "python"


def package(folder: Path, python: Path, library: Path | None) -> Path:
    """A folder with a copy of the environment's package tvm_ffi, with `library` in the place of its own.

    None keeps its own.
    """
    code = "import importlib.util; print(importlib.util.find_spec('tvm_ffi').submodule_search_locations[0])"
    installed = Path(run(python, "-c", code).strip())
    target = folder / ("package-stock" if library is None else "package-selfsame")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(installed, target / "tvm_ffi")
    for facts in installed.parent.glob("apache_tvm_ffi-*.dist-info"):  # the package finds its library through them
        shutil.copytree(facts, target / facts.name)
    if library is not None:
        shutil.copyfile(library, target / "tvm_ffi" / "lib" / "libtvm_ffi.so")
    return target
