"""Builds extensions in other languages and with the headers of other releases, once, into build/origins.

Each function returns the path of the built file, or raises Unavailable with the reason why it cannot be built here.
What most modules of tests ask for is built once in a process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import native_build
import selfsame_ffi._load.runtime
from repository import FIXTURES, ROOT

CACHE = ROOT / "build" / "origins"
SOURCES = FIXTURES / "native"

# The first one that the tests support, the last one whose Errors have no place for a cause, the last one before the
# yanked release, the yanked release, the installed one.
RELEASES = tuple(
    os.environ.get("SELFSAME_TEST_RELEASES", "0.1.0 0.1.7 0.1.12 0.1.13").split() + ["installed"]
)  # `make conformance-old` gives them all


class Unavailable(Exception):
    """A compiler, a package or a header is missing on this machine."""


@contextlib.contextmanager
def _locked(name: str):
    """Hold a file lock: several interpreters may run this suite at the same time."""
    import fcntl  # Windows has none, and nothing is built there

    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.read_bytes() if isinstance(part, Path) else str(part).encode())
    return digest.hexdigest()[:16]


# Packages of Go, one folder for each environment: suites of several interpreters run at the same time, each build
# replaces the file, and Go cannot be started again in a child of a process whose file was replaced.
PACKAGES = CACHE / f"packages-{_digest(sys.prefix)}"


def _run(command: list, **more) -> None:
    environment = {**native_build.compiler_environment(), **more.pop("env", {})}
    command = [str(part) for part in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(part) for part in command)} failed:\n{done.stdout[-4000:]}")


def headers(release: str) -> Path:
    """The include folder of a release of apache-tvm-ffi."""
    if release == "installed":
        return native_build.headers()
    folder = CACHE / f"headers-{release}"
    with _locked(f"headers-{release}"):
        if not (folder / "tvm_ffi" / "include").is_dir():
            _fetch(release, folder)
    return folder / "tvm_ffi" / "include"


def _fetch(release: str, folder: Path) -> None:
    # Not with_suffix, which would cut the release: several threads fetch one release each.
    scratch = folder.with_name(f"{folder.name}.{os.getpid()}")
    # The wheels of all interpreters have the same headers. pip fetches a yanked release only by its exact version.
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.11", "--dest", str(scratch)]
    done = subprocess.run([*command, f"apache-tvm-ffi=={release}"], capture_output=True, text=True)
    wheels = list(scratch.glob("*.whl")) if scratch.is_dir() else []
    if done.returncode != 0 or not wheels:
        shutil.rmtree(scratch, ignore_errors=True)
        raise Unavailable(f"pip cannot fetch apache-tvm-ffi {release}: {done.stderr.strip()[-300:]}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(scratch, [name for name in wheel.namelist() if name.startswith("tvm_ffi/include/")])
    wheels[0].unlink()
    shutil.rmtree(folder, ignore_errors=True)
    scratch.replace(folder)


def _compile(compiler: str, source: Path, flags: list, key: str) -> Path:
    command = shlex.split(compiler)
    path = shutil.which(command[0])
    if path is None:
        raise Unavailable(f"there is no {command[0]}")
    flags_that_count = [flag for flag in flags if not flag.startswith("-I")]  # `key` stands for the headers
    target = CACHE / f"{source.stem}-{_digest(source, compiler, key, *flags_that_count)}.so"
    with _locked(target.stem):
        if not target.exists():
            scratch = target.with_suffix(f".{os.getpid()}")
            _run(
                [path, *command[1:], "-O1", "-g", "-w", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread"]
                + flags
                + [source, "-o", scratch]
            )
            scratch.replace(target)
    return target


def cpp(release: str) -> Path:
    """Path of origin.cc compiled with the headers of a release. Its keys begin with cpp_prefix(release).

    "RELEASE+libc++" is with LLVM's C++ library, whose texts lie elsewhere in an object, by the package ziglang.
    """
    if there := native_build.brought(f"{cpp_prefix(release)}.dll"):
        return there
    include = headers(release.partition("+")[0])
    compiler, flags = os.environ.get("CXX", "g++"), ["-std=c++17", f'-DORIGIN="{cpp_prefix(release)}"', f"-I{include}"]
    if release.endswith("+libc++"):
        if importlib.util.find_spec("ziglang") is None:
            raise Unavailable("the package ziglang is not installed")
        compiler = f"{shlex.quote(sys.executable)} -m ziglang c++"
        flags += ["-fno-sanitize=undefined", "-Wl,-z,undefs"]
    return _compile(compiler, SOURCES / "origin.cc", flags, native_build.digest_of(include).hex())


def cpp_prefix(release: str) -> str:
    return "cpp_" + re.sub(r"\W", "_", release)


def c(name: str) -> Path:
    """Path of native/NAME.c compiled with this project's headers."""
    if there := native_build.brought(f"{name}.dll"):
        return there
    include = ROOT / "abi" / "include"
    header = include / "selfsame" / "c_api.h"
    return _compile(
        os.environ.get("CC", "gcc"), SOURCES / f"{name}.c", ["-std=gnu11", f"-I{include}", "-ldl"], _digest(header)
    )


