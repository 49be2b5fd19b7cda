"""Runs a part of the Python suite with the wheel for 64-bit ARM, under qemu: identity, the states of wrappers, values,
functions, errors, and what happens after fork, whose code for ARM runs nowhere else.

The wheel is the one that `make wheels` left in build/dist for the version of Debian's CPython. FILES chooses tests.

Usage: scripts/wheels/arm64_tests.py [FILES]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from scripts.tools.commands import ROOT, Failed, clean_environment, progress
from scripts.wheels import arm64
from scripts.wheels.interpreters import interpreters
from scripts.wheels.targets import CACHE

_FILES = [
    "identity/test_identity.py",
    "identity/test_states.py",
    "identity/test_attributes_survive.py",
    "calls/test_convert.py",
    "classes/test_fields.py",
    "calls/test_functions.py",
    "calls/test_callbacks.py",
    "errors/test_errors.py",
    "identity/test_round_trip.py",
    "containers/test_array.py",
    "containers/test_map.py",
    "containers/test_structural_operations.py",
    "fork/test_fork.py",
    "fork/test_fork_runtime.py",
]
_PACKAGES = ["pytest>=8", "numpy>=1.26", "apache-tvm-ffi==0.1.15.post2"]


def main(files: list[str]) -> int:
    """Run the tests. Returns pytest's status."""
    if arm64.missing():
        raise Failed(arm64.missing())
    version = arm64.version()
    wheels = ROOT / "build" / "dist"
    if not list(wheels.glob(f"selfsame_ffi-*-cp{version.replace('.', '')}-*{arm64.TARGET.platform}.whl")):
        raise Failed(f'no wheel for it: make wheels WHEELS="--targets {arm64.TARGET.name} --pythons {version}"')
    folder = CACHE / "try" / "arm64-tests"
    shutil.rmtree(folder, ignore_errors=True)
    builder = interpreters([version])[0].builder()
    progress(f"installing the wheel and {', '.join(_PACKAGES)} for ARM")
    arm64.install(builder, wheels, folder, "selfsame-ffi")
    arm64.install(builder, wheels, folder, *_PACKAGES, online=True)
    programs = CACHE / "bin"
    env = clean_environment(
        PYTHONPATH=str(folder),
        CC=str(programs / f"cc-{arm64.TARGET.name}"),
        CXX=str(programs / f"c++-{arm64.TARGET.name}"),
    )
    chosen = [str(ROOT / "python" / "tests" / name) for name in files or _FILES]
    pytest = [str(arm64.python()), "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    os.nice(5)
    return subprocess.run(pytest, env=env, cwd=os.fspath(folder)).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
