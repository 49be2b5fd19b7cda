"""Virtual environments and folders of packages. Each is made once, and again when what it shall have changes.

Usage: python3 -m scripts.tools.environments venv FOLDER WANTED...      a virtual environment
       python3 -m scripts.tools.environments folder FOLDER WANTED...    packages in a folder, as PYTHONPATH names them

WANTED is a requirement as pip takes it, or the name of a file of requirements that ends with .txt. The interpreter that
runs this is the one that gets the packages. Where pip fails, its reason is printed, and the status is 1.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.tools.commands import Failed, progress, run

_INDEX = "the packages come from the package index: is it reachable?"


def pip(*arguments: object, python: object = sys.executable, env: dict[str, str] | None = None) -> str:
    """Run pip, and return what it prints. Failed when it fails."""
    quiet = ["-q", "--disable-pip-version-check"]
    return run(python, "-m", "pip", *quiet, *arguments, env=env, hint=_INDEX)


def lines(*wanted: str | Path) -> list[str]:
    """Return the requirements: a Path, or a name that ends with .txt, is a file of them."""
    found = []
    for one in wanted:
        if isinstance(one, Path) or one.endswith(".txt"):
            found += [line.strip() for line in Path(one).read_text().splitlines() if line.strip() and line[0] != "#"]
        else:
            found.append(one)
    return found


def venv(folder: Path, *arguments: str, python: object = sys.executable) -> Path:
    """Make a virtual environment, and return the folder of its programs."""
    run(python, "-m", "venv", *arguments, folder, hint="is the module venv of this Python installed?")
    return folder / "bin"


def environment(folder: Path, *wanted: str | Path, python: object = sys.executable) -> Path:
    """Return the folder of the programs of a virtual environment with packages, which is made or updated."""

    def make() -> None:
        venv(folder, python=python)
        pip("install", "--upgrade", *lines(*wanted), python=folder / "bin" / "python")

    _once(folder, lines(*wanted), make)
    return folder / "bin"


def packages(folder: Path, *wanted: str | Path, python: object = sys.executable, options: Sequence[str] = ()) -> Path:
    """Return a folder that has packages, as PYTHONPATH names it. It is made again when others are wanted."""

    def make() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        target = ["--root-user-action=ignore", "--target", folder]
        pip("install", *target, *options, *lines(*wanted), python=python)

    _once(folder, lines(*wanted), make)
    return folder


def _once(folder: Path, wanted: list[str], make: Callable[[], object]) -> None:
    """Call `make`, unless the folder has what is wanted."""
    stamp, text = folder / ".requirements", "\n".join(wanted)
    if stamp.is_file() and stamp.read_text() == text:
        return
    progress(f"installing {', '.join(wanted)} into {folder}")
    make()
    folder.mkdir(parents=True, exist_ok=True)
    stamp.write_text(text)


def main(arguments: list[str]) -> None:
    """Do what the module's documentation says."""
    if len(arguments) < 3 or arguments[0] not in ("venv", "folder"):
        sys.exit(__doc__)
    make = environment if arguments[0] == "venv" else packages
    try:
        make(Path(arguments[1]).resolve(), *arguments[2:])
    except Failed as error:
        print("\n".join(str(error).splitlines()[-4:]), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
