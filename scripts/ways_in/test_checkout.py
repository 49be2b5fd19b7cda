"""The README's lines in a clone, and those of docs/install.md for a Go module beside one."""

# Requirements: F5, G1

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools.commands import MODULE, clean_environment
from scripts.tools.commands import timed as run
from scripts.ways_in.checkout import clone
from scripts.ways_in.pages import block_with


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("checkout") / "selfsame")


def test_three_lines_of_the_readme_give_a_tool_and_an_import(sources: Path) -> None:
    lines = block_with("README.md", "selfsame-ffi doctor")
    assert len(lines) == 3
    assert lines == block_with("docs/install.md", "selfsame-ffi doctor")
    more = ["python -c 'import selfsame_ffi'", "selfsame-ffi build ./examples/geo -o dist"]
    used = ["PYTHONPATH=dist python -c 'import geo; print(geo.Point(3.0, 4.0).norm())'"]
    told = run("bash", "-euc", "\n".join([*lines, *more, *used]), env=clean_environment(), cwd=sources)
    assert "\n5.0\n" in told, told
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
