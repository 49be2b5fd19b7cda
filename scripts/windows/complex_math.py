"""NumPy under wine 8, whose C library ends the process in functions for complex numbers.

NumPy's files import them, with all of the library's mathematics, from a library of this name. They get a library of a
name as long, which has the functions for complex numbers and passes on the others.
"""

from __future__ import annotations

import re
from pathlib import Path

from scripts.tools.commands import run
from scripts.windows.machine import CC, HERE, OUTPUT

IMPORTED = b"api-ms-win-crt-math-l1-1-0.dll"
FILLED = b"complex-math-for-wine-0008.dll"
REAL = ["cabs", "carg", "creal", "cimag"]
COMPLEX = ["cacos", "cacosh", "casin", "casinh", "catan", "catanh", "ccos", "ccosh", "cexp", "clog"]
COMPLEX += ["csin", "csinh", "csqrt", "ctan", "ctanh", "cpow"]


def imported(file: Path) -> set[str]:
    """Return the names that a file for Windows imports from the library of mathematics."""
    text = run(f"{CC.partition('-gcc')[0]}-objdump", "-p", str(file))
    _, _, after = text.partition(f"DLL Name: {IMPORTED.decode()}\n")
    own, _, _ = after.partition("DLL Name:")
    return set(re.findall(r"^\t[0-9a-f]+\t.*?([A-Za-z_]\w*)$", own, re.MULTILINE))


def definition(name: str) -> str:
    """Return the line of the linker's list of exports for a name: a function of complex_math.c, or wine's."""
    for base in REAL + COMPLEX:
        if name in (base, base + "l"):  # long double is double on Windows
            return f"  {name}=filled_{base}"
        if name == base + "f":
            return f"  {name}=filled_{name}"
    return f"  {name}=ucrtbase.{name}"


def fill(packages: Path) -> None:
    """Make the library beside those of NumPy, which is in the folder, and let NumPy's files import from it."""
    found = [file for pattern in ("numpy/**/*.pyd", "numpy.libs/*.dll") for file in packages.glob(pattern)]
    files = [file for file in found if IMPORTED in file.read_bytes()]
    if not files:  # they were given it before
        return
    names = sorted(set().union(*map(imported, files)))
    exports = OUTPUT / "complex_math.def"
    exports.write_text("EXPORTS\n" + "\n".join(map(definition, names)) + "\n")
    made = packages / "numpy.libs" / FILLED.decode()
    options = ["-O1", "-std=gnu11", "-shared", "-static-libgcc", "-o", str(made)]
    run(CC, *options, str(HERE / "complex_math.c"), str(exports))
    for file in files:
        file.write_bytes(file.read_bytes().replace(IMPORTED, FILLED))
