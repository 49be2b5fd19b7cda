"""Builds, checks and tries wheels of selfsame-ffi for every CPython on this machine and every platform.

What it makes is in build/dist: the wheels and a source distribution. Each wheel that runs on this machine is installed
into an empty environment, and the README's first example is run there; 64-bit ARM is tried with qemu.

    --targets "x86_64-gnu ..."   the platforms (default: x86_64-gnu aarch64-gnu)
    --pythons "3.11 3.13t ..."   the interpreters (default: those that scripts/pythons.sh lists)
    --no-sdist                   no source distribution

SELFSAME_CACHE is the folder of what is downloaded and compiled, ~/.cache/selfsame without it.

Usage: scripts/wheels/main.py [options]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import arm64
import compilers
import package
from installed import try_wheels
from interpreters import Interpreter, interpreters
from targets import CACHE, ROOT, TARGETS, Target, named
from tools import Failed, build_native, go_environment, packaging_tools, progress, published_headers, zig

_AIM = 12_000_000  # bytes


def _tried(python: Interpreter, target: Target, output: Path) -> str:
    packages = CACHE / "try" / "packages"
    if target.runs_here:
        try_wheels(python.path, output, CACHE / "try" / python.version, packages)
        return "ok"
    if target == arm64.TARGET:
        return arm64.try_wheel(python, output, packages)
    return "not run: no CPython of this platform here"


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def build_all(targets: list[Target], pythons: list[Interpreter], with_source: bool, output: Path) -> str:
    """Build and try everything. Returns the table of what was made. Raises Failed."""
    tools = packaging_tools()
    headers = published_headers(tools)
    compiler = zig(tools)
    rows: list[tuple[str, ...]] = [("file", "size", "install and example")]
    for target in targets:
        env = go_environment(compilers.environment(target, compiler))
        build_native(target, env)
        for python in pythons:
            progress(f"CPython {python.version}, {target.name}")
            wheel = package.build(python, target, env, headers, tools, output)
            size = wheel.stat().st_size
            if size > _AIM:
                raise Failed(f"{wheel.name} has {size / 1e6:.1f} MB, more than {_AIM / 1e6:.0f} MB")
            rows.append((wheel.name, f"{size / 1e6:.1f} MB", _tried(python, target, output)))
    if with_source:
        progress("source distribution")
        archive = package.source_distribution(pythons[-1], tools, output)
        rows.append((archive.name, f"{archive.stat().st_size / 1e6:.1f} MB", "not tried"))
    return _table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="", help=" ".join(target.name for target in TARGETS))
    parser.add_argument("--pythons", default="", help="versions, such as 3.11 3.13t")
    parser.add_argument("--no-sdist", action="store_true", help="no source distribution")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "dist", help="the folder for what is made")
    options = parser.parse_args()
    try:
        targets, pythons = named(options.targets.split()), interpreters(options.pythons.split())
        print(build_all(targets, pythons, not options.no_sdist, options.output))
    except (Failed, ValueError) as error:
        sys.exit(f"wheels: {error}")


if __name__ == "__main__":
    main()
