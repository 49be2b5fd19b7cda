"""The programs in the examples' READMEs run, where `make` has built their packages."""

# Requirement: F4

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
#: What a program prints, as far as the README leads to expect it.
PRINTS = {"markdown": "# ", "rules": "True", "search": "1 "}


def programs() -> dict[str, str]:
    """The console block of each README that has one, by the example's name."""
    found = {}
    for page in sorted(HERE.glob("*/README.md")):
        blocks = re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        assert len(blocks) <= 1, page
        for block in blocks:
            found[page.parent.name] = block
    return found


@pytest.mark.parametrize("name", programs())
def test_program_of_the_readme_runs(name: str, tmp_path: Path) -> None:
    build, program = programs()[name].split("\n", 1)
    folder = re.fullmatch(rf"selfsame-ffi build examples/{name} -o (build/\w+)", build)
    assert folder, build
    if not (HERE.parent / folder[1] / name).is_dir():
        pytest.skip(f"{folder[1]}/{name} has not been built: make demo, or make examples-real")
    if importlib.util.find_spec("selfsame_ffi") is None:
        pytest.skip("selfsame_ffi is not installed")
    (tmp_path / "build").symlink_to(HERE.parent / "build")
    shutil.copy(HERE / name / "README.md", tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", program], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr.decode()
    assert PRINTS.get(name, "").encode() in done.stdout
    if name == "compress":
        assert (tmp_path / "README.md.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
