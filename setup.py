"""Builds the C core and puts the runtime library into the package.

The package has it as lib/libtvm_ffi.so, its SONAME. lib/libselfsame.so is a small filter library that leads to it
(scripts/filter_library.py), since wheels hold no links.

The library comes from the environment variable SELFSAME_LIB, else from build/lib/libselfsame.so (``make lib``).
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
    path = Path(os.environ.get("SELFSAME_LIB") or ROOT / "build" / "lib" / "libselfsame.so")
    if not path.is_file():
        raise SystemExit(f"{path} does not exist: run `make lib`, or set SELFSAME_LIB to a built libselfsame.so")
    return path


class BuildPyWithLibrary(build_py):
    def run(self):
        super().run()
        target = Path(self.build_lib) / "selfsame_ffi" / "lib"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(runtime_library(), target / "libtvm_ffi.so")
        make_filter = [sys.executable, str(ROOT / "scripts" / "filter_library.py")]
        subprocess.run([*make_filter, str(target / "libtvm_ffi.so"), str(target / "libselfsame.so")], check=True)


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
)
