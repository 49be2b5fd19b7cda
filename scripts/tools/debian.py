"""Programs that packages of Debian's have: installed as root on Debian, elsewhere the packages are named.

Usage: python3 -m scripts.tools.debian PROGRAM[|PROGRAM...]=PACKAGE...    where no program of several is there
       python3 -m scripts.tools.debian PACKAGE...
"""

from __future__ import annotations

import os
import shutil
import sys

from scripts.tools.commands import Failed, progress, run


def install(*packages: str) -> None:
    """Install packages of Debian's. Failed, with the command to give, where this is not root on Debian."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Failed(f"these are missing; on Debian or Ubuntu:  apt-get install {' '.join(packages)}")
    progress(f"installing {', '.join(packages)}")
    run("apt-get", "update", "-qq")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages, env=env)


def need(programs: dict[str, str]) -> None:
    """Install what has programs that are missing: by program, or programs of which one will do, the package."""

    def missing() -> list[str]:
        return [package for names, package in programs.items() if not any(map(shutil.which, names.split("|")))]

    if missing():
        install(*missing())
    if lacking := missing():
        raise Failed(f"after the installation of {', '.join(lacking)} the programs are not on PATH")


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(__doc__)
    if all("=" in argument for argument in sys.argv[1:]):
        need(dict(argument.split("=", 1) for argument in sys.argv[1:]))
    else:
        install(*sys.argv[1:])
