"""Builds, checks and tries wheels of selfsame-ffi for every CPython on this machine and every platform.

Its results are in build/dist: the wheels, a source distribution and table.txt, the table that is printed at the end,
and simple, a package index of them. Each wheel's contents are checked. Those that run on this machine are installed
into an empty environment, and the README's first example is run there; 64-bit ARM is tried with qemu, and the source
distribution by building it.

    --targets "x86_64-gnu ..."   the platforms (default: x86_64-gnu aarch64-gnu x86_64-musl)
    --pythons "3.11 3.13t ..."   the interpreters (default: those that scripts/pythons.sh lists)
    --no-sdist                   no source distribution

SELFSAME_CACHE is the folder of what is downloaded and compiled, ~/.cache/selfsame without it.

Usage: python3 -m scripts.wheels.main [options]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from scripts.tools import tables
from scripts.tools.commands import ROOT, Failed, progress
from scripts.wheels import arm64, compilers, index, macos, package
from scripts.wheels.contents import library_size, missing, wrong
from scripts.wheels.installed import try_wheels
from scripts.wheels.interpreters import Interpreter, interpreters
from scripts.wheels.targets import CACHE, TARGETS, Target, named
from scripts.wheels.tools import build_native, go_environment, packaging_tools, published_headers, zig

_AIM = 12_000_000  # bytes


def _tried(python: Interpreter, target: Target, output: Path) -> str:
    packages = CACHE / "try" / "packages"
    if target.runs_here:
        try_wheels(python.path, output, CACHE / "try" / python.version, packages)
        return "ok"
    if target == arm64.TARGET:
        return arm64.try_wheel(python, output, packages)
    if target.libc == "macos":
        return "not run: built and inspected"
    return "not run: no CPython of this platform here"


def _source_tried(python: Interpreter, archive: Path) -> str:
    """Build a wheel from the source distribution alone, with this machine's Go and compilers, and use it."""
    progress(f"the source distribution, built with CPython {python.version} (minutes)")
    wheel = package.build_source(python, archive)
    if lacking := missing(wheel, published_headers=False):
        raise Failed(f"the wheel that {archive.name} builds lacks {', '.join(lacking)}")
    try_wheels(python.path, wheel.parent, CACHE / "try" / "sdist", CACHE / "try" / "packages", published_headers=False)
    return f"ok, built with CPython {python.version}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _row(python: Interpreter, target: Target, wheel: Path, output: Path) -> tuple[str, ...]:
    if faults := wrong(wheel, target):
        raise Failed("; ".join(faults))
    library, size = library_size(wheel), wheel.stat().st_size
    if max(library, size) > _AIM:
        raise Failed(f"it has {_megabytes(max(library, size))}, more than {_megabytes(_AIM)}")
    return (wheel.name, _megabytes(library), _megabytes(size), _tried(python, target, output))


def build_all(
    targets: list[Target], pythons: list[Interpreter], with_source: bool, output: Path
) -> tuple[str, list[str]]:
    """Build and try everything. Returns the table of what was made, and what failed. Raises Failed when the parts that
    all wheels share cannot be built."""
    tools = packaging_tools()
    headers = published_headers()
    compiler = zig(tools)
    if any(target.runs_here for target in targets):  # an earlier run's package may be of another release of the tool
        shutil.rmtree(CACHE / "try" / "packages", ignore_errors=True)
    rows: list[tuple[str, ...]] = [("file", "library", "wheel", "install and example")]
    failures: list[str] = []
    for target in targets:
        env = go_environment(compilers.environment(target, compiler))
        build_native(target, env)
        for python in pythons:
            if target.libc == "macos" and python.version != macos.PYTHON:
                continue
            name = f"CPython {python.version}, {target.name}"
            progress(name)
            try:
                wheel = package.build(python, target, env, headers, tools, output)
                rows.append(_row(python, target, wheel, output))
            except Failed as error:  # the others may be good
                progress(f"{name} FAILED: {error}")
                failures.append(f"{name}: {error}")
                rows.append((name, "", "", "FAILED"))
    if with_source:
        progress("source distribution")
        archive = package.source_distribution(pythons[0], tools, output)
        rows.append((archive.name, "", _megabytes(archive.stat().st_size), _source_tried(pythons[0], archive)))
    return tables.text(rows), failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="", help=" ".join(target.name for target in TARGETS))
    parser.add_argument("--pythons", default="", help="versions, such as 3.11 3.13t")
    parser.add_argument("--no-sdist", action="store_true", help="no source distribution")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "dist", help="the folder for what is made")
    options = parser.parse_args()
    os.nice(5)
    try:
        targets, pythons = named(options.targets.split()), interpreters(options.pythons.split())
        options.output.mkdir(parents=True, exist_ok=True)
        table, failures = build_all(targets, pythons, not options.no_sdist, options.output)
        (options.output / "table.txt").write_text(table + "\n")
        index.write(options.output)
        print(table)
        if failures:
            raise Failed("\n".join(failures))
    except (Failed, ValueError) as error:
        sys.exit(f"wheels: {error}")


if __name__ == "__main__":
    main()
