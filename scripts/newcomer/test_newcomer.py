"""A new user, who has wheels of selfsame-ffi, Go and a C compiler: from an empty folder to a package on another Python.

    make newcomer

The Go module comes from a proxy in a folder, as it would come from the public one, with no cache of modules.
SELFSAME_ZIG is zig's program: with it, wheels for other machines are made too. That for Windows is installed and used
under wine, when `make windows` has been run before. The seconds of each step are printed.
"""

# Requirements: G1, G3

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from scripts.newcomer.on_windows import Windows
from scripts.tools.commands import ROOT, VERSION
from scripts.tools.commands import timed as run
from scripts.tools.environments import pip, venv


def test_from_an_empty_folder_to_a_package_on_another_python(folder: Path, env: dict[str, str]) -> None:
    started = time.monotonic()
    python = folder / "venv" / "bin" / "python"
    shop = folder / "shop"
    run("selfsame-ffi", "new", "shop", "--module", "example.com/shop", env=env, cwd=folder)
    run("selfsame-ffi", "develop", env=env, cwd=shop)
    assert "3 passed" in run(python, "-m", "pytest", "-q", env=env, cwd=shop)

    source = shop / "shop.go"
    source.write_text(source.read_text().replace("sum += a.Balance", "sum += a.Balance + 1"))
    code = "import shop; print(shop.total([shop.Account('Ada', 1), shop.Account('Grace', 2)]))"
    told = run(python, "-c", code, env=env, cwd=folder)
    assert "shop has changed, building it again" in told and told.endswith("\n5\n"), "the edited function was not built"
    source.write_text(source.read_text() + "\nfunc wrong() int { return nothing }\n")
    failed = run(python, "-c", code, env=env, cwd=folder, fails=True)
    assert "ImportError: shop has changed and cannot be built" in failed
    assert "shop/shop.go:" in failed and "undefined: nothing" in failed
    source.write_text(source.read_text().replace("nothing", "0").replace("wrong", "right"))

    run("selfsame-ffi", "build", "--wheel", ".", env=env, cwd=shop)
    (wheel,) = (shop / "dist").glob("shop-0.1.0-py3-none-manylinux_2_*_x86_64.whl")
    python = venv(folder / "fresh", python=env["OTHER"]) / "python"
    pip("install", "--no-index", "--find-links", folder / "wheels", wheel, python=python, env=env)
    code += "; import importlib.metadata; print(shop.__version__, importlib.metadata.requires('shop'))"
    told = run(python, "-c", code, env=env, cwd=folder)
    assert told == f"5\n0.1.0 ['selfsame-ffi>={VERSION}']\n"

    listed = run("selfsame-ffi", "inspect", wheel, env=env)
    assert "class shop.Account(ffi.Object)" in listed and "function shop.total(" in listed
    assert json.loads(run("selfsame-ffi", "inspect", "--json", wheel, env=env))["abi"]
    healthy = run("selfsame-ffi", "doctor", wheel, env=env, cwd=shop)
    assert "problem" not in healthy and "is an extension that fits this machine" in healthy
    print(f"{time.monotonic() - started:6.1f} s  in all", flush=True)


def test_wheels_are_the_same_in_another_folder(folder: Path, env: dict[str, str]) -> None:
    copy = folder / "elsewhere" / "copy"
    shutil.copytree(folder / "shop", copy, ignore=shutil.ignore_patterns("build", "dist"))
    # Another cache of Go too: what was compiled in the first folder is not found again.
    run("selfsame-ffi", "build", "--wheel", ".", env={**env, "GOCACHE": str(folder / "cache")}, cwd=copy)
    (first,), (second,) = (sorted((place / "dist").glob("*.whl")) for place in (folder / "shop", copy))
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_go_tests_and_vet_pass(folder: Path, env: dict[str, str]) -> None:
    run("selfsame-ffi", "new", "bank", env=env, cwd=folder)
    run("go", "vet", "./...", env=env, cwd=folder / "bank")
    assert "ok" in run("go", "test", "./...", env=env, cwd=folder / "bank")


def test_vendored_modules_are_built(folder: Path, env: dict[str, str]) -> None:
    shop = folder / "shop"
    run("go", "mod", "vendor", env=env, cwd=shop)
    vendored = {**env, "GOFLAGS": "-mod=vendor", "GOMODCACHE": str(folder / "no-modules"), "GOPROXY": "off"}
    run("selfsame-ffi", "build", ".", env=vendored, cwd=shop)
    assert "problem" not in run("selfsame-ffi", "doctor", "build/shop", env=vendored, cwd=shop)
    shutil.rmtree(shop / "vendor")