@functools.cache
def rust() -> Path:
    """Path of the cdylib of rust_origin, which the published crate links to this project's library."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise Unavailable("cargo is not installed (install Rust, or Debian's package cargo)")
    crate = SOURCES / "rust_origin"
    stamp = _digest(*(crate / name for name in ("Cargo.toml", "Cargo.lock", "src/lib.rs", "src/counts.rs")))
    target = CACHE / f"rust_origin-{stamp}.so"
    with _locked("rust"):
        if not target.exists():
            library = CACHE / "rust" / "lib"
            library.mkdir(parents=True, exist_ok=True)
            for name in ("libtvm_ffi.so", "libselfsame.so"):
                link = library / name
                if link.is_symlink() or link.exists():
                    link.unlink()
                link.symlink_to(selfsame_ffi._load.runtime.library_path())
            # The crate's build script asks a tool of the published package for the folder of the library.
            tool = CACHE / "rust" / "bin" / "tvm-ffi-config"
            tool.parent.mkdir(exist_ok=True)
            tool.write_text(f'#!/bin/sh\necho "{library}"\n')
            tool.chmod(0o755)
            environment = {
                "PATH": f"{tool.parent}:{os.environ['PATH']}",
                "CARGO_TARGET_DIR": str(CACHE / "rust" / "target"),
            }
            try:
                _run([cargo, "fetch", "--quiet", "--locked", "--manifest-path", crate / "Cargo.toml"], env=environment)
            except RuntimeError as error:
                raise Unavailable(f"cargo cannot fetch the crate: {str(error)[-300:]}") from error
            _run([cargo, "build", "--quiet", "--locked", "--manifest-path", crate / "Cargo.toml"], env=environment)
            built = CACHE / "rust" / "target" / "debug" / "libselfsame_rust_origin.so"
            scratch = target.with_suffix(f".{os.getpid()}")
            shutil.copy2(built, scratch)
            scratch.replace(target)
    return target


@functools.cache
def tool() -> Path:
    """The command line tool. Go's build cache decides which parts are up to date."""
    compiler = shutil.which("go")
    if compiler is None:
        raise Unavailable("go is not installed")
    path = CACHE / "bin" / "selfsame-ffi"
    with _locked("tool"):
        _run([compiler, "build", "-o", path, "./cmd/selfsame-ffi"], cwd=ROOT)
    return path


def go() -> Path:
    """The folder with the packages geo, inventory, forking, goclasses, signatures and shop, built by selfsame-ffi.

    SELFSAME_TEST_PACKAGES names a folder where they are built already, for a machine without Go.
    """
    if given := os.environ.get("SELFSAME_TEST_PACKAGES"):
        return Path(given)
    builder = tool()
    folder = PACKAGES / "go"
    with _locked("go"):
        tests = [f"python/tests/fixtures/{name}" for name in ("forking", "goclasses", "signatures", "pages/shop")]
        for package in ("examples/geo", "examples/inventory", *tests):
            _run([builder, "build", package, "-o", folder], cwd=ROOT)
    return folder


def build(package: str, folder: Path | None = None, options: Sequence[str] = ()) -> Path:
    """The folder with the Python package of one Go package alone, given by its path in the repository."""
    builder = tool()
    folder = folder or PACKAGES / "alone" / Path(package).name
    with _locked(f"alone-{folder.name}"):
        _run([builder, "build", package, "-o", folder, *options], cwd=ROOT)
    return folder


@functools.cache
def wrapped(name: str = "shelf") -> Path:
    """The folder with the package of a fixture, which `selfsame-ffi wrap` makes of a Go package that knows no Python.

    SELFSAME_TEST_PACKAGES names a folder where it is built already, for a machine without Go.
    """
    given = os.environ.get("SELFSAME_TEST_PACKAGES")
    if given and (Path(given) / name).is_dir():
        return Path(given)
    builder = tool()
    folder = PACKAGES / ("wrapped" if name == "shelf" else f"wrapped-{name}")
    with _locked(folder.name):
        _run(
            [
                builder,
                "wrap",
                ROOT / "python/tests/fixtures" / name,
                "--replace",
                ROOT,
                "--dir",
                folder / "module",
                "--accept",
                "-o",
                folder,
            ],
            cwd=ROOT,
        )
    return folder


@functools.cache
def compress() -> Path:
    """The folder with the Python package compress, of the example with a Go library of others."""
    builder = tool()
    folder = PACKAGES / "compress"
    example = ROOT / "examples" / "compress"
    with _locked("compress"):
        fetched = subprocess.run(["go", "mod", "download"], cwd=example, text=True, capture_output=True)
        if fetched.returncode != 0:
            raise Unavailable(f"go cannot fetch what examples/compress needs: {fetched.stderr[-300:]}")
        _run([builder, "build", example, "-o", folder], cwd=ROOT)
    return folder


@functools.cache
def go_for_stock() -> Path:
    """The folder with the Python package forking for the stock tvm_ffi, built by selfsame-ffi."""
    builder = tool()
    folder = PACKAGES / "go-stock"
    with _locked("go-stock"):
        _run([builder, "build", "python/tests/fixtures/forking", "-o", folder, "--runtime", "tvm-ffi"], cwd=ROOT)
    return folder
