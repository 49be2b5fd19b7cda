"""The README's lines in a clone, and those of docs/install.md for a Go module beside one."""

# Requirements: F5, G1

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.tools.commands import MODULE, clean_environment
from scripts.tools.commands import timed as run
from scripts.ways_in.checkout import clone
from scripts.ways_in.pages import block_with, shell_blocks


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("checkout") / "selfsame")


def test_lines_of_the_readme_run_as_written(sources: Path) -> None:
    """From the clone on: its commands in order, and what they make in its session and its program."""
    page = (sources / "README.md").read_text()
    begin = block_with("README.md", "selfsame-ffi doctor")
    assert len(begin) == 3
    assert begin == block_with("docs/install.md", "selfsame-ffi doctor")
    wrap = next(block for block in shell_blocks("README.md") if block[0].startswith("selfsame-ffi wrap"))
    (build,) = re.findall(r"After `(selfsame-ffi build .*)`", page)
    (session,) = re.findall(r"^```text\n(>>> .*?)^```$", page, re.MULTILINE | re.DOTALL)
    (program,) = re.findall(r"^```python\n(import geo.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (sources / "session.txt").write_text(session)
    used = ["python -m doctest session.txt", build, f"PYTHONPATH=dist python -c '{program}'"]
    told = run("bash", "-euc", "\n".join([*begin, *wrap, *used]), env=clean_environment(), cwd=sources)
    assert "problem" not in told


def test_go_module_beside_a_clone_needs_no_release(sources: Path, tmp_path: Path) -> None:
    lines = block_with("docs/install.md", "go mod tidy")
    (tmp_path / "selfsame").symlink_to(sources)
    program = tmp_path / "program"
    program.mkdir()
    (program / "main.go").write_text(
        f'package main\n\nimport "{MODULE}"\n\nfunc main() {{ println(selfsame.Version()) }}\n'
    )
    offline = clean_environment(GOPROXY="off", GOFLAGS="-mod=mod")
    run("go", "mod", "init", "example.com/program", env=offline, cwd=program)
    run("bash", "-euc", "\n".join(lines), env=offline, cwd=program)
    version = run("go", "run", ".", env=offline, cwd=program).split()[-1]
    assert f"{MODULE} v{version}\n" in (program / "go.mod").read_text()
