"""Counts what `selfsame-ffi wrap` binds of the first ten libraries of scripts/wrap/wrap.sh, as a Markdown table.

Usage: python3 -m scripts.wrap.coverage TOOL FOLDER [--write]

Modules are written below FOLDER and not
built. With --write the table also replaces the one in docs/wrap.md, and what the tool says of chi the block there. A
library is fetched in the version that the folder's go.mod names, or in the newest one.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys

from scripts.tools import tables
from scripts.tools.commands import ROOT, Failed, run

LIBRARIES = 10
CHI = ("<!-- of chi: make wrap-coverage -->\n```text\n", "```\n<!-- end of chi -->")
NOTED = "\nbound with a note of what is lost:\n"
BEGIN, END = "<!-- coverage: make wrap-coverage -->\n", "<!-- end of coverage -->\n"


def libraries() -> list[tuple[str, list[str]]]:
    text = (ROOT / "scripts/wrap/wrap.sh").read_text()
    lines = text.split("<<'LIBRARIES'\n")[1].split("\nLIBRARIES\n")[0].splitlines()
    return [(line.split()[0], line.split()[1:]) for line in lines[:LIBRARIES]]


def version(folder: pathlib.Path, path: str) -> str:
    for module, number in re.findall(r"^\s*(?:require )?(\S+) (v\S+)", (folder / "go.mod").read_text(), re.MULTILINE):
        if path == module or path.startswith(module + "/"):
            return f"`{path}` {number}"
    return f"`{path}`"


def wrapped(tool: str, folder: pathlib.Path, name: str, paths: list[str]) -> str:
    """What the tool says of a library from the table of what it binds on."""
    command = [tool, "wrap", *paths, "--name", name, "--replace", str(ROOT), "--accept", "--write-only"]
    told = run(*command, cwd=folder, errors=True)
    before, mark, table = told.partition("\nbound: ")
    if not mark:
        raise Failed(f"{' '.join(command)} does not say how much it bound:\n{told}")
    return f"bound: {table}"


def row(tool: str, folder: pathlib.Path, name: str, paths: list[str]) -> tuple[list[str], list[int]]:
    told = wrapped(tool, folder, name, paths)
    found = re.match(r"bound: (\d+) of (\d+) .*?(\d+) with a note, (\d+) skipped", told)
    assert found is not None, told
    counts = [int(number) for number in found.groups()]
    head, _, skipped = told.partition("\nskipped:\n")
    cells = [counted(head.partition(NOTED)[2]), counted(skipped)]
    return [version(folder / name, paths[0]), *share(counts), *cells], counts


def counted(lines: str) -> str:
    """How often each reason stands in a list of the tool's."""
    reasons: collections.Counter[str] = collections.Counter()
    for line in lines.splitlines():
        if line.startswith("  "):
            reason = line[2:].split("  ", 1)[1].strip().split(";")[0]
            reasons[re.sub(r"^(method|parameter) \S+ ", "", reason)] += 1
    return "<br>".join(f"{count} × {reason}" for reason, count in reasons.most_common()) or "nothing"


def share(counts: list[int]) -> list[str]:
    bound, of, noted, skipped = counts
    return [f"{bound} of {of}", f"{100 * bound / of:.1f} %", str(noted), str(skipped)]


def main() -> None:
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    left = "left out, fields and Python's implementations of interfaces too"
    head = ["package", "bound", "share", "with a note", "skipped", "what does not come back", left]
    rows: list[list[str]] = []
    counts = [0, 0, 0, 0]
    for name, paths in libraries():
        line, some = row(tool, folder, name, paths)
        counts = [a + b for a, b in zip(counts, some)]
        rows.append(line)
        print(*line, sep="  ", file=sys.stderr, flush=True)
    table = tables.markdown(head, [*rows, ["all", *share(counts), "", ""]])
    print(table)
    if "--write" in sys.argv:
        page = ROOT / "docs/wrap.md"
        text = tables.between(page.read_text(), BEGIN, END, f"\n{table}\n")
        chi = wrapped(tool, folder, "chi", ["github.com/go-chi/chi/v5"])
        page.write_text(tables.between(text, *CHI, chi))


if __name__ == "__main__":
    main()
