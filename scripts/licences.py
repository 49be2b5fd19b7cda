"""Writes LICENSE-third-party, the licences of the code of others in the command line tool and the library.

That is Go itself, whose runtime and standard library are in each program and library, and the modules that the tool is
linked from. Folders and files of these may have licences of their own: each folder of a linked package is looked at up
to the root of its module, and each linked file for a notice that grants its use.

Usage: python3 -m scripts.licences [--check]    --check writes nothing, and exits with 1 when the file is out of date
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.tools.commands import GO, MODULE, ROOT, run

FILE = ROOT / "LICENSE-third-party"
SCRIPTS = ROOT / "cmd" / "selfsame-ffi" / "internal" / "graphview" / "third_party"
HEAD = "The command line tool selfsame-ffi and the library contain code of these projects.\n"
PROGRAMS = ("./cmd/selfsame-ffi", "./cmd/libselfsame")
RULE = "=" * 78 + "\n"
STANDARD = "Go: runtime and standard library"

#: The systems and processors that wheels are built for.
TARGETS = (("linux", "amd64"), ("linux", "arm64"), ("darwin", "amd64"), ("darwin", "arm64"), ("windows", "amd64"))
#: Lists of files in what `go list` says of a package.
LISTS = ("GoFiles", "CgoFiles", "CFiles", "CXXFiles", "HFiles", "SFiles")

LICENCE = re.compile(r"(?:\w+[-_])?(?:LICEN[CS]E|COPYING|NOTICE|PATENTS|ATTRIB)(?:[-_.]\w+)*", re.IGNORECASE)
COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+|/\*.*?\*/", re.MULTILINE | re.DOTALL)
GRANT = re.compile(r"Permission (?:is hereby granted|to use)|Redistribution and use|is freely\s+granted", re.IGNORECASE)


def go(*arguments: str, target: tuple[str, str] | None = None) -> str:
    """What the go command prints, for a system and a processor."""
    env = {**os.environ, "CGO_ENABLED": "1"}
    if target:
        env.update(GOOS=target[0], GOARCH=target[1])
    return run(GO, *arguments, env=env)


def packages() -> Iterator[dict[str, Any]]:
    """Each package of others that the programs are linked from, for each target."""
    read = json.JSONDecoder().raw_decode
    for target in TARGETS:
        listed = go(
            "list", "-deps", f"-json=ImportPath,Dir,Module,Standard,{','.join(LISTS)}", *PROGRAMS, target=target
        )
        while listed := listed.strip():
            package, end = read(listed)
            listed = listed[end:]
            if package["ImportPath"] != "unsafe" and not package["ImportPath"].startswith(MODULE):
                yield package


def notices(text: str) -> Iterator[str]:
    """The comments of a file that grant its use: its licence, where it has one of its own."""
    for comment in COMMENT.findall(text):
        if not GRANT.search(comment):
            continue
        lines = comment.strip().removeprefix("/*").removesuffix("*/").split("\n")
        clean = "\n".join(re.sub(r"^[ \t]*(?://|\*(?!\*))? ?", "", line).rstrip() for line in lines)
        for part in re.split(r"^=+$", clean, flags=re.MULTILINE):  # between such lines, where the comment has them
            if GRANT.search(part):
                yield part.strip()


class Project:
    """The licences of Go or of a module, each once, with the folder or file that it is of."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.licences: dict[str, set[str]] = {}

    def look(self, package: dict[str, Any]) -> None:
        """Note the licences of a package: of its folder and those above it, and of its files."""
        folder = Path(package["Dir"])
        while True:
            for path in sorted(folder.iterdir()):
                if path.is_file() and LICENCE.fullmatch(path.name):
                    self.note(path.read_text(encoding="utf-8"), path)
            if folder == self.root:
                break
            folder = folder.parent
        for name in (name for kind in LISTS for name in package.get(kind) or ()):
            path = Path(package["Dir"]) / name
            for notice in notices(path.read_text(encoding="utf-8", errors="replace")):
                self.note(notice, path)

    def note(self, licence: str, path: Path) -> None:
        self.licences.setdefault(licence.strip(), set()).add(path.relative_to(self.root).as_posix())

    def text(self, name: str) -> Iterator[str]:
        """The parts of the file about this project."""
        for licence, places in sorted(self.licences.items(), key=lambda item: (min(item[1]).count("/"), min(item[1]))):
            place = "" if "/" not in min(places) else f" ({min(places)})"
            yield f"{RULE}{name}{place}\n\n{licence}\n"


def parts() -> list[str]:
    """The parts of the file, each of which names its project in the second line."""
    standard = Project(Path(go("env", "GOROOT").strip()))
    modules: dict[tuple[str, str], Project] = {}
    for package in packages():
        module = package.get("Module")
        if package.get("Standard"):
            standard.look(package)
        elif module:
            key = (module["Path"], module["Version"])
            modules.setdefault(key, Project(Path(module["Dir"]))).look(package)
    for (name, version), project in modules.items():
        if not any("/" not in place for places in project.licences.values() for place in places):
            raise SystemExit(f"licences.py: {name} {version} has no licence file in {json.dumps(str(project.root))}")
    made = []
    for script in sorted(SCRIPTS.glob("*.LICENSE")):
        made.append(f"{RULE}{script.stem} (JavaScript)\n\n{script.read_text().strip()}\n")
    made += standard.text(STANDARD)
    for name, version in sorted(modules):
        made += modules[name, version].text(f"{name} {version}")
    return made


def projects(texts: list[str]) -> set[str]:
    """What parts of the file are about, but for Go itself: its releases have some files more or fewer."""
    names = {text.split("\n")[1].partition(" (")[0] for text in texts}
    return {name for name in names if name != STANDARD}


def main() -> None:
    made = parts()
    if "--check" not in sys.argv:
        FILE.write_text("\n".join([HEAD, *made]))
        return
    there = FILE.read_text() if FILE.is_file() else ""
    old = [f"{RULE}{part}" for part in there.split(RULE)[1:]]
    if projects(old) != projects(made) or any(part not in there for part in made):
        sys.exit("licences.py: LICENSE-third-party is out of date: run python3 -m scripts.licences")


if __name__ == "__main__":
    main()
