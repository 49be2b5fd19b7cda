"""Compares the Go and Python interfaces with those of the last release, and fails on a break without a fragment.

    main.py             compares; 1 when a name was broken that no fragment changes/*.breaking.md names
    main.py --record    records this commit as the last release's: a step of RELEASING.md

The file `baseline` names the last release's commit; until there is a release, the one at which this was set up. Both
tools read that commit from the repository's history. apidiff is fetched by go; griffe is installed into build/api-venv.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASELINE = Path(__file__).with_name("baseline")
OLD = ROOT / "build/api-baseline"
VENV = ROOT / "build/api-venv"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
APIDIFF = "golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4"
MODULE = "github.com/selfsame-ffi/selfsame"
PACKAGES = (MODULE, f"{MODULE}/abi", f"{MODULE}/tvm")


def run(*command: object, ok: tuple[int, ...] = (0,), cwd: Path = ROOT, **environment: str) -> str:
    """What a command prints; the program ends with it when its status is none of `ok`."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=os.environ | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode not in ok:
        sys.exit(f"api-diff: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def apidiff(*arguments: object, cwd: Path = ROOT) -> str:
    """What apidiff prints for the modules of a folder; an unpacked one is no part of this workspace."""
    workspace = {} if cwd == ROOT else {"GOWORK": "off"}
    return run(os.environ.get("GO", "go"), "run", APIDIFF, *arguments, cwd=cwd, **workspace)


def unpack(commit: str) -> None:
    """Write the files of a commit into OLD."""
    shutil.rmtree(OLD, ignore_errors=True)
    OLD.mkdir(parents=True)
    archive = OLD.with_suffix(".tar")
    run("git", "archive", "-o", archive, commit)
    run("tar", "-xf", archive, "-C", OLD)
    archive.unlink()


def griffe() -> Path:
    """griffe's program, in an environment that is made when it must be."""
    stamp = VENV / ".requirements"
    if not stamp.is_file() or stamp.read_text() != REQUIREMENTS.read_text():
        run(sys.executable, "-m", "venv", VENV)
        run(VENV / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", REQUIREMENTS)
        stamp.write_text(REQUIREMENTS.read_text())
    return VENV / "bin/griffe"


def go_breaks(output: str) -> list[tuple[str, str]]:
    """The broken names in what `apidiff -incompatible` prints, each with the whole line."""
    return [(line[2:].partition(": ")[0], line[2:]) for line in output.splitlines() if line.startswith("- ")]


def python_breaks(output: str) -> list[tuple[str, str]]:
    """The broken names in what `griffe check -f oneline` prints, each with the whole line."""
    found = []
    for line in output.splitlines():
        if match := re.match(r"\S+?:\d+: ([\w.]+)", line):
            found.append((match[1], line))
    return found


def unannounced(breaks: list[tuple[str, str]], announced: str) -> list[str]:
    """The lines of the breaks whose name, or its last part, stands in backquotes in no text of `announced`."""
    named = {
        name.removesuffix("()") for code in re.findall(r"`([^`]+)`", announced) for name in (code, code.split(".")[-1])
    }
    return [line for name, line in breaks if not {name, name.split(".")[-1]} & named]


def released(old: Path) -> list[str]:
    """The packages that an unpacked release has: nothing of one that came later can break."""
    return [path for path in PACKAGES if any((old / path.removeprefix(MODULE).lstrip("/")).glob("*.go"))]


def record() -> None:
    BASELINE.write_text(run("git", "rev-parse", "HEAD"))


def compare() -> list[str]:
    """The breaks that no fragment names."""
    commit = BASELINE.read_text().strip()
    unpack(commit)
    breaks = []
    for path in released(OLD):
        export = OLD.with_suffix(".export")
        apidiff("-w", export, path, cwd=OLD)
        breaks += go_breaks(apidiff("-incompatible", export, path))
        export.unlink()
    shutil.rmtree(OLD)
    options = ["--search", "python/src", "--against", commit, "--format", "oneline", "--no-color"]
    output = run(griffe(), "check", "selfsame_ffi", *options, ok=(0, 1))
    if output and not python_breaks(output):
        sys.exit(f"api-diff: griffe failed:\n{output}")
    breaks += python_breaks(output)
    announced = "\n".join(path.read_text() for path in sorted((ROOT / "changes").glob("*.breaking.md")))
    return unannounced(breaks, announced)


def main() -> None:
    if sys.argv[1:] == ["--record"]:
        record()
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    if found := compare():
        sys.exit(
            "api-diff: these break users of the last release; keep them, or write changes/TOPIC.breaking.md that names "
            "each in backquotes:\n" + "\n".join(found)
        )
    print("api-diff: no break without a fragment")


if __name__ == "__main__":
    main()
