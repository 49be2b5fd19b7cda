"""Counts what `selfsame-ffi wrap` binds of the first ten libraries of scripts/wrap/wrap.sh, as a Markdown table.

Usage: coverage.py TOOL FOLDER [--write], from the root of the repository. Modules are written below FOLDER and not
built. With --write the table also replaces the one in docs/wrap.md. A library is fetched in the version that the
folder's go.mod names, or in the newest one.
"""

from __future__ import annotations

import collections
import pathlib
import re
import subprocess
import sys

LIBRARIES = 10
BEGIN, END = "<!-- coverage: make wrap-coverage -->\n", "<!-- end of coverage -->\n"


def libraries(root: pathlib.Path) -> list[tuple[str, list[str]]]:
    text = (root / "scripts/wrap/wrap.sh").read_text()
    lines = text.split("<<'LIBRARIES'\n")[1].split("\nLIBRARIES\n")[0].splitlines()
    return [(line.split()[0], line.split()[1:]) for line in lines[:LIBRARIES]]


def version(folder: pathlib.Path, path: str) -> str:
    for module, number in re.findall(r"^\s*(?:require )?(\S+) (v\S+)", (folder / "go.mod").read_text(), re.MULTILINE):
        if path == module or path.startswith(module + "/"):
            return f"`{path}` {number}"
    return f"`{path}`"


def row(tool: str, root: pathlib.Path, folder: pathlib.Path, name: str, paths: list[str]) -> tuple[str, int, int]:
    command = [tool, "wrap", *paths, "--name", name, "--replace", str(root), "--accept", "--write-only"]
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = re.search(r"^bound: (\d+) of (\d+) ", done.stdout, re.MULTILINE)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}")
    bound, of = int(found[1]), int(found[2])
    reasons: collections.Counter[str] = collections.Counter()
    for line in done.stdout.partition("skipped:\n")[2].splitlines():
        if line.startswith("  "):
            reason = line[2:].split("  ", 1)[1].strip().split(";")[0]
            reasons[re.sub(r"^(method|parameter) \S+ ", "", reason)] += 1
    text = "<br>".join(f"{count} × {reason}" for reason, count in reasons.most_common()) or "nothing"
    return f"| {version(folder / name, paths[0])} | {bound} of {of} | {100 * bound / of:.1f} % | {text} |", bound, of


def main() -> None:
    root = pathlib.Path.cwd()
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "| package | funcs and methods | share | left out, fields and Python's implementations of interfaces too |",
        "|---|---|---|---|",
    ]
    bound = of = 0
    for name, paths in libraries(root):
        line, some, all_of_them = row(tool, root, folder, name, paths)
        bound, of = bound + some, of + all_of_them
        lines.append(line)
        print(line, file=sys.stderr, flush=True)
    lines.append(f"| all | {bound} of {of} | {100 * bound / of:.1f} % | |")
    table = "\n".join(lines) + "\n"
    print(table)
    if "--write" in sys.argv:
        page = root / "docs/wrap.md"
        before, _, rest = page.read_text().partition(BEGIN)
        page.write_text(before + BEGIN + "\n" + table + "\n" + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
