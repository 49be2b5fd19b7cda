"""Builds the kernels of the tests on a GPU with nvcc, once for each set of sources and headers."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import native_build
from repository import FIXTURES

SOURCE = FIXTURES / "cuda" / "kernels.cu"


def compiler() -> str | None:
    """The path of nvcc, which is in PATH or in the toolkit's folder; None without one."""
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    return shutil.which("nvcc") or next(
        (path for home in filter(None, homes) if (path := shutil.which("nvcc", path=f"{home}/bin"))), None
    )


def build(source: Path = SOURCE, *flags: str) -> Path:
    """Path of a shared library made of a CUDA source for the GPU of this machine, built when it is missing.

    Raises RuntimeError without nvcc, and CalledProcessError when it refuses the source.
    """
    nvcc = compiler()
    if nvcc is None:
        raise RuntimeError("the tests on a GPU need nvcc: put it into PATH, or set CUDA_HOME")
    include = native_build.headers()
    key = source.read_bytes() + native_build.digest_of(include) + " ".join([nvcc, *flags]).encode()
    folder = Path(tempfile.gettempdir()) / f"selfsame-tests-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{source.stem}-{hashlib.sha256(key).hexdigest()[:16]}.so"
    if not target.exists():
        scratch = target.with_suffix(f".{os.getpid()}.so")
        command = [nvcc, "-std=c++17", "-O2", "-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden,-pthread"]
        command += [*(flags or ("-arch=native",)), f"-I{include}", str(source), "-o", str(scratch)]
        subprocess.run(command, check=True, env=native_build.compiler_environment())
        scratch.replace(target)
    return target
