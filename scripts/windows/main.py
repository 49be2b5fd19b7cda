"""Builds selfsame for Windows on x86-64 and tries it under wine: `make windows`.

It needs wine64 and mingw's C and C++ compilers with POSIX threads; as root on Debian it installs them. Maven has
CPython for Windows, and pip the stock package apache-tvm-ffi for it, zig, and what the tests need.
Downloads and wine's folder are in ~/.cache/selfsame/windows (SELFSAME_CACHE names another folder), what is built is in
build/windows, and the tables are in build/windows/table.txt.

With --packages it also makes wheels of the tests' Go packages with `selfsame-ffi build --wheel --target win_amd64`, and
the tests of those packages run; without it they are skipped.

Usage: python3 -m scripts.windows.main [--no-build] [--no-checks] [--packages] [ROOM | ROOM/FILE]...
(all that apply without)
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from scripts.tools.commands import progress
from scripts.tools.suite import Suite, finish
from scripts.windows.build import build_geo, build_go_packages, build_test_libraries
from scripts.windows.distribution import described, wheel
from scripts.windows.machine import (
    CACHE,
    HERE,
    OUTPUT,
    install,
    peer,
    prefix,
    python_folder,
    under_wine,
    windows_path,
)
from scripts.windows.packages import packages

SECONDS = 900  # for the checks


def checks(python: Path, site: Path, stock: Path) -> tuple[str, bool]:
    """Run checks.py, which needs no package of others. Return its table and whether all passed."""
    progress("running the checks under wine")
    folders = [windows_path(path) for path in (site, OUTPUT / "geo.dll", stock)]
    done = under_wine(python, ["-m", "scripts.windows.checks", *folders], SECONDS)
    if done is None:
        return f"FAILED   the checks did not end in {SECONDS} s\n", False
    return done.stdout, done.returncode == 0


def suite(python: Path, site: Path, folder: Path, stock: Path, names: list[str]) -> tuple[str, bool]:
    """Run what of python/tests applies. Return its table and whether all passed."""
    paths = ";".join(windows_path(path) for path in (site, stock, packages(), HERE / "wine"))
    env = {"PYTHONPATH": paths, "SELFSAME_TEST_BUILT": windows_path(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if (folder / "go").is_dir():
        env["SELFSAME_TEST_PACKAGES"] = windows_path(folder / "go")
    start = functools.partial(under_wine, python, **env)
    return Suite(HERE / "left_out.txt", OUTPUT / "reports", start, windows_path).run_rooms(names)


def main() -> None:
    """Set up, build, run the checks and the suite, and end with their status."""
    options = {name for name in sys.argv[1:] if name.startswith("--")}
    if unknown := options - {"--no-build", "--no-checks", "--packages"}:
        sys.exit(f"windows: expected --no-build, --no-checks or --packages, got {', '.join(sorted(unknown))}")
    names = [name for name in sys.argv[1:] if name not in options]
    CACHE.mkdir(parents=True, exist_ok=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    install()
    python, stock = python_folder(), peer()
    prefix()
    site, folder, parts = OUTPUT / "site", OUTPUT / "tests", []
    if "--no-build" not in options:
        made, site = wheel(python, stock)
        folder = build_test_libraries(site, stock)
        build_geo()
        wheels = [made, *(build_go_packages(folder / "go") if "--packages" in options else [])]
        parts.append("\n".join([f"{'file':<60} {'library':>8} {'wheel':>8}", *map(described, wheels)]))
    good = True
    if "--no-checks" not in options:
        text, good = checks(python, site, stock)
        parts.append(text)
    text, suite_good = suite(python, site, folder, stock, names)
    parts.append(text)
    finish(OUTPUT / "table.txt", parts, good and suite_good)


if __name__ == "__main__":
    main()
