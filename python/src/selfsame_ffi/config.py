"""``python -m selfsame_ffi.config``: prints the paths and flags that building an extension needs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Callable

from . import libinfo


def _library_folder() -> str:
    return str(Path(libinfo.find_libtvm_ffi()).parent)


def _include_flags() -> str:
    return f"-I{libinfo.find_include_path()} -I{libinfo.find_dlpack_include_path()}"


_FLAGS: dict[str, tuple[str, Callable[[], str]]] = {
    "includedir": ("folder of the headers", libinfo.find_include_path),
    "dlpack-includedir": ("folder of DLPack's headers", libinfo.find_dlpack_include_path),
    "cmakedir": ("folder of the CMake files", libinfo.find_cmake_path),
    "libdir": ("folder of the runtime library", _library_folder),
    "libfiles": ("path of the runtime library", libinfo.find_libtvm_ffi),
    "sourcedir": ("folder of the sources", libinfo.find_source_path),
    "cython-lib-path": ("path of the extension module", libinfo.find_cython_lib),
    "cxxflags": ("flags for a C++ compiler", lambda: f"{_include_flags()} -std=c++17"),
    "cflags": ("flags for a C compiler", _include_flags),
    "libs": ("libraries to link", lambda: "-ltvm_ffi"),
    "ldflags": ("flags for the linker", lambda: f"-L{_library_folder()}"),
}


def main(arguments: list[str] | None = None) -> None:
    """Print what the arguments ask for, or the help without arguments."""
    parser = argparse.ArgumentParser(description="Prints paths and flags for building extensions.")
    for name, (text, _find) in _FLAGS.items():
        parser.add_argument(f"--{name}", action="store_true", help=text)
    chosen = vars(parser.parse_args(arguments))
    if not any(chosen.values()):
        parser.print_help()
    for name, (_text, find) in _FLAGS.items():
        if chosen[name.replace("-", "_")]:
            print(find())


__main__ = main

if __name__ == "__main__":
    main()
