"""Compares the Go and Python interfaces with those of the last release, and fails on a break without a fragment.

    api_diff.main             compares; 1 when a name was broken that no fragment changes/*.breaking.md names
    api_diff.main --record    records this commit as the last release's: a step of RELEASING.md

The file `baseline` names the last release's commit; until there is a release, the one at which this was set up. Both
tools read that commit from the repository's history. apidiff is fetched by go; griffe is installed into build/api-venv.

Why the last release is known by its commit. ``make api-diff`` reads both interfaces of the last release from its
commit, Go's after unpacking it, which takes a minute. What apidiff writes of a package could be kept instead, but it
names files of the machine that wrote it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from scripts.tools.commands import GO, MODULE, ROOT, run
from scripts.tools.environments import environment

BASELINE = Path(__file__).with_name("baseline")
OLD = ROOT / "build/api-baseline"
VENV = ROOT / "build/api-venv"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
APIDIFF = "golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4"
GRIFFE_LINE = r"^(\S+?):(\d+): ([\w.]+)"
PACKAGES = tuple(f"{MODULE}{path}" for path in ("", "/abi", "/gen", "/gen/overlay", "/host/python", "/tvm"))


def apidiff(*arguments: object, cwd: Path = ROOT) -> str:
    """What apidiff prints for the modules of a folder; an unpacked one is no part of this workspace."""
    workspace = {} if cwd == ROOT else {"GOWORK": "off"}
    return run(GO, "run", APIDIFF, *arguments, cwd=cwd, env=os.environ | workspace)


def unpack(commit: str) -> None:
    """Write the files of a commit into OLD."""
    shutil.rmtree(OLD, ignore_errors=True)
    OLD.mkdir(parents=True)
    archive = OLD.with_suffix(".tar")
    run("git", "archive", "-o", archive, commit)
    run("tar", "-xf", archive, "-C", OLD)
    archive.unlink()


def go_breaks(output: str) -> list[tuple[str, str]]:
    """The broken names in what `apidiff -incompatible` prints, each with the whole line."""
    return [(line[2:].partition(": ")[0], line[2:]) for line in output.splitlines() if line.startswith("- ")]


def python_breaks(output: str) -> list[tuple[str, str]]:
    """The broken names in what `griffe check -f oneline` prints, each with the whole line.

    Two of what griffe reports break nobody: a method that a class now takes from another (`index = Array.index`), an
    attribute to it, and a method that is gone and that every class inherits, as `__str__`.
    """
    found = []
    for line in output.splitlines():
        if match := re.match(GRIFFE_LINE, line):
            file, number, name = match.groups()
            method = name.split(".")[-1]
            if line.endswith("function -> attribute"):
                source = (ROOT / file).read_text().splitlines()[int(number) - 1]
                if re.fullmatch(rf"\s+{method} = \w+\.{method}", source):
                    continue
            if line.endswith("Public object was removed") and "." in name and hasattr(object, method):
                continue
            found.append((name, line))
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
    output = run(environment(VENV, REQUIREMENTS) / "griffe", "check", "selfsame_ffi", *options, ok=(0, 1), errors=True)
    if output and not re.search(GRIFFE_LINE, output, re.MULTILINE):
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
