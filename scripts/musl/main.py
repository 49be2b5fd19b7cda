"""Builds selfsame for musl on x86-64 and tries it with a CPython that runs with musl: `make musl`.

It needs musl and what CPython is built with; as root on Debian it installs them. Debian's source packages have
CPython, zlib and libffi, and pip has zig and what the tests need. Downloads and what was built of them are in
~/.cache/selfsame/musl (SELFSAME_CACHE names another folder), what is built here is in build/musl, and the tables are
in build/musl/table.txt.

The checks run with the musl of this system and with the newest of Debian's. The suite runs with the newest, since
NumPy and greenlet need musl 1.2.4. The packages of Go that the tests use are built by the tool of the wheel, with musl.
One is also made as a wheel, from this machine.

Usage: python3 -m scripts.musl.main [--no-build] [ROOM | ROOM/FILE]...   (all that apply without)
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from pathlib import Path

from scripts.musl.machine import (
    HERE,
    OUTPUT,
    PYTHON,
    TARGET,
    environment,
    install,
    installed,
    packages_of_tests,
    pythons,
    run_python,
)
from scripts.tools.commands import GO, progress, run
from scripts.tools.downloads import unpack
from scripts.tools.suite import Suite, finish
from scripts.wheels.tools import packaging_tools, published_headers, zig

SECONDS = 900  # for the checks
GO_PACKAGES = ["examples/geo", "examples/inventory"]
GO_PACKAGES += [f"python/tests/fixtures/{name}" for name in ("forking", "goclasses", "signatures", "pages/shop")]


def build(tools: Path, site: Path, go: Path) -> str:
    """Make the wheel, and the packages of Go that the tests use. Return the table of the wheels."""
    dist, wheels = OUTPUT / "dist", OUTPUT / "wheels"
    for folder in (site, go, dist, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    progress("the wheel of selfsame-ffi (minutes, the first time)")
    options = ["--targets", TARGET.name, "--pythons", PYTHON, "--no-sdist", "--output", str(dist)]
    run(sys.executable, "-m", "scripts.wheels.main", *options)
    (wheel,) = dist.glob("*.whl")
    unpack(wheel, site)
    for package in GO_PACKAGES:
        progress(f"{package}, by the tool with musl")
        run(site / "selfsame_ffi/bin/selfsame-ffi", "build", package, "-o", go, env=environment())
    progress(f"the wheel of {GO_PACKAGES[0]}, by the tool of this machine")
    tool = OUTPUT / "selfsame-ffi"
    run(GO, "build", "-o", tool, "./cmd/selfsame-ffi")
    options = ["--wheel", "--target", TARGET.platform, "--version", "1.0", "-o", str(wheels)]
    run(tool, "build", *options, GO_PACKAGES[0], env={**os.environ, "ZIG": zig(tools)})
    (of_go,) = wheels.glob("*.whl")
    shutil.rmtree(go / "geo")
    unpack(of_go, go)
    return "\n".join(f"{made.name:<60} {made.stat().st_size / 1e6:>5.1f} MB" for made in (wheel, of_go))


def checks(python: Path, folders: list[Path]) -> tuple[str, bool]:
    """Run checks.py. Return its table and whether all passed."""
    progress(f"running the checks with {python.name}")
    done = run_python(python, environment(), ["-m", "scripts.musl.checks", *map(str, folders)], SECONDS)
    if done is None:
        return f"FAILED   the checks did not end in {SECONDS} s", False
    return f"{python.name}: {done.stdout.strip()}", done.returncode == 0


def suite(python: Path, site: Path, go: Path, headers: Path, names: list[str]) -> tuple[str, bool]:
    """Run what of python/tests applies. Return its table and whether all passed."""
    python = installed(python, [site, packages_of_tests()])
    env = environment(
        SELFSAME_TEST_PACKAGES=str(go),
        TVM_FFI_INCLUDE=str(headers / "tvm_ffi" / "include"),
    )
    of_musl = Suite(HERE / "left_out.txt", OUTPUT / "reports", functools.partial(run_python, python, env))
    return of_musl.run_rooms(names)


def main() -> None:
    """Set up, build, run the checks and the suite, and end with their status."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    options = {name for name in sys.argv[1:] if name not in names}
    if unknown := options - {"--no-build"}:
        sys.exit(f"musl: expected --no-build, got {', '.join(sorted(unknown))}")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    install()
    tools = packaging_tools()
    headers = published_headers()
    site, go, parts = OUTPUT / "site", OUTPUT / "go", []
    if "--no-build" not in options:
        parts.append(build(tools, site, go))
    here, newest = pythons(tools)
    good = True
    for python in (here, newest):
        text, passed = checks(python, [site, go])
        parts.append(text)
        good = good and passed
    text, passed = suite(newest, site, go, headers, names)
    parts.append(text)
    finish(OUTPUT / "table.txt", parts, good and passed)


if __name__ == "__main__":
    main()
