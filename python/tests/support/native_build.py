"""Builds the C++ test extension and the module `faults`, once for each set of sources, headers and compiler.

Where the tests run without compilers, SELFSAME_TEST_BUILT is the folder of what was compiled for them elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest
from repository import FIXTURES, ROOT

SOURCE = FIXTURES / "native" / "extension.cc"
FAULTS = SOURCE.with_name("faults.c")
ABI = ROOT / "abi" / "include"


def headers() -> Path:
    """The include folder of the published apache-tvm-ffi package, found without importing it."""
    given = os.environ.get("TVM_FFI_INCLUDE")
    if given:
        return Path(given)
    spec = importlib.util.find_spec("tvm_ffi")
    for folder in spec.submodule_search_locations or [] if spec else []:
        if (Path(folder) / "include" / "tvm" / "ffi" / "c_api.h").is_file():
            return Path(folder) / "include"
    unpacked = (
        Path(sys.prefix) / "share" / "tvm_ffi" / "include"
    )  # by scripts/venv.sh, where the wheel does not install
    if unpacked.is_dir():
        return unpacked
    raise RuntimeError(
        "the tests need the headers of apache-tvm-ffi: pip install apache-tvm-ffi, or set TVM_FFI_INCLUDE"
    )


def digest_of(include: Path) -> bytes:
    """A digest of the headers' names and contents, so that environments with the same headers share one build."""
    digest = hashlib.sha256()
    for header in sorted(include.rglob("*.h")):
        digest.update(f"{header.relative_to(include)}\n".encode() + header.read_bytes())
    return digest.digest()


def compiler_environment() -> dict[str, str]:
    """The environment of this process without LD_PRELOAD, which may name a sanitizer that a compiler must not load."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def brought(name: str) -> Path | None:
    """Path of what SELFSAME_TEST_BUILT has under this name, None without that variable. A test that needs what is not
    there is skipped."""
    folder = os.environ.get("SELFSAME_TEST_BUILT")
    if not folder:
        return None
    path = Path(folder) / name
    if not path.exists():
        pytest.skip(f"{name} is not among what was compiled for this machine")
    return path


def build() -> Path:
    """Path of the test extension, built when it is missing."""
    return build_cpp(SOURCE, "-O1", "-g", "-fvisibility=hidden", "-pthread")


def build_cpp(source: Path, *flags: str) -> Path:
    """Path of a shared library made of a C++ source, which may include those in `native`, built when it is missing."""
    if there := brought(f"{source.stem}.dll"):
        return there
    include = headers()
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise RuntimeError("the tests need a C++ compiler: install g++, or set CXX")
    digest = hashlib.sha256()
    for part in (source, *sorted(SOURCE.parent.glob("*.*"))):
        digest.update(part.read_bytes())
    digest.update(digest_of(include) + " ".join([source.name, compiler, *flags]).encode())
    folder = Path(tempfile.gettempdir()) / f"selfsame-tests-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{source.stem}-{digest.hexdigest()[:16]}.so"
    if not target.exists():
        scratch = target.with_suffix(f".{os.getpid()}.so")
        if sys.platform == "darwin":  # whose linker wants to know that symbols come from what is loaded
            flags = (*flags, "-undefined", "dynamic_lookup")
        command = [compiler, "-std=c++17", "-shared", "-fPIC", *flags, f"-I{include}", str(source), "-o", str(scratch)]
        subprocess.run(command, check=True, env=compiler_environment())
        _publish(scratch, target)
    return target


def _publish(scratch: Path, target: Path) -> None:
    """Give a built file its name. What another run of the tests has built first stays: it may be loaded already."""
    with contextlib.suppress(FileExistsError):
        os.link(scratch, target)
    scratch.unlink()


def build_faults() -> Path:
    """Path of the extension module `faults` for this interpreter, built when it is missing."""
    if there := brought("faults.pyd"):
        return there
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise RuntimeError("the tests need a C compiler: install gcc, or set CC")
    include = sysconfig.get_paths()["include"]
    digest = hashlib.sha256(FAULTS.read_bytes() + f"{include} {compiler} {sys.version}".encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"selfsame-tests-{os.getuid()}" / f"faults-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"faults{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not target.exists():
        scratch = target.with_suffix(f".{os.getpid()}.tmp")
        command = [compiler, "-std=gnu11", "-O1", "-g", "-shared", "-fPIC", f"-I{include}", f"-I{ABI}"]
        subprocess.run([*command, str(FAULTS), "-ldl", "-o", str(scratch)], check=True, env=compiler_environment())
        _publish(scratch, target)
    return target
