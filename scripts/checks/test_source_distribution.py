"""MANIFEST.in names every file that the library and the tool are built from."""

# Requirement: F7

from __future__ import annotations

import json
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

from scripts.tools.commands import GO, ROOT

KINDS = ["GoFiles", "CgoFiles", "CFiles", "CXXFiles", "HFiles", "SFiles", "EmbedFiles"]


def needed() -> set[str]:
    """The files of this project from which Go builds the two programs."""
    command = [GO, "list", "-deps", "-json=Dir," + ",".join(KINDS), "./cmd/selfsame-ffi", "./cmd/libselfsame"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = set()
    for package in json.loads("[" + listed.replace("\n}\n{", "\n},\n{") + "]"):
        folder = Path(package["Dir"])
        if ROOT in (folder, *folder.parents):
            names = [file for kind in KINDS for file in package.get(kind, ())]
            files |= {(folder / file).relative_to(ROOT).as_posix() for file in names}
    return files


def test_source_distributions_have_the_files_of_the_library_and_the_tool() -> None:
    commands = [line.split() for line in (ROOT / "MANIFEST.in").read_text().splitlines() if line[:1] not in ("", "#")]
    patterns = [
        f"{folder}/*{pattern}" for name, folder, *rest in commands if name == "recursive-include" for pattern in rest
    ]
    files = needed()
    assert len(files) > 400
    missing = {file for file in files if "/" in file and not any(fnmatchcase(file, pattern) for pattern in patterns)}
    assert sorted(missing) == []
