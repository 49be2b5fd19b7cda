"""Has mypy and pyright read fixtures/typed/sample.py of the tests, and compares what they say with what it expects.

usage: check_types.py BIN     the folder of mypy and pyright

`# type: T` after a reveal_type is the revealed type in a common spelling; `# error: PATTERN` expects an error in
the line whose text fits. A difference, of either checker, is an error of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from scripts.tools.commands import ROOT

SAMPLE = ROOT / "python" / "tests" / "fixtures" / "typed" / "sample.py"
SOURCES = ROOT / "python" / "src"


def plain(revealed: str) -> str:
    """A type as both checkers could spell it: without modules, unions with bars, no marks of inference."""
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=\w)", "", revealed).replace("*", "")
    text = re.sub(r"\bUnion\[([^\[\]]+)\]", lambda match: match[1].replace(", ", " | "), text)
    return text.strip('"')


def said_by_mypy(folder: Path) -> list[tuple[int, str, str]]:
    """(line, "type" or "error", text) for all that mypy says."""
    command = [str(folder / "mypy"), "--strict-optional", "--no-error-summary", "--follow-imports=silent", str(SAMPLE)]
    environment = {**os.environ, "MYPYPATH": str(SOURCES)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=SAMPLE.parent)
    found = []
    for line in done.stdout.splitlines():
        match = re.match(r"[^:]*sample\.py:(\d+): (note|error): (.*)", line)
        if match is None:
            raise SystemExit(f"mypy: {line}")
        revealed = re.match(r'Revealed type is "(.*)"', match[3])
        if revealed:
            found.append((int(match[1]), "type", plain(revealed[1])))
        elif match[2] == "error":
            found.append((int(match[1]), "error", match[3]))
    return found


def said_by_pyright(folder: Path) -> list[tuple[int, str, str]]:
    """The same for pyright."""
    command = [str(folder / "pyright"), "--outputjson", "-p", str(SAMPLE.parent)]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        diagnostics = json.loads(done.stdout)["generalDiagnostics"]
    except (ValueError, KeyError):
        raise SystemExit(f"pyright: {done.stdout}{done.stderr}") from None
    found = []
    for each in diagnostics:
        number, text = each["range"]["start"]["line"] + 1, each["message"]
        revealed = re.match(r'Type of "(?:.*)" is "(.*)"', text, re.DOTALL)
        if each["severity"] == "information" and revealed:
            found.append((number, "type", plain(revealed[1])))
        elif each["severity"] == "error":
            found.append((number, "error", text))
    return found


def expected() -> dict[int, tuple[str, str]]:
    """By line: ("type", T) or ("error", PATTERN)."""
    found = {}
    for number, line in enumerate(SAMPLE.read_text().splitlines(), 1):
        match = re.search(r"  # (reveals|error): (.+)$", line)
        if match:
            found[number] = (match[1], match[2])
    return found


def compare(checker: str, said: list[tuple[int, str, str]], wanted: dict[int, tuple[str, str]]) -> list[str]:
    complaints = []
    by_line: dict[int, list[tuple[str, str]]] = {}
    for number, kind, text in said:
        by_line.setdefault(number, []).append((kind, text))
    for number in sorted({*by_line, *wanted}):
        kind, text = wanted.get(number, ("nothing", ""))
        here = by_line.get(number, [])
        if kind == "reveals":
            good = ("type", text) in here and all(told[0] == "type" for told in here)
        elif kind == "error":
            good = any(told[0] == "error" and re.search(text, told[1], re.IGNORECASE) for told in here)
        else:
            good = not here
        if not good:
            told = "; ".join(f"{each}: {words}" for each, words in here) or "nothing"
            complaints.append(f"{SAMPLE.name}:{number}: {checker}: expected {kind} {text!r}, got {told}")
    return complaints


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    wanted = expected()
    complaints = compare("mypy", said_by_mypy(folder), wanted) + compare("pyright", said_by_pyright(folder), wanted)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
