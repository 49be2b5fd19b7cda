"""The Go modules: what a user of each gets, and that the workspace changes nothing of it."""

# Requirement: F5

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

MODULE = "github.com/selfsame-ffi/selfsame"
TOOL = ROOT / "cmd/selfsame-ffi"
needs_go = pytest.mark.skipif(shutil.which("go") is None, reason="go is not installed")


def go(*arguments: str, cwd: Path = ROOT, **env: str) -> str:
    command = ["env", *(f"{name}={value}" for name, value in env.items()), "go", *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def described(folder: Path) -> dict[str, Any]:
    """What the go.mod of a folder says."""
    found: dict[str, Any] = json.loads(go("mod", "edit", "-json", cwd=folder))
    return found


@needs_go
def test_frontend_requires_nothing() -> None:
    frontend = described(ROOT)
    assert frontend["Module"]["Path"] == MODULE
    assert not frontend.get("Require") and not frontend.get("Replace")
    assert not (ROOT / "go.sum").exists()


@needs_go
def test_frontend_needs_no_workspace() -> None:
    assert MODULE in go("list", "-deps", "./...", GOWORK="off", GOPROXY="off").split()


@needs_go
def test_tool_can_be_installed_and_has_the_version_of_the_frontend() -> None:
    """go install refuses a module with a replacement. The tag of the tool is that of the frontend."""
    tool = described(TOOL)
    assert tool["Module"]["Path"] == f"{MODULE}/cmd/selfsame-ffi"
    assert not tool.get("Replace")
    (version,) = re.findall(r'SELFSAME_VERSION "(.+)"', (ROOT / "abi/include/selfsame/version.h").read_text())
    (required,) = (module["Version"] for module in tool["Require"] if module["Path"] == MODULE)
    assert required == f"v{version}", "set it: go mod edit -require in cmd/selfsame-ffi"


@needs_go
def test_tool_compiles_no_c_code_of_its_own() -> None:
    """The headers of the frontend are in another folder of the module cache, whose path cgo cannot name."""
    assert go("list", "-f", "{{join .CgoFiles ` `}}", "./cmd/selfsame-ffi/...").split() == []


@needs_go
def test_workspace_takes_the_versions_that_the_tool_itself_requires() -> None:
    """So the tool of a wheel is that of `go install`."""
    required = {module["Path"]: module["Version"] for module in described(TOOL)["Require"]}
    form = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"
    linked = {line for line in go("list", "-deps", "-f", form, "./cmd/selfsame-ffi").splitlines() if line}
    assert linked and linked <= {f"{path} {number}" for path, number in required.items()}


@needs_go
def test_every_module_is_in_the_workspace_or_one_of_its_own() -> None:
    listed = subprocess.run(["git", "ls-files", "*go.mod"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    modules = {(ROOT / name).parent for name in listed.split()}
    assert TOOL in modules and ROOT / "bench" in modules and ROOT / "examples/markdown" in modules
    together = {Path(folder) for folder in go("list", "-m", "-f", "{{.Dir}}").split()}
    alone = {folder for folder in modules if folder != ROOT and (folder / "go.work").is_file()}
    assert together | alone == modules and not together & alone
    for folder in alone:
        assert go("list", "-m", cwd=folder).split() == [described(folder)["Module"]["Path"]]


@needs_go
def test_no_file_needs_a_requirement_that_its_module_lacks(tmp_path: Path) -> None:
    """`go mod tidy` would change nothing. The frontend of the tool is that of this checkout."""
    for folder in (ROOT, TOOL):
        for name in ("go.mod", "go.sum"):
            if (folder / name).is_file():
                shutil.copy(folder / name, tmp_path / name)
        if folder == TOOL:
            go("mod", "edit", f"-replace={MODULE}={ROOT}", cwd=tmp_path)
        assert go("mod", "tidy", "-diff", f"-modfile={tmp_path / 'go.mod'}", cwd=folder, GOWORK="off") == ""
