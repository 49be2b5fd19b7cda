"""Writes LICENSE-third-party, the licences of the code of others in the command line tool.

Usage: python3 -m scripts.licences [--check]    --check writes nothing, and exits with 1 when the file is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.tools.commands import GO, ROOT, run

FILE = ROOT / "LICENSE-third-party"
SCRIPTS = ROOT / "cmd" / "selfsame-ffi" / "internal" / "graphview" / "third_party"
HEAD = "The command line tool selfsame-ffi contains code of these projects.\n"


def modules() -> list[tuple[str, Path]]:
    """Name with version, and folder, of each Go module that the tool is linked from."""
    form = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
    listed = run(GO, "list", "-deps", "-f", form, "./cmd/selfsame-ffi")
    return sorted({(name, Path(folder)) for name, folder in (line.split("\t") for line in listed.split("\n") if line)})


def text() -> str:
    parts = [HEAD]
    for script in sorted(SCRIPTS.glob("*.LICENSE")):
        parts.append(f"{'=' * 78}\n{script.stem} (JavaScript)\n\n{script.read_text().strip()}\n")
    for name, folder in modules():
        found = [path for path in sorted(folder.iterdir()) if path.name.upper().startswith(("LICENSE", "LICENCE"))]
        if not found:
            raise SystemExit(f"licences.py: {name} has no licence file in {json.dumps(str(folder))}")
        parts += [f"{'=' * 78}\n{name}\n\n{path.read_text().strip()}\n" for path in found]
    return "\n".join(parts)


def main() -> None:
    written = text()
    if "--check" not in sys.argv:
        FILE.write_text(written)
    elif not FILE.is_file() or FILE.read_text() != written:
        sys.exit("licences.py: LICENSE-third-party is out of date: run python3 -m scripts.licences")


if __name__ == "__main__":
    main()
