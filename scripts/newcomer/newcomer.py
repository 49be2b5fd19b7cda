"""The setting of somebody who has never used Go here: wheels of selfsame-ffi, and its Go module behind a proxy."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

from scripts.tools.commands import MODULE, ROOT, VERSION, tracked
from scripts.tools.commands import run as output
from scripts.tools.commands import timed as run
from scripts.tools.environments import environment, pip
from scripts.wheels.package import stage

EARLIER = "0.0." + "9" * (len(VERSION) - 4)  # a version that a module may still require, with the same sources


def other_python() -> str | None:
    """Another CPython on this machine than the one that runs the test, the newest."""
    listed = output("scripts/pythons.sh").split()
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    found = []
    for path in listed:
        asked = "import sys; print('%d.%d' % sys.version_info[:2] + getattr(sys, 'abiflags', ''))"
        version = output(path, "-c", asked, ok=(0, 1)).strip()
        if version and version != own and version.replace(".", "").isdigit():
            found.append((tuple(map(int, version.split("."))), path))
    return max(found)[1] if found else None


def release_tool(folder: Path) -> Path:
    """The command line tool as a release has it: it does not know where its sources are."""
    tool = folder / "tool" / "selfsame-ffi"
    if not tool.exists():
        run("go", "build", "-trimpath", "-o", tool, "./cmd/selfsame-ffi", cwd=ROOT)
    return tool


def build_wheel(python: str, folder: Path) -> None:
    """A wheel of selfsame-ffi for an interpreter, in `folder`/wheels."""
    published = importlib.util.find_spec("tvm_ffi")
    assert published is not None and published.origin is not None
    headers = Path(published.origin).parents[1]
    builder = environment(folder / f"builder-{Path(python).name}", "setuptools>=77", "wheel", python=python)
    settings = {
        "SELFSAME_LIB": str(ROOT / "build/lib/libselfsame.so"),
        "SELFSAME_TOOL": str(release_tool(folder)),
        "SELFSAME_HEADERS": str(headers),
        "CFLAGS": "-O1",
    }
    command = ["wheel", "--no-build-isolation", "--no-deps", "-w", folder / "wheels"]
    pip(*command, stage(headers, folder / "sources"), python=builder / "python", env={**os.environ, **settings})


def write_proxy(folder: Path, version: str, below: str = "") -> None:
    """The Go module of this checkout, or of a folder of it, as a proxy serves it, under a version."""
    top, path = ROOT / below, f"{MODULE}/{below}".rstrip("/")
    versions = folder / "proxy" / path / "@v"
    versions.mkdir(parents=True, exist_ok=True)
    with (versions / "list").open("a") as known:
        known.write(f"v{version}\n")
    (versions / f"v{version}.info").write_text(json.dumps({"Version": f"v{version}"}))
    shutil.copy(top / "go.mod", versions / f"v{version}.mod")
    names = tracked(folder=top)
    modules = tuple(f"{Path(name).parent}/" for name in names if name.endswith("/go.mod"))  # no part of this one
    with zipfile.ZipFile(versions / f"v{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            if not name.startswith(modules) and not (top / name).is_symlink():
                archive.write(top / name, f"{path}@v{version}/{name}")
        if "LICENSE" not in names:  # as the go command does for a module below the root
            archive.write(ROOT / "LICENSE", f"{path}@v{version}/LICENSE")


def earlier_wheel(folder: Path) -> Path:
    """A wheel of the earlier version for this interpreter, without the headers."""
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    (wheel,) = (folder / "wheels").glob(f"selfsame_ffi-{VERSION}-{tag}-{tag}-*.whl")
    earlier = folder / "earlier" / wheel.name.replace(VERSION, EARLIER)
    earlier.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(earlier, "w") as changed:
        for name in whole.namelist():
            data = whole.read(name)
            if name.startswith("selfsame_ffi/_core.") or name.endswith((".dist-info/METADATA", ".dist-info/RECORD")):
                data = data.replace(VERSION.encode(), EARLIER.encode())
            if not name.startswith("selfsame_ffi/include/"):
                changed.writestr(name.replace(VERSION, EARLIER), data)
    return earlier
