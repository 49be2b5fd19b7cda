"""`make api-diff` in a clone with a break in Go and one in Python: it fails and names both until a fragment does.

make api-diff-breaks
"""

# Requirement: F5

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import main
import pytest

FUNCTION = "def remove_global_func({}name: str)"
BROKEN = {
    "version.go": ("func Version() string { return", "func Version(_ int) string { return"),
    "python/src/selfsame_ffi/registry.py": (FUNCTION.format(""), FUNCTION.format("*, ")),
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of the last commit, in which the two interfaces are broken."""
    folder = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", main.ROOT, folder], check=True)
    if main.VENV.is_dir():
        (folder / "build").mkdir()
        (folder / "build" / main.VENV.name).symlink_to(main.VENV)
    for name, (before, after) in BROKEN.items():
        text = (folder / name).read_text()
        assert before in text
        (folder / name).write_text(text.replace(before, after))
    return folder


def api_diff(folder: Path) -> tuple[int, str]:
    """The status and the output of the clone's own comparison."""
    program = folder / Path(main.__file__).relative_to(main.ROOT)
    done = subprocess.run([sys.executable, program], text=True, capture_output=True, env=os.environ | {"GOFLAGS": ""})
    return done.returncode, done.stdout + done.stderr


def test_breaks_fail_until_a_fragment_names_them(clone: Path) -> None:
    status, told = api_diff(clone)
    assert status == 1 and "write changes/TOPIC.breaking.md that names each in backquotes:\n" in told, told
    lines = told.partition("backquotes:\n")[2].splitlines()
    assert len(lines) == 2, told
    assert lines[0] == "Version: changed from func() string to func(int) string"
    assert "registry.py:" in lines[1] and " remove_global_func(name)" in lines[1]
    (clone / "changes/broken.breaking.md").write_text("`Version` takes a number, `remove_global_func` a keyword.\n")
    assert api_diff(clone) == (0, "api-diff: no break without a fragment\n")
