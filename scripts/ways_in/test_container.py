"""The container file: built by docker or podman where one of them works and has the base image or gets it, else its
lines in a new Debian of its own.

The second way needs root, and debootstrap, which it installs on Debian. Go comes from this machine, as the base image
has it.
"""

# Requirement: F5

from __future__ import annotations

import re
from pathlib import Path

from scripts.tools.commands import ROOT
from scripts.tools.commands import timed as run
from scripts.ways_in.checkout import clone
from scripts.ways_in.containers import engine, has_image
from scripts.ways_in.debian import Debian

FILE = ROOT / "Containerfile"
USE = """selfsame-ffi version
python -c "import selfsame_ffi"
cd /tmp
selfsame-ffi new shop
selfsame-ffi develop shop
python -c "import shop; print(shop.total([shop.Account('Ada', 3)]))"
"""


def instructions() -> list[tuple[str, str]]:
    """Word and rest of each line of the container file."""
    text = re.sub(r"\\\n", " ", FILE.read_text())
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in text.splitlines() if line and line[0] != "#"]


def build_in(system: Debian) -> None:
    """Follow the instructions in a system without an image, and use the result."""
    for word, rest in [*instructions(), ("RUN", USE)]:
        if word == "COPY":
            source, target = rest.split()
            assert source == "."
            clone(system.folder / target.lstrip("/"))
        elif word == "ENV":
            name, _, value = rest.partition("=")
            system.env[name] = re.sub(r"\$(\w+)", lambda found: system.env[found[1]], value)
        elif word == "RUN":
            system.run(rest)


def test_container_file_gives_a_working_tool(tmp_path: Path) -> None:
    (word, image), *_ = instructions()
    assert word == "FROM" and "golang:" in image
    if (program := engine()) and has_image(program, image):
        run(program, "build", "-t", "selfsame-ways-in", "-f", FILE, clone(tmp_path / "selfsame"))
        run(program, "run", "--rm", "selfsame-ways-in", "sh", "-euc", USE)
        return
    packages = ["ca-certificates", "gcc", "g++", "libc6-dev", "pkg-config", "make", "git"]  # what golang's image has
    build_in(Debian.of(tmp_path / "system", image.rpartition("-")[2], packages, go=True))
