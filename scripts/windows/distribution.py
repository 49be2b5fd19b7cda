"""The wheel of selfsame-ffi for Windows, and the folder with what is in it."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

from scripts.tools.commands import progress, run
from scripts.tools.environments import environment as environment_of
from scripts.wheels.contents import missing
from scripts.wheels.package import stage
from scripts.wheels.targets import CACHE
from scripts.wheels.tools import requirements
from scripts.windows.build import build_core, build_go, build_runtime, environment
from scripts.windows.machine import OUTPUT

TAG = "cp313-cp313-win_amd64"

# Asks setuptools for the metadata of the sources in the working folder.
METADATA = "import setuptools.build_meta, sys; setuptools.build_meta.prepare_metadata_for_build_wheel(sys.argv[1])"


def wheel(python: Path, headers: Path) -> tuple[Path, Path]:
    """Build the wheel for CPython 3.13. Return it, and the folder with what is in it. `python` is the folder of CPython
    for Windows, `headers` one with the package apache-tvm-ffi."""
    library, tool, site = OUTPUT / "tvm_ffi.dll", OUTPUT / "selfsame-ffi.exe", OUTPUT / "site"
    build_runtime(library)
    build_go("./cmd/selfsame-ffi", tool)
    progress("the wheel of selfsame-ffi")
    shutil.rmtree(site, ignore_errors=True)
    sources = stage(headers, OUTPUT / "sources")
    builder = environment_of(CACHE / "builders" / "windows", *requirements("builder")) / "python"
    settings = {"SELFSAME_LIB": library, "SELFSAME_TOOL": tool, "SELFSAME_HEADERS": headers, "SELFSAME_SYSTEM": "win32"}
    env = environment(**{name: str(value) for name, value in settings.items()})
    run(builder, "setup.py", "-q", "build_py", "--build-lib", str(site), env=env, cwd=sources)
    build_core(python, site / "selfsame_ffi" / f"_core.{TAG.partition('-')[2]}.pyd")
    run(builder, "-c", METADATA, str(site), env=env, cwd=sources)
    (metadata,) = site.glob("*.dist-info")
    generator = "Generator: scripts/windows"
    (metadata / "WHEEL").write_text(f"Wheel-Version: 1.0\n{generator}\nRoot-Is-Purelib: false\nTag: {TAG}\n")
    dist = OUTPUT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    run(builder, "-m", "wheel", "pack", str(site), "-d", str(dist))
    (made,) = dist.glob(f"selfsame_ffi-*-{TAG}.whl")
    if lacking := missing(made):
        sys.exit(f"windows: {made.name} lacks {', '.join(lacking)}")
    return made, site


def described(made: Path) -> str:
    """Return a line of the table about a wheel: its name, the size of its libraries, and its own."""
    with zipfile.ZipFile(made) as archive:
        library = sum(info.file_size for info in archive.infolist() if info.filename.endswith(".dll"))
    return f"{made.name:<60} {library / 1e6:>5.1f} MB {made.stat().st_size / 1e6:>5.1f} MB"
