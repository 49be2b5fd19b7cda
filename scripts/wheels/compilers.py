"""Cross compilers: zig, and what lets C++ code link to the libstdc++ of the machine that it will run on.

The C++ code of the runtime throws exceptions that other libraries catch, so it must use the C++ library that they use,
which on glibc systems is libstdc++.so.6. zig brings another one. So the code is compiled with the headers of this
machine's libstdc++ and linked to a library without code that has the names of its symbols, and of those only the ones
that a manylinux system is sure to have. A newer one is an error at link time.

Why wheels are linked to a libstdc++ without code. The runtime throws C++ exceptions that other libraries catch by type,
and catches theirs, so both must use ``libstdc++.so.6``. The wheels are compiled with zig, which can aim at glibc 2.28
but brings libc++. So this module lets zig compile with the headers of the machine's own libstdc++,
and makes a library for the linker that has its symbols, with versions no newer than manylinux_2_28 promises, and no
code. Code that needs a newer symbol fails to link (``-z defs``).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from scripts.tools.commands import GO, run
from scripts.wheels.targets import CACHE, Target

# The symbol versions that the platform tag manylinux_2_28 promises.
_NEWEST = {"GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
_VERSION = re.compile(r"(GLIBCXX|CXXABI|GCC)_([0-9.]+)")


def _write_compiler(path: Path, command: str) -> str:
    """A program that runs `command` with the arguments that it is given."""
    text = (
        f'#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="{CACHE}/zig" ZIG_LOCAL_CACHE_DIR="{CACHE}/zig"\nexec {command} "$@"\n'
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def _symbols(library: str) -> dict[str, list[tuple[str, str]]]:
    """The symbols of a library, by version, with their kinds; those that are too new are left out."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in run("nm", "-D", "-P", "--defined-only", library).splitlines():
        name, kind, *_ = line.split()
        name, default, version = name.partition("@@")
        match = _VERSION.fullmatch(version)
        if default and match and tuple(map(int, match[2].split("."))) <= _NEWEST[match[1]]:
            found.setdefault(version, []).append((name, kind))
    return found


def _stub(target: Target, cc: str, soname: str) -> str:
    """Path of a library without code that has the symbols of this machine's `soname`, for linking."""
    output = target.folder / "stubs" / soname
    if output.is_file():
        return str(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    symbols = _symbols(run("g++", f"-print-file-name={soname}").strip())
    if not symbols:
        raise RuntimeError(f"{soname} of g++ has no symbols that a manylinux_2_28 system has; is g++ installed?")
    names = [symbol for version in symbols.values() for symbol in version]
    assembly, script = output.with_suffix(".s"), output.with_suffix(".map")
    kinds = {True: "%function", False: "%object"}
    assembly.write_text(
        "".join(f".globl {n}\n.type {n}, {kinds[k in 'TWi']}\n{n}: .byte 0\n.size {n}, 1\n" for n, k in names)
    )
    script.write_text(
        "".join(f"{version} {{ global: {' '.join(n + ';' for n, _ in of)} }};\n" for version, of in symbols.items())
    )
    flags = ["-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script={script}"]
    run(cc, *flags, "-o", output, assembly)
    return str(output)


# libstdc++ asks glibc, where it is new enough, whether the process has one thread. These answer no.
_SINGLE_THREADED = "static const char __libc_single_threaded = 0;\n"


def _libstdcxx_headers(target: Target) -> list[str]:
    """The folders of this machine's libstdc++ headers, with what an old glibc needs before them."""
    own = target.folder / "include"
    (own / "sys").mkdir(parents=True, exist_ok=True)
    (own / "sys" / "single_threaded.h").write_text(_SINGLE_THREADED)
    told = run("g++", "-E", "-x", "c++", "-v", "/dev/null", errors=True)
    listed = told.partition("#include <...>")[2].partition("End of search")[0]
    return [str(own), *(line.strip() for line in listed.splitlines() if "/c++" in line)]


def environment(target: Target, zig: str) -> dict[str, str]:
    """The environment in which go, setuptools and scripts/library.sh compile for the target, with the program `zig`."""
    if target.libc == "macos":
        return _macos(target, zig)
    programs = CACHE / "bin"
    cc = _write_compiler(programs / f"cc-{target.name}", f'"{zig}" cc -target {target.zig}')
    flags, libraries, linker = "", "", cc
    if target.libc == "gnu":
        flags = " ".join(["-nostdinc++", *(f"-I{folder}" for folder in _libstdcxx_headers(target))])
        libraries = " ".join(_stub(target, cc, soname) for soname in ("libstdc++.so.6", "libgcc_s.so.1"))
    cxx = _write_compiler(programs / f"c++-{target.name}", f'"{zig}" c++ -target {target.zig} {flags}')
    if target.libc == "musl":
        linker = _musl_linker(target, cxx)
        libraries = "-dynamic"  # else zig links programs statically, and they can open no library
    return {
        **os.environ,
        "CC": cc,
        "CXX": cxx,
        "LD": f"{zig} ld.lld",
        "EXTLD": linker,
        "CGO_ENABLED": "1",
        "CGO_CFLAGS": "-O2 -g0 -fno-sanitize=all",
        "CGO_CXXFLAGS": "-O2 -g0 -fno-sanitize=all",
        "CGO_LDFLAGS": f"-O2 -Wl,-z,defs {libraries}",
        "GOOS": "linux",
        "GOARCH": target.goarch,
    }


def _musl_linker(target: Target, cxx: str) -> str:
    """The C linker for go's linker: the compiler, with Go's object file rewritten for musl before."""
    program = CACHE / "bin" / "link-musl"
    run(GO, "build", "-o", program, "./cmd/selfsame-ffi/internal/musl/link")
    return _write_compiler(CACHE / "bin" / f"ld-{target.name}", f'"{program}" "{cxx}" --')


def _macos(target: Target, zig: str) -> dict[str, str]:
    """The environment for macOS, which the command line tool knows: it makes wheels of Go packages for it."""
    text = run(GO, "run", "./cmd/selfsame-ffi/internal/environment", target.platform, env={**os.environ, "ZIG": zig})
    env = dict(line.split("=", 1) for line in text.splitlines())
    for name, program in (("CC", "cc"), ("CXX", "c++")):
        env[name] = _write_compiler(CACHE / "bin" / f"{program}-{target.name}", env[name])
    return {**os.environ, **env, "CGO_ENABLED": "1"}
