"""A build as a file for ninja, which compiles what has changed."""

from __future__ import annotations

import dataclasses
import logging
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from .. import libinfo
from ..utils.embed_cubin import embed_cubin
from ._toolchain import gpu_toolchain

_log = logging.getLogger(__name__)


@dataclasses.dataclass
class Build:
    """The sources to compile, and the flags. `sources` are absolute paths; `output` is the name of the result."""

    sources: list[str]
    output: str
    flags: list[str]
    gpu_flags: list[str]
    link_flags: list[str]
    include_paths: list[str]
    gpu: str | None  # "cuda", "hip", or None without .cu files
    #: Files with GPU code to put into objects: path of the object's source, name in the source, path of the file.
    embedded: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)

    @property
    def is_object(self) -> bool:
        """Whether the result is an object file."""
        return Path(self.output).suffix in (".o", ".obj")


# The published headers want to be told that the C library is musl. And musl looks for the runtime's file, even when
# that is loaded already.
_MUSL = "musl" in (sysconfig.get_config_var("SOABI") or "")


def escape(path: str) -> str:
    """Return a path in a build statement. ValueError for one that ninja cannot have."""
    return _one_line(path).replace("$", "$$").replace(":", "$:").replace(" ", "$ ")


def word(text: str) -> str:
    """Return a text as one word of a command. ValueError for one that ninja cannot have."""
    return shlex.quote(_one_line(text)).replace("$", "$$")


def _one_line(text: str) -> str:
    if any(sign in text for sign in "\n\r\0"):
        raise ValueError(f"cpp.build: expected a path without line ends, got {text!r}")
    return text


def ninja_text(build: Build) -> str:
    """Return the text of build.ninja."""
    toolchain = gpu_toolchain(build.gpu) if build.gpu else None
    library = Path(libinfo.find_libtvm_ffi()).parent
    includes = [*libinfo.include_paths(), *build.include_paths, *(toolchain.include_paths if toolchain else [])]
    include_flags = " ".join(word(f"-I{path}") for path in dict.fromkeys(map(str, includes)))
    common = " ".join(["-fPIC", "-O2", *(["-D__MUSL__"] if _MUSL else []), *build.flags])
    links = [
        "-shared",
        word(f"-L{library}"),
        "-ltvm_ffi",
        *([word(f"-Wl,-rpath,{library}")] if _MUSL else []),
        *(toolchain.link_flags if toolchain else []),
        *build.link_flags,
    ]
    lines = [
        "ninja_required_version = 1.3",
        f"cxx = {os.environ.get('CXX', 'c++')}",
        f"cc = {os.environ.get('CC', 'cc')}",
        "rule cxx",
        f"  command = $cxx -MMD -MF $out.d -std=c++17 {common} {include_flags} -c $in -o $out",
        "  depfile = $out.d",
        "  deps = gcc",
        "rule cc",
        f"  command = $cc -MMD -MF $out.d {common} {include_flags} -c $in -o $out",
        "  depfile = $out.d",
        "  deps = gcc",
        "rule link",
        f"  command = $cxx $in {' '.join(links)} -o $out",
        "rule merge",
        "  command = ld -r -o $out $in",
        "rule copy",
        "  command = cp -f $in $out",
        "rule embed",
        f"  command = {word(sys.executable)} -m {embed_cubin.__module__} --input-obj $in --output-obj $out "
        "--cubin $code --name $name",
    ]
    if toolchain is not None:
        flags = " ".join([*toolchain.flags, *build.gpu_flags, include_flags])
        lines += [
            "rule gpu",
            f"  command = {toolchain.compiler} {toolchain.writes_depfile} {flags} -c $in -o $out",
            "  depfile = $out.d",
            "  deps = gcc",
        ]
    objects = []
    for number, source in enumerate(sorted(build.sources)):
        rule = {".c": "cc", ".cu": "gpu", ".o": None, ".obj": None}.get(Path(source).suffix.lower(), "cxx")
        if rule is None:
            objects.append(escape(source))
            continue
        made = f"{rule}_{number}.o"
        lines.append(f"build {made}: {rule} {escape(source)}")
        for name, code in [(name, code) for owner, name, code in build.embedded if owner == source]:
            lines += [
                f"build {name}_{made}: embed {made} | {escape(code)}",
                f"  name = {name}",
                f"  code = {word(code)}",
            ]
            made = f"{name}_{made}"
        objects.append(made)
    rule = "link" if not build.is_object else "copy" if len(objects) == 1 else "merge"
    lines += [f"build {escape(build.output)}: {rule} {' '.join(objects)}", f"default {escape(build.output)}", ""]
    return "\n".join(lines)


def run_ninja(folder: Path) -> None:
    """Build in a folder with a build.ninja. RuntimeError, with what the compilers said, when that fails.

    ``MAX_JOBS`` limits the number of compilers that run at once; ``TVM_FFI_CPP_EXTENSION_LOG_BUILD`` logs their output.
    """
    jobs = os.environ.get("MAX_JOBS")
    command = ["ninja", "-v", *(["-j", jobs] if jobs else [])]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        raise RuntimeError("cpp.build: cannot find ninja; install it, for example with pip") from None
    if done.returncode != 0:
        raise RuntimeError(
            f"ninja exited with status {done.returncode}\nstdout:\n{done.stdout}\nstderr:\n{done.stderr}"
        )
    wanted = os.environ.get("TVM_FFI_CPP_EXTENSION_LOG_BUILD", "0")
    for stream, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        if wanted in ("1", stream):
            _log.info("ninja build %s:\n%s", stream, text)
