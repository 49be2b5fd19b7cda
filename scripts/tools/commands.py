"""Commands and their output. A command that fails ends the program with what it said, unless the program goes on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: Go modules are named by this path.
MODULE = "github.com/selfsame-ffi/selfsame"

#: The version of all parts, which the C header has.
VERSION = re.findall(r'VERSION "(.+)"', (ROOT / "abi/include/selfsame/version.h").read_text())[0]

#: The folder of what is downloaded and compiled once for all checkouts.
CACHE = Path(os.environ.get("SELFSAME_CACHE") or Path.home() / ".cache" / "selfsame")

#: The command line tool of this checkout.
TOOL = os.environ.get("TOOL", str(ROOT / "build" / "bin" / "selfsame-ffi"))

#: The go command.
GO = os.environ.get("GO", "go")


class Failed(SystemExit):
    """A step that failed, with what to do. A program that does not catch it ends with that text and the status 1."""


def run(
    *command: object,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    ok: tuple[int, ...] = (0,),
    hint: str = "",
    errors: bool = False,
) -> str:
    """Return what a command prints; with `errors` what it writes to standard error too. Failed, with the end of both
    and the hint, when its status is none of `ok`."""
    words = list(map(str, command))
    stderr = subprocess.STDOUT if errors else subprocess.PIPE
    done = subprocess.run(words, cwd=cwd, env=env, text=True, errors="replace", stdout=subprocess.PIPE, stderr=stderr)
    if done.returncode not in ok:
        said = f"{done.stdout}{done.stderr or ''}".splitlines()[-30:]
        text = f"{' '.join(words)[:300]} ended with status {done.returncode}:\n"
        raise Failed(text + "\n".join(line[:400] for line in said) + (f"\n  {hint}" if hint else ""))
    return done.stdout


def timed(*command: object, fails: bool = False, env: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """Return all that a command prints, which must succeed, or fail. The seconds that it took are printed."""
    started = time.monotonic()
    told = run(*command, env=env, cwd=cwd, ok=tuple(range(1, 256)) if fails else (0,), errors=True)
    print(f"{time.monotonic() - started:6.1f} s  {' '.join(map(str, command))[:100]}", flush=True)
    return told


def program() -> str:
    """Return the name of the program that runs: its module's below scripts, without `.main`."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return (spec.name if spec else Path(sys.argv[0]).stem).removeprefix("scripts.").removesuffix(".main")


def progress(text: str) -> None:
    """Tell the user what is done now."""
    print(f"{program()}: {text}", flush=True)


def tracked(*patterns: str, folder: Path = ROOT) -> list[str]:
    """Return the names of the files below a folder that git tracks or would add, and that are there."""
    listed = run("git", "ls-files", "-z", "-c", "-o", "--exclude-standard", "--", *patterns, cwd=folder)
    return sorted(name for name in set(listed.split("\0")) if name and (folder / name).is_file())


def clean_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without what leads Python or the runtime to other files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SELFSAME", "VIRTUAL"))}
    return {**kept, **more}
