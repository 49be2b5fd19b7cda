"""What a user can do when a shared library cannot be loaded, by what the dynamic linker says of it."""

from __future__ import annotations

import os
import re

#: The folder of selfsame_ffi, which has the runtime in lib/.
PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

#: The hint for a file that ends too early, as on a full disk or after a download that broke off.
CUT_OFF = "; the file is cut off: see that the disk has room, and build, copy or install it again"


def advice(path: str, reason: str) -> str:
    """Return a hint that begins with "; " for the linker's message about the library `path`, "" without one."""
    if needed := re.search(r"version `GLIBC_([\d.]+)' not found", reason):
        return (
            f"; it was built on a newer system, with glibc {needed[1]}: build it for older ones "
            "(`selfsame-ffi build --wheel --target manylinux_2_28_x86_64`), or install a wheel for this system"
        )
    if archive := _archive_with(path):
        return f"; {archive} is an archive, and the system loads libraries from files only: unpack it"
    if "file too short" in reason:
        return CUT_OFF
    if "wrong ELF class" in reason or "cannot open shared object file" in reason and os.path.isfile(path):
        # For a file of another processor the linker says that there is none. A file that it needs may be missing too.
        missing = re.search(r"([^\s:]+): cannot open shared object file", reason)
        if missing is None or os.path.basename(missing[1]) == os.path.basename(path):
            return (
                "; the file is there and is for another processor than this one: install a wheel for this machine, or "
                f"build it here (`selfsame-ffi doctor {path}` says more)"
            )
        return f"; install the library {missing[1]} (`selfsame-ffi doctor {path}` says what is missing)"
    return ""


def _archive_with(path: str) -> str | None:
    """The file among the folders of a path, as of a package that is imported from a zip archive."""
    folder = os.path.dirname(path)
    while folder and folder != os.path.dirname(folder):
        if os.path.isfile(folder):
            return folder
        folder = os.path.dirname(folder)
    return None


def runtime_advice(path: str, reason: str) -> str:
    """Return a hint, which begins with "; ", for the reason why the runtime library `path` cannot be used."""
    hint = advice(path, reason)
    if os.environ.get("SELFSAME_LIBRARY"):
        return f"{hint}; the variable SELFSAME_LIBRARY names it: correct it, or unset it to take this package's library"
    return hint or (
        "; this installation is not whole: run `python -m pip install --force-reinstall selfsame-ffi`, in a clone "
        "`make python`"
    )


def core_advice(error: ImportError) -> str:
    """Return a hint, which begins with "; ", for the error that the import of the C core raised, "" without one."""
    import sysconfig
    from glob import escape, glob  # no import that succeeds needs these

    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    own = os.path.join(PACKAGE_FOLDER, f"_core{suffix}")
    if os.path.isfile(own):
        return advice(own, str(error))
    others = sorted(os.path.basename(path) for path in glob(os.path.join(escape(PACKAGE_FOLDER), "_core.*.so")))
    if others:
        return (
            f"; this installation is for another Python or machine ({', '.join(others)}, not _core{suffix}): run "
            "`python -m pip install --force-reinstall selfsame-ffi` with the Python that is to use it"
        )
    return (
        f"; {PACKAGE_FOLDER} has sources that were not built: run `pip install -e .` in the clone, or import from "
        "another folder"
    )
