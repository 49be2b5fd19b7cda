"""64-bit ARM on this machine: a CPython of Debian's, unpacked into the cache, that runs under qemu."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from functools import cache
from pathlib import Path

from scripts.tools.commands import ROOT, clean_environment, progress, run
from scripts.tools.environments import pip
from scripts.wheels.installed import readme_example
from scripts.wheels.interpreters import Interpreter
from scripts.wheels.targets import CACHE, Target

TARGET = Target("aarch64", "gnu")

_FOLDER = CACHE / "arm64"
_ROOT = _FOLDER / "root"
_PACKAGES = ["python3", "libpython3-dev", "libstdc++6"]


def missing() -> str:
    """Why this machine cannot run programs for 64-bit ARM; empty if it can."""
    for program in ("apt-get", "dpkg"):
        if shutil.which(program) is None:
            return f"no {program} here, which fetches a CPython for ARM"
    return ""


def _download(packages: list[str], architecture: str, folder: Path) -> list[Path]:
    """The packages and all that they depend on, without installing them."""
    for name in ("state/lists/partial", "archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()  # nothing is installed
    settings = {
        "APT::Architecture": architecture,
        "APT::Architectures": architecture,
        "APT::Sandbox::User": "root",
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder,
        "Dir::Cache::archives": folder / "archives",
    }
    options = [f"-o{name}={value}" for name, value in settings.items()]
    hint = "the packages come from this system's package sources: are they reachable?"
    run("apt-get", *options, "update", hint=hint)
    run("apt-get", *options, "install", "-y", "--download-only", "--no-install-recommends", *packages, hint=hint)
    return sorted((folder / "archives").glob("*.deb"))


def _unpack(packages: list[str], architecture: str, folder: Path) -> Path:
    root = folder / "root"
    if not (folder / ".done").is_file():
        progress(f"downloading {', '.join(packages)} for {architecture}")
        for package in _download(packages, architecture, folder):
            run("dpkg", "-x", str(package), str(root))
        (folder / ".done").touch()
    return root


@cache
def _qemu() -> str:
    found = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if found:
        return found
    host = run("dpkg", "--print-architecture").strip()
    root = _unpack(["qemu-user-static"], host, CACHE / "qemu")
    return str(root / "usr/bin/qemu-aarch64-static")


def _script(path: Path, program: Path, *environment: str) -> Path:
    """A program of this machine that runs one for ARM. Programs that it starts see the script as itself, so that they
    can start it again."""
    command = [_qemu(), "-L", str(_ROOT), "-0", str(path), str(program)]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"export {variable}\n" for variable in environment)
    path.write_text(f'#!/bin/sh\n{text}exec {shlex.join(command)} "$@"\n')
    path.chmod(0o755)
    return path


@cache
def python() -> Path:
    """A CPython for ARM, as a program of this machine."""
    _unpack(_PACKAGES, "arm64", _FOLDER)
    # -0 leads CPython to look for its library beside the script.
    return _script(_FOLDER / "bin" / "python3", _ROOT / "usr/bin/python3", f"PYTHONHOME={_ROOT / 'usr'}")


@cache
def version() -> str:
    return run(str(python()), "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()


def install(builder: str, wheels: Path, folder: Path, *packages: str, online: bool = False) -> None:
    """Let pip of this machine put packages for ARM into a folder."""
    source = [] if online else ["--no-index"]
    options = ["--only-binary", ":all:", "--python-version", version(), "--implementation", "cp"]
    for glibc in ("2_17", "2_24", "2_26", "2_27", "2_28", "2_31", "2_34"):
        options += ["--platform", f"manylinux_{glibc}_aarch64"]
    options += ["--platform", "manylinux2014_aarch64"]
    options += ["--upgrade", "--target", str(folder), "--find-links", str(wheels)]
    pip("install", *source, *options, *packages, python=builder)


def _example(made_here: Path, folder: Path) -> None:
    """The README's package for ARM. The tool starts itself to look at the library that it compiled, which qemu cannot
    do, so this takes the Python files that it made on this machine and compiles the library in the same way."""
    shutil.copytree(made_here / "geo", folder / "geo")
    source, package = folder / "main.go", "examples/geo/selfsame_extension_main"
    source.write_text('package main\n\nimport _ "github.com/selfsame-ffi/selfsame/examples/geo"\n\nfunc main() {}\n')
    overlay = folder / "overlay.json"
    overlay.write_text(json.dumps({"Replace": {str(ROOT / package / "main.go"): str(source)}}))
    exports = folder / "exports.map"
    exports.write_text("{ global: SelfsameExtension*; local: *; };\n")
    go = {"GOOS": "linux", "GOARCH": TARGET.goarch, "CGO_ENABLED": "1", "CC": str(CACHE / "bin" / f"cc-{TARGET.name}")}
    linker = f'-extldflags "-Wl,--version-script={exports} -Wl,-Bsymbolic"'
    flags = ["-buildmode=c-shared", "-buildvcs=false", "-tags", "selfsame_shared", "-ldflags", linker]
    output = folder / "geo" / "_geo.so"
    command = ["go", "build", "-overlay", str(overlay), *flags, "-o", str(output), f"./{package}"]
    run(*command, env={**os.environ, **go})


def try_wheel(interpreter: Interpreter, wheels: Path, made_here: Path) -> str:
    """Use the wheel of the interpreter's version under qemu, with the README's package, which the tool made in the
    folder `made_here`. Returns what was done."""
    reason = missing()
    if not reason and not (made_here / "geo").is_dir():
        reason = "the README's package is made with the wheel for this machine, which was not asked for"
    if not reason and interpreter.version != version():
        reason = f"Debian's CPython for ARM is {version()}"
    if reason:
        return f"not run: {reason}"
    folder = CACHE / "try" / "arm64"
    shutil.rmtree(folder, ignore_errors=True)
    install(interpreter.builder(), wheels, folder, "selfsame-ffi")
    tool = _script(folder / "tool", folder / "selfsame_ffi" / "bin" / "selfsame-ffi")
    run(str(tool), "version")
    packages = folder / "packages"
    packages.mkdir()
    _example(made_here, packages)
    run(str(python()), "-c", readme_example(), env=clean_environment(PYTHONPATH=f"{folder}:{packages}"), cwd=folder)
    return "ok, under qemu"
