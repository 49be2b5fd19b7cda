"""A wheel built from this checkout for this interpreter, in an empty environment."""

# Requirement: F5

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.tools.commands import ROOT, clean_environment, run
from scripts.tools.environments import pip
from scripts.wheels.contents import missing
from scripts.wheels.installed import try_wheels
from scripts.wheels.package import stage


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    published = importlib.util.find_spec("tvm_ffi")
    assert published is not None and published.origin is not None
    folder = tmp_path_factory.mktemp("wheel")
    headers = Path(published.origin).parents[1]
    settings = {
        "SELFSAME_LIB": str(ROOT / "build/lib/libselfsame.so"),
        "SELFSAME_TOOL": str(ROOT / "build/bin/selfsame-ffi"),
        "SELFSAME_HEADERS": str(headers),
        "CFLAGS": "-O0",
    }
    options = ["--no-build-isolation", "--no-deps", "-w", folder]
    pip("wheel", *options, stage(headers, folder / "sources"), env={**os.environ, **settings})
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    try_wheels(sys.executable, wheel.parent, folder / "venv", folder / "packages")
    return folder / "venv"


def test_programs_start_and_the_first_example_of_the_readme_runs(environment: Path) -> None:
    assert (environment / "bin" / "selfsame-ffi").is_file()


def test_wheel_has_the_libraries_headers_and_licences(wheel: Path) -> None:
    assert missing(wheel) == []


def test_file_that_a_wheel_lacks_is_named(wheel: Path, tmp_path: Path) -> None:
    lacking = {"selfsame_ffi/lib/libtvm_ffi.so", "LICENSE-go", "selfsame_ffi/share/cmake/tvm_ffi/tvm_ffi-config.cmake"}
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(tmp_path / wheel.name, "w") as part:
        for info in whole.infolist():
            if info.filename not in lacking and Path(info.filename).name not in lacking:
                part.writestr(info, whole.read(info))
    assert set(missing(tmp_path / wheel.name)) == lacking


def test_cpp_program_is_built_with_the_flags_that_the_package_names(environment: Path, tmp_path: Path) -> None:
    source = tmp_path / "program.cc"
    source.write_text(
        "#include <tvm/ffi/tvm_ffi.h>\n"
        "int main() { return tvm::ffi::Array<tvm::ffi::Any>({1, 2}).size() == 2 ? 0 : 1; }\n"
    )
    flags = run(environment / "bin" / "selfsame-ffi-config", "--cxxflags", "--ldflags", "--libs").split()
    (library,) = (flag[2:] for flag in flags if flag.startswith("-L"))
    program = tmp_path / "program"
    compiler = shutil.which("g++") or "c++"
    run(compiler, source, *flags, f"-Wl,-rpath,{library}", "-o", program)
    run(program, env=clean_environment())


def test_installation_without_the_tool_says_so(environment: Path, tmp_path: Path) -> None:
    (module,) = environment.glob("lib/python*/site-packages/selfsame_ffi_tool.py")
    shutil.copy(module, tmp_path)
    code = "import selfsame_ffi_tool; selfsame_ffi_tool.main()"
    told = run(sys.executable, "-c", code, cwd=tmp_path, ok=(1,), errors=True)
    assert "built without the command line tool" in told
