"""Runs the findings of findings/ one after another and prints which still hold: `make findings`.

With --record it writes the list in findings/README.md from their headers: the first comment of a script is a sentence
that says what was found, a line "Versions: ..." names what it was seen with. The date in a row is that of the run.

Usage: findings.py [--record] [NAME...]
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "findings"
README = FOLDER / "README.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->\n"
RESULTS = {0: "holds", 77: "not run"}
MOST_SECONDS = 1800


def header_of(script: Path) -> dict[str, str]:
    """Returns the paragraphs of the script's first comment by their names; the first is "Found"."""
    lines = script.read_text().splitlines()[1:]
    comment = []
    for line in lines:
        if not line.startswith("#"):
            break
        comment.append(line.removeprefix("#").strip())
    parts, name = {"Found": ""}, "Found"
    for line in comment:
        if begin := re.match(r"(Versions|Expected|Seen|Selfsame): (.*)", line):
            name = begin[1]
            parts[name] = begin[2]
        elif line:
            parts[name] = f"{parts[name]} {line}".strip()
    return parts


def run(script: Path) -> tuple[str, str]:
    """Returns the result of a finding, and what it printed."""
    try:
        done = subprocess.run(
            ["sh", str(script)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", timeout=MOST_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "changed", f"did not end in {MOST_SECONDS} s"
    return RESULTS.get(done.returncode, "changed"), done.stdout


def row(name: str, parts: dict[str, str], last: str) -> str:
    return f"| [{name}]({name}.sh) | {parts['Found']} | {parts.get('Versions', '')} | {last} |\n"


def record(results: dict[str, str]) -> None:
    """Writes the rows of README.md; a finding that did not run keeps the date of its last run."""
    text = README.read_text()
    before, rest = text.split(BEGIN)
    rows, after = rest.split(END)
    dates = dict(re.findall(r"^\| \[([^]]+)\].* \| ([^|]*) \|$", rows, re.MULTILINE))
    today = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
    written = ""
    for script in sorted(FOLDER.glob("*.sh")):
        result = results.get(script.stem, "not run")
        last = dates.get(script.stem, "never") if result == "not run" else f"{today}, {result}"
        written += row(script.stem, header_of(script), last)
    README.write_text(before + BEGIN + written + END + after)


def main(arguments: list[str]) -> int:
    names = [argument for argument in arguments if argument != "--record"]
    scripts = [FOLDER / f"{name}.sh" for name in names] or sorted(FOLDER.glob("*.sh"))
    results = {}
    for script in scripts:
        results[script.stem], output = run(script)
        print(f"{results[script.stem]:8}  {script.stem}: {header_of(script)['Found']}", flush=True)
        if "--record" in arguments:
            record(results)
        if results[script.stem] != "holds":
            print("".join(f"          {line}\n" for line in output.splitlines()[-30:]), end="", flush=True)
    count = {result: list(results.values()).count(result) for result in ("holds", "changed", "not run")}
    print(f"{count['holds']} hold, {count['changed']} changed, {count['not run']} did not run")
    return 1 if count["changed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
