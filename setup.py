"""Builds the C core and puts the runtime library, the headers and the command line tool into the package.

The package has the library as lib/libtvm_ffi.so, its SONAME. lib/libselfsame.so is a small filter library that leads to
it (scripts/filter_library.py), since wheels hold no links.

    SELFSAME_LIB       the runtime library; without it build/lib/libselfsame.so (``make lib``), which Go builds if it is
                       not there
    SELFSAME_TOOL      the command line tool; without it the package has none, unless Go built the library
    SELFSAME_HEADERS   the folder of an unpacked wheel of apache-tvm-ffi, whose C++ headers are put into the package;
                       without it building C++ code needs that package
    SELFSAME_FILTER    "no": no filter library, which musl's dynamic linker does not know
"""

import os
import shutil
import subprocess
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
CORE = "python/src/selfsame_ffi/_core"


def runtime_library() -> Path:
    """The runtime library, built if it must be."""
    given = os.environ.get("SELFSAME_LIB")
    path = Path(given or ROOT / "build" / "lib" / "libselfsame.so")
    if path.is_file():
        return path
    if given or not (ROOT / "go.mod").is_file():
        raise SystemExit(f"{path} does not exist: run `make lib`, or set SELFSAME_LIB to a built libselfsame.so")
    if shutil.which(os.environ.get("GO", "go")) is None:
        raise SystemExit("building selfsame-ffi from its sources needs Go 1.24 or later on PATH, and gcc and g++")
    print("building the runtime library with Go, which takes some minutes the first time", flush=True)
    subprocess.run([str(ROOT / "scripts" / "library.sh"), str(path)], check=True)
    tool = ROOT / "build" / "bin" / "selfsame-ffi"
    subprocess.run([os.environ.get("GO", "go"), "build", "-o", str(tool), "./cmd/selfsame-ffi"], cwd=ROOT, check=True)
    os.environ.setdefault("SELFSAME_TOOL", str(tool))
    return path


class BuildPyWithLibrary(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "selfsame_ffi"
        self.add_library(package / "lib")
        self.add_tool(package / "bin")
        self.add_headers(package)

    def add_library(self, target: Path) -> None:
        library = runtime_library()
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(library, target / "libtvm_ffi.so")
        if os.environ.get("SELFSAME_FILTER") == "no":
            return
        make_filter = [sys.executable, str(ROOT / "scripts" / "filter_library.py")]
        subprocess.run([*make_filter, str(target / "libtvm_ffi.so"), str(target / "libselfsame.so")], check=True)

    def add_tool(self, target: Path) -> None:
        if os.environ.get("SELFSAME_TOOL"):
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(os.environ["SELFSAME_TOOL"], target / "selfsame-ffi")

    def add_headers(self, package: Path) -> None:
        shutil.copytree(ROOT / "abi/include/selfsame", package / "include/selfsame", dirs_exist_ok=True)
        if os.environ.get("SELFSAME_HEADERS"):
            published = Path(os.environ["SELFSAME_HEADERS"]) / "tvm_ffi" / "include"
            shutil.copytree(published, package / "include", dirs_exist_ok=True)
            shutil.copytree(ROOT / "python/cmake", package / "share/cmake/tvm_ffi", dirs_exist_ok=True)


setup(
    ext_modules=[
        Extension(
            "selfsame_ffi._core",
            sources=sorted(glob(f"{CORE}/**/*.c", recursive=True)),
            depends=sorted(glob(f"{CORE}/**/*.h", recursive=True)),
            include_dirs=["abi/include", CORE],
            libraries=["dl"],
            extra_compile_args=[
                "-std=c11",
                "-O2",
                "-fvisibility=hidden",
                "-fno-plt",
                "-Wall",
                "-Wextra",
                "-D_GNU_SOURCE",
            ],
        )
    ],
    cmdclass={"build_py": BuildPyWithLibrary},
    data_files=[("share/man/man1", sorted(glob("man1/*.1")))],
)
