"""The README's commands on a machine with nothing but Debian, make and the clone.

`make quick` stands for `make test`, which takes half an hour: it needs the same programs and packages.
"""

# Requirement: F5

from __future__ import annotations

from pathlib import Path

from scripts.ways_in.checkout import clone
from scripts.ways_in.debian import Debian

# The first release whose Go is new enough.
RELEASE = "trixie"


def test_make_installs_what_it_lacks_and_builds(tmp_path: Path) -> None:
    system = Debian.of(tmp_path / "system", RELEASE, ["make", "ca-certificates"])
    for program in ("go", "gcc", "g++", "git", "python3"):
        assert not list(system.folder.glob(f"usr/bin/{program}*"))
    clone(system.folder / "root/selfsame")
    told = system.run("cd /root/selfsame && make demo")
    assert " checks passed." in told, told
    told = system.run("cd /root/selfsame && make quick")
    assert "passed" in told and "failed" not in told, told
