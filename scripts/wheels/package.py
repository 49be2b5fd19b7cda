"""One wheel: built, checked and repaired by the standard tools."""

from __future__ import annotations

import functools
import os
import re
import shutil
from pathlib import Path

from scripts.tools.commands import ROOT, Failed, clean_environment, run
from scripts.tools.environments import pip
from scripts.wheels import macos
from scripts.wheels.interpreters import Interpreter
from scripts.wheels.targets import CACHE, Target
from scripts.wheels.tools import native_library

_SOURCES = ["python/src", "python/cmake", "abi/include"]
_FILES = ["setup.py", "pyproject.toml", "README.md", "LICENSE", "LICENSE-third-party"]
_FILES += ["scripts/backend/build_backend.py", "scripts/filter_library.py"]


def _others(folder: str, names: list[str]) -> set[str]:
    """What is in a folder of sources besides them: caches, and the links of an editable installation."""
    return {name for name in names if name == "__pycache__" or (Path(folder) / name).is_symlink()}


def stage(headers: Path, folder: Path) -> Path:
    """Copy what a wheel is built from to `folder`, with the licences of all that is in it. `headers` is a folder with
    the package apache-tvm-ffi."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in _SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=_others)
    for name in _FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (licenses,) = headers.glob("apache_tvm_ffi-*.dist-info/licenses")
    for file in licenses.iterdir():
        shutil.copy2(file, folder / f"LICENSE-tvm-ffi-headers-{file.name}")
    shutil.copy2(Path(run("go", "env", "GOROOT").strip()) / "LICENSE", folder / "LICENSE-go")
    shutil.copytree(manual(), folder / "man1")
    return folder


@functools.cache
def manual() -> Path:
    """The folder with the tool's man pages, which its commands describe."""
    run("go", "run", "-tags", "docs", "./cmd/selfsame-ffi", "reference", "build/man")
    return ROOT / "build" / "man" / "man1"


def build(python: Interpreter, target: Target, env: dict[str, str], headers: Path, tools: Path, output: Path) -> Path:
    """The finished wheel, in `output`."""
    raw = CACHE / "raw" / f"{python.version}-{target.name}"
    shutil.rmtree(raw, ignore_errors=True)
    sources = stage(headers, raw / "sources")
    compiler = env["CC"]
    settings = {
        "SELFSAME_LIB": str(target.folder / native_library(target)),
        "SELFSAME_TOOL": str(target.folder / "selfsame-ffi"),
        "SELFSAME_HEADERS": str(headers),
        "SELFSAME_FILTER": "yes" if target.libc == "gnu" else "no",
        "SETUPTOOLS_EXT_SUFFIX": target.extension_suffix(python.soabi),
        "_PYTHON_HOST_PLATFORM": f"linux-{target.machine}",
        "LDSHARED": f"{compiler} -shared -s" + (" -lunwind" if target.libc == "musl" else ""),
        "CFLAGS": f"-I{macos.headers(target) if target.libc == 'macos' else python.headers()} -g0",
    }
    if target.libc == "macos":
        settings |= {
            "SELFSAME_SYSTEM": "darwin",
            "_PYTHON_HOST_PLATFORM": target.platform.replace("_", "-", 1).replace("_", ".", 1).replace("_", "-", 1),
            "LDSHARED": f"{compiler} -dynamiclib -undefined dynamic_lookup -s",
        }
    arguments = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(raw), str(sources)]
    run(python.builder(), *arguments, env={**env, **settings})
    (wheel,) = raw.glob("*.whl")
    if target.libc != "macos":
        wheel = _repair(wheel, target, tools, raw / "repaired")
    run(str(tools / "twine"), "check", "--strict", str(wheel))
    output.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy2(wheel, output / wheel.name))


# The oldest C library that auditwheel finds to do for a wheel, as (major, minor), by the begin of its tag.
_OLDEST = re.compile(r"-(manylinux|musllinux)_(\d+)_(\d+)_")


def _repair(wheel: Path, target: Target, tools: Path, output: Path) -> Path:
    """The wheel with the target's platform tag, if it uses only what the tag promises, else Failed.

    auditwheel takes only this machine's tags by name, so it chooses the tag, which may be an older one.
    """
    env = {"PATH": f"{tools}:/usr/bin:/bin"}
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):  # the time of the files in the wheel
        env["SOURCE_DATE_EPOCH"] = epoch
    options = ["--plat", "auto", "--only-plat", "-w", str(output)]
    if target.libc == "musl":  # each musl takes this name as its own; here it may be a text for glibc's linker
        options += ["--exclude", "libc.so", "--ldpaths", str(output)]
    log = run(tools / "auditwheel", "repair", *options, wheel, env=env, errors=True)
    (found,) = output.glob("*.whl")
    got, wanted = _OLDEST.search(found.name), _OLDEST.match(f"-{target.platform}_")
    if (
        not got
        or not wanted
        or got[1] != wanted[1]
        or tuple(map(int, got.groups()[1:])) > tuple(map(int, wanted.groups()[1:]))
    ):
        raise Failed(f"auditwheel found that {wheel.name} cannot be {target.platform}:\n{log}")
    if ".libs/" in run(str(tools / "python"), "-m", "zipfile", "-l", str(found)):
        raise Failed(f"{found.name} would carry libraries of this machine:\n{log}")
    run(str(tools / "wheel"), "tags", "--remove", "--platform-tag", target.platform, str(found))
    (tagged,) = output.glob("*.whl")
    return tagged


def source_distribution(python: Interpreter, tools: Path, output: Path) -> Path:
    """The source distribution, in `output`. It builds where Go is installed."""
    raw = CACHE / "raw" / "sdist"
    shutil.rmtree(raw, ignore_errors=True)
    # Nothing is built here, so the C++ headers, which a build wants, are not needed.
    options = ["--sdist", "--no-isolation", "--skip-dependency-check", "--outdir", str(raw)]
    run(python.builder(), "-m", "build", *options, str(ROOT))
    (archive,) = raw.glob("*.tar.gz")
    run(str(tools / "twine"), "check", "--strict", str(archive))
    output.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy2(archive, output / archive.name))


def build_source(python: Interpreter, archive: Path) -> Path:
    """The wheel that pip builds from the source distribution, with the Go and the C compiler of this machine."""
    folder = CACHE / "raw" / "from-source"
    shutil.rmtree(folder, ignore_errors=True)
    options = ["--no-build-isolation", "--no-deps", "-w", folder]
    pip("wheel", *options, archive, python=python.builder(), env=clean_environment())
    (wheel,) = folder.glob("*.whl")
    return wheel
