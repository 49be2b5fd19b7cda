"""Writes what a wheel of selfsame-ffi is made of as a software bill of materials in the CycloneDX format, version 1.5.

The Go modules are those that the tool and the library themselves say they were linked from (`go version -m`). The
scripts in the tool and the published C++ headers are added with their licences.

Usage: sbom.py TOOL LIBRARY OUTPUT
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from scripts.tools.commands import GO, MODULE, ROOT, VERSION, run

SCRIPTS = ROOT / "cmd/selfsame-ffi/internal/graphview/third_party"
HEADERS = re.findall(r'^HEADERS = "(\S+)==(\S+)"$', (ROOT / "setup.py").read_text(), re.MULTILINE)[0]


def go_parts(program: Path) -> tuple[str, dict[str, tuple[str, str]]]:
    """The Go release that built a program, and version and hash of each module that it was linked from."""
    text = run(GO, "version", "-m", program)
    found = re.findall(r"^\tdep\t(\S+)\t(\S+)(?:\t(\S+))?$", text, re.MULTILINE)
    return text.splitlines()[0].rpartition(": go")[2], {name: (number, digest) for name, number, digest in found}


def component(kind: str, name: str, number: str, purl: str, licence: str = "") -> dict[str, Any]:
    made: dict[str, Any] = {"type": kind, "bom-ref": purl, "name": name, "version": number, "purl": purl}
    if licence:
        made["licenses"] = [{"license": {"id": licence}}]
    return made


def bill(tool: Path, library: Path) -> dict[str, Any]:
    """The bill of materials of a wheel with these two."""
    parts: list[dict[str, Any]] = []
    modules: dict[str, tuple[str, str]] = {}
    for program in (tool, library):
        release, linked = go_parts(program)
        modules.update(linked)
        standard = component("library", "Go standard library", release, f"pkg:golang/std@{release}", "BSD-3-Clause")
        parts += [standard] if standard not in parts else []
    for name, (number, digest) in sorted(modules.items()):
        if name == MODULE or name.startswith(f"{MODULE}/"):
            continue
        one = component("library", name, number, f"pkg:golang/{name}@{number}")
        if digest:
            one["properties"] = [{"name": "go:sum", "value": digest}]
        parts.append(one)
    for licence in sorted(SCRIPTS.glob("*.LICENSE")):
        (script,) = SCRIPTS.glob(f"{licence.stem}*.js")
        one = component("file", licence.stem, "bundled", f"pkg:generic/{licence.stem}")
        one["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(script.read_bytes()).hexdigest()}]
        parts.append(one)
    name, number = HEADERS
    parts.append(component("library", name, number, f"pkg:pypi/{name}@{number}", "Apache-2.0"))
    own = component("library", "selfsame-ffi", VERSION, f"pkg:pypi/selfsame-ffi@{VERSION}", "Apache-2.0")
    needs = {"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [needs],
    }


def write(tool: Path, library: Path, output: Path) -> None:
    """Write the bill of materials of a wheel with these two."""
    output.write_text(json.dumps(bill(tool, library), indent=2) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write(*map(Path, sys.argv[1:]))
