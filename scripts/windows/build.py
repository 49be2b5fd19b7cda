"""What is compiled for Windows: the runtime, the tool, the package's core, the tests' extension, packages of Go."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.tools.commands import GO, ROOT, progress, run
from scripts.tools.downloads import unpack
from scripts.tools.environments import packages
from scripts.wheels.tools import requirements
from scripts.windows.machine import CACHE, CC, CXX, OUTPUT

FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-D_GNU_SOURCE"]
FLAGS += ["-D__USE_MINGW_ANSI_STDIO=1"]
EXTENSION = "examples/geo/selfsame_extension_main"
NATIVE = ROOT / "python" / "tests" / "fixtures" / "native"
GO_PACKAGES = ["examples/geo", "examples/inventory"]
GO_PACKAGES += [f"python/tests/fixtures/{name}" for name in ("forking", "goclasses", "signatures", "pages/shop")]
WRAPPED = "python/tests/fixtures/shelf"  # a Go package that knows no Python
VERSION = ["--version", "1.0"]


def environment(**more: str) -> dict[str, str]:
    """Return the environment in which the go command builds for Windows."""
    return {**os.environ, "CGO_ENABLED": "1", "GOOS": "windows", "GOARCH": "amd64", "CC": CC, "CXX": CXX, **more}


def build_go(package: str, output: Path, *flags: str) -> None:
    """Build a program or a library for Windows from a Go package."""
    progress(f"building {output.name}")
    linker = '-s -w -extldflags "-static"'  # the compilers' own libraries are not on a user's machine
    run(GO, "build", "-trimpath", *flags, "-ldflags", linker, "-o", str(output), package, env=environment())


def build_runtime(output: Path) -> None:
    """Build the runtime, stripped."""
    progress(f"building {output.name}")
    env = environment(GO_LDFLAGS="-s -w", GOFLAGS="-trimpath")
    run("scripts/library.sh", output, env=env)
    output.with_suffix(".h").unlink(missing_ok=True)


def build_geo() -> None:
    """Build the example geo as a library of its own, geo.dll. Its main package exists only in an overlay."""
    source, overlay = OUTPUT / "main.go", OUTPUT / "overlay.json"
    source.write_text('package main\n\nimport _ "github.com/selfsame-ffi/selfsame/examples/geo"\n\nfunc main() {}\n')
    overlay.write_text(json.dumps({"Replace": {str(ROOT / EXTENSION / "main.go"): str(source)}}))
    flags = ["-buildmode=c-shared", "-tags", "selfsame_shared", "-overlay", str(overlay)]
    build_go(f"./{EXTENSION}", OUTPUT / "geo.dll", *flags)


def build_core(python: Path, output: Path) -> None:
    """Build the package's extension module."""
    progress(f"building {output.name}")
    core, objects = ROOT / "python/src/selfsame_ffi/_core", OUTPUT / "objects"
    includes = [f"-I{ROOT / 'abi/include'}", f"-I{core}", f"-I{python / 'include'}"]
    headers = [*(ROOT / "abi/include").rglob("*.h"), *core.rglob("*.h")]
    flags = " ".join([CC, *FLAGS])
    stamp = objects / ".flags"
    if not (stamp.is_file() and stamp.read_text() == flags):
        shutil.rmtree(objects, ignore_errors=True)
        objects.mkdir(parents=True)
        stamp.write_text(flags)
    newest = max(header.stat().st_mtime for header in headers)

    def compiled(source: Path) -> str:
        made = objects / source.relative_to(core).with_suffix(".o")
        if made.is_file() and made.stat().st_mtime > max(newest, source.stat().st_mtime):
            return str(made)
        made.parent.mkdir(parents=True, exist_ok=True)
        run(CC, *FLAGS, *includes, "-c", "-o", str(made), str(source))
        return str(made)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(compiled, sorted(core.rglob("*.c"))))
    run(CC, "-shared", "-static", "-s", "-o", str(output), *made, str(python / "libs" / "python313.lib"))


def build_test_libraries(site: Path, peer: Path) -> Path:
    """Build the libraries of C and C++ that the tests load. Return their folder."""
    folder = OUTPUT / "tests"
    folder.mkdir(exist_ok=True)
    library = str(site / "selfsame_ffi" / "lib" / "tvm_ffi.dll")
    includes = [f"-I{peer / 'tvm_ffi' / 'include'}", f"-I{ROOT / 'abi/include'}"]
    flags = ["-O1", "-w", "-shared", "-static", "-pthread", "-D_GNU_SOURCE", "-D__USE_MINGW_ANSI_STDIO=1", *includes]
    flags += ["-include", str(NATIVE / "mingw.h")]
    cpp = {name: (f"{name}.cc", CXX, "-std=c++17") for name in ("extension", "release_gil")}
    cpp["cpp_installed"] = ("origin.cc", CXX, "-std=c++17", '-DORIGIN="cpp_installed"')
    for name, (source, compiler, *more) in {**cpp, "module": ("module.c", CC, "-std=gnu11")}.items():
        output = folder / f"{name}.dll"
        if output.is_file() and all(output.stat().st_mtime > file.stat().st_mtime for file in NATIVE.glob("*.*")):
            continue
        progress(f"building {output.name} of the tests")
        run(compiler, *more, *flags, "-o", str(output), str(NATIVE / source), library)
    return folder


def zig() -> str:
    """Return the program zig, which is installed when it is missing."""
    (wanted,) = (line for line in requirements("tools") if line.startswith("ziglang"))
    return str(packages(CACHE / "zig", wanted) / "ziglang" / "zig")


def build_go_packages(folder: Path) -> list[Path]:
    """Make wheels for Windows of the Go packages that the tests use, and unpack them. Return the wheels."""
    made, wheels = [], OUTPUT / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(wheels, ignore_errors=True)
    tool = OUTPUT / "selfsame-ffi"
    run(GO, "build", "-o", tool, "./cmd/selfsame-ffi")
    env = {**os.environ, "ZIG": zig()}
    written = ["--replace", str(ROOT), "--dir", str(OUTPUT / "wrapped"), "--accept"]
    for package in [*GO_PACKAGES, WRAPPED]:
        progress(f"the wheel of {package}")
        before = set(wheels.glob("*.whl"))
        command = ["wrap", str(ROOT / package), *written] if package == WRAPPED else ["build", package, *VERSION]
        run(str(tool), *command, "--wheel", "--target", "win_amd64", "-o", str(wheels), env=env)
        (wheel,) = set(wheels.glob("*.whl")) - before
        unpack(wheel, folder)
        made.append(wheel)
    return made