def test_commands_of_the_guide_work(folder: Path, env: dict[str, str]) -> None:
    """The commands of the second half of docs/start.md in order, with examples/compress where it writes code."""
    _, _, page = (ROOT / "docs" / "start.md").read_text().partition("## A real library, step by step\n")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    example, package = ROOT / "examples" / "compress", folder / "guide" / "compress"
    package.parent.mkdir()
    public = subprocess.run(["go", "env", "GOPROXY"], check=True, capture_output=True, text=True).stdout.strip()
    guide = {**env, "GOPROXY": f"{env['GOPROXY']},{public}"}
    commands = [line for block in blocks for line in block.splitlines()]
    assert commands[:3] == ["python -m pip install pytest", "selfsame-ffi new compress", "cd compress"]
    assert sorted(commands[3:]) == sorted(
        [
            "selfsame-ffi develop",
            "python -m pytest",
            "go get github.com/klauspost/compress/zstd@v1.18.0",
            "go test ./...",
        ]
        + ["python -m pytest", "selfsame-ffi build --wheel ."]
    )
    run(*commands[1].split(), env=guide, cwd=package.parent)
    for command in commands[3:]:
        output = run(*command.split(), env=guide, cwd=package)
        assert "passed" in output or "pytest" not in command
        if command.startswith("go get"):
            for name in ("compress.go", "compress_test.go", "tests/test_compress.py"):
                shutil.copy(example / name, package / name)
    assert list((package / "dist").glob("compress-0.1.0-py3-none-*.whl"))


@pytest.mark.skipif(not os.environ.get("SELFSAME_ZIG"), reason="SELFSAME_ZIG does not name zig's program")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_wheels_for_other_machines_are_made(folder: Path, env: dict[str, str], machine: str) -> None:
    target = f"manylinux_2_28_{machine}"
    cross = {**env, "ZIG": os.environ["SELFSAME_ZIG"]}
    run("selfsame-ffi", "build", "--wheel", "--target", target, ".", env=cross, cwd=folder / "shop")
    with zipfile.ZipFile(folder / "shop" / "dist" / f"shop-0.1.0-py3-none-{target}.whl") as wheel:
        library = wheel.read("shop/_shop.so")
    assert b"/go-build" not in library and str(folder).encode() not in library


@pytest.mark.skipif(not os.environ.get("SELFSAME_ZIG"), reason="SELFSAME_ZIG does not name zig's program")
@pytest.mark.parametrize("target", ["macosx_12_0_arm64", "macosx_12_0_x86_64"])
def test_wheels_for_macos_are_made(folder: Path, env: dict[str, str], target: str) -> None:
    cross = {**env, "ZIG": os.environ["SELFSAME_ZIG"]}
    run("selfsame-ffi", "build", "--wheel", "--target", target, ".", env=cross, cwd=folder / "shop")
    wheel = folder / "shop" / "dist" / f"shop-0.1.0-py3-none-{target}.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("shop/_shop.so").startswith(b"\xcf\xfa\xed\xfe")
    told = run("selfsame-ffi", "doctor", wheel, env=env, cwd=folder / "shop", fails=True)
    assert (
        f"is for macOS on {'arm64' if target.endswith('arm64') else 'amd64'}, and this machine is Linux on amd64"
        in told
    )


@pytest.mark.skipif(not os.environ.get("SELFSAME_ZIG"), reason="SELFSAME_ZIG does not name zig's program")
def test_wheel_for_windows_is_installed_and_used_under_wine(folder: Path, env: dict[str, str]) -> None:
    cross = {**env, "ZIG": os.environ["SELFSAME_ZIG"]}
    run("selfsame-ffi", "build", "--wheel", "--target", "win_amd64", ".", env=cross, cwd=folder / "shop")
    wheel = folder / "shop" / "dist" / "shop-0.1.0-py3-none-win_amd64.whl"
    told = run("selfsame-ffi", "doctor", wheel, env=env, cwd=folder / "shop", fails=True)
    assert "is for Windows on amd64, and this machine is Linux on amd64" in told
    windows = Windows(folder / "windows")
    windows.install(wheel)
    code = "import shop; a = shop.Account('Ada', 1); print(shop.total([a, shop.Account('Grace', 2)]), a.balance)"
    assert windows.python("-c", code).split() == ["5", "1"]
    failing = windows.python("-c", "import shop\ntry: shop.total(5)\nexcept TypeError as e: print('refused', e)")
    assert failing.startswith("refused ")
