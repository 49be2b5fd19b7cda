"""`go get` and `go install` from a proxy of modules that is a folder, and what works with nothing else."""

# Requirements: F5, G1

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.newcomer import newcomer
from scripts.tools.commands import MODULE, ROOT, clean_environment
from scripts.tools.commands import timed as run

TOOL = "cmd/selfsame-ffi"
PROGRAM = """package main

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

func main() {
	list, err := selfsame.NewList([]int64{1, 2})
	if err != nil {
		panic(err)
	}
	list.Append(3)
	fmt.Println(selfsame.Version(), list.Len())
}
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Modules of this project from a folder, those of others from the proxy that this machine uses; an empty cache."""
    folder = tmp_path_factory.mktemp("proxy")
    for below in ("", TOOL):
        newcomer.write_proxy(folder, newcomer.VERSION, below)
    public = run("go", "env", "GOPROXY", cwd=ROOT).strip()
    return clean_environment(
        GOPROXY=f"file://{folder / 'proxy'},{public}",
        GONOSUMDB=f"{MODULE},{MODULE}/*",
        GOMODCACHE=str(folder / "modules"),
        GOBIN=str(folder / "bin"),
        GOFLAGS="-modcacherw",
        GOWORK="off",
    )


def test_go_get_gives_a_program_the_frontend(env: dict[str, str], tmp_path: Path) -> None:
    run("go", "mod", "init", "example.com/program", env=env, cwd=tmp_path)
    run("go", "get", f"{MODULE}@v{newcomer.VERSION}", env=env, cwd=tmp_path)
    listed = run("go", "list", "-m", "all", env=env, cwd=tmp_path).split()
    assert listed == ["example.com/program", MODULE, f"v{newcomer.VERSION}"], "the frontend brings further modules"
    (tmp_path / "main.go").write_text(PROGRAM)
    assert run("go", "run", ".", env=env, cwd=tmp_path) == f"{newcomer.VERSION} 3\n"


def test_go_install_gives_the_tool_of_the_release(env: dict[str, str], tmp_path: Path) -> None:
    run("go", "install", f"{MODULE}/{TOOL}@v{newcomer.VERSION}", env=env, cwd=tmp_path)
    tool = Path(env["GOBIN"]) / "selfsame-ffi"
    assert run(tool, "version", env=env, cwd=tmp_path).startswith(f"selfsame-ffi {newcomer.VERSION}, ")
    run(tool, "new", "shop", env=env, cwd=tmp_path)
    module = (tmp_path / "shop" / "go.mod").read_text()
    assert f"require {MODULE} v{newcomer.VERSION}\n" in module and "replace" not in module
    told = run(tool, "doctor", env={**env, "SELFSAME_PYTHON": sys.executable}, cwd=tmp_path / "shop")
    assert f"requires selfsame v{newcomer.VERSION}" in told
