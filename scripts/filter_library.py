"""Makes a second name of a shared library, for places that cannot hold links, such as wheels.

The result is a library of a few kilobytes with the same SONAME and the same dynamic symbols, without code. The dynamic
linker finds each symbol in the library that it filters, which must lie in the same folder. A program that links to
either file needs the SONAME, and opening either file opens the one library.

    CC, LD   the compiler, which assembles, and the linker

Usage: scripts/filter_library.py LIBRARY OUTPUT

Why the package has a filter library. The runtime has two names: its SONAME ``libtvm_ffi.so``, which programs need, and
``libselfsame.so``, which its users know. Wheels hold no links, a copy would be a second runtime, and a linker script
does not serve ``dlopen``. A filter library has the same SONAME and symbols, and the dynamic linker looks its symbols up
in the file beside it. musl's linker does not know filters, so wheels for musl have ``libtvm_ffi.so`` alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

_FUNCTION = """\
.globl {name}
.type {name}, @function
.text
{name}:
.size {name}, 0
"""

# A program that is not position-independent copies an object from the library, so it must have its size.
_OBJECT = """\
.weak {name}
.type {name}, @object
.data
.balign 16
{name}:
.zero {size}
.size {name}, {size}
"""


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def soname(library: Path) -> str:
    """The SONAME of a shared library. Raises ValueError when it has none."""
    for line in _output("readelf", "-dW", str(library)).splitlines():
        if "(SONAME)" in line:
            return line[line.index("[") + 1 : line.rindex("]")]
    raise ValueError(f"{library} has no SONAME")


def assembly(library: Path) -> str:
    """Assembler text that defines every dynamic symbol of a library, without code."""
    text = [".text\n", ".4byte 0\n"]
    for line in _output("nm", "-D", "-P", "--defined-only", str(library)).splitlines():
        name, kind, _value, *size = line.split()
        if kind in "TW":
            text.append(_FUNCTION.format(name=name))
        else:
            text.append(_OBJECT.format(name=name, size=int(size[0], 16)))
    text.append('.section .note.GNU-stack, "", @progbits\n')
    return "".join(text)


def make(library: Path, output: Path) -> None:
    """Write the filter library of `library`, which the result expects beside itself under its own file name."""
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder) / "filter.s", Path(folder) / "filter.o"
        source.write_text(assembly(library))
        compiler, linker = os.environ.get("CC", "gcc").split(), os.environ.get("LD", "ld").split()
        subprocess.run([*compiler, "-c", "-o", str(code), str(source)], check=True)
        flags = ["-shared", "-s", "--build-id=none", "--hash-style=gnu", "-z", "noexecstack"]
        flags += ["-soname", soname(library), "--filter", f"$ORIGIN/{library.name}"]
        subprocess.run([*linker, *flags, "-o", str(output), str(code)], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {sys.argv[0]} LIBRARY OUTPUT")
    make(Path(sys.argv[1]), Path(sys.argv[2]))
