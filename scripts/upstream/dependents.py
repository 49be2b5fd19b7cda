"""Tries the packages of PyPI that use apache-tvm-ffi on our package, beside the published one.

Run with the Python of build/venv, as a part of `make real-packages`. Our package goes by the name `tvm_ffi`. Every
module of each package is imported, and where its sources have tests these run too. An import or a test that works on
the published package must work on ours. The packages go to build/dependents once, PyTorch and JAX to build/upstream.

Usage: python3 -m scripts.upstream.dependents [PACKAGE ...]      (default: all of them)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.tools.commands import Failed
from scripts.tools.downloads import source_distribution
from scripts.tools.environments import packages
from scripts.upstream.main import prepare
from scripts.upstream.suite import HERE, environment, frameworks, run_file, unpack

BUILD = HERE.parents[1] / "build"
WORK, UPSTREAM = BUILD / "dependents", BUILD / "upstream"
KINDS = ("stock", "ours")
# What the packages need beside PyTorch and JAX, as far as it installs on a machine without a GPU.
NEEDED = (
    "click einops filelock jsonschema ninja nvidia-cutlass-dsl nvidia-ml-py packaging pyelftools pytest pyyaml requests"
)
NEEDED += " rfc8785 tabulate tqdm zstandard"


@dataclass
class Dependent:
    """A package: its modules' root, the folder of its tests in which source distribution, a package that it imports."""

    module: str
    tests: str = ""
    source: str = ""
    beside: str = ""


PACKAGES = {
    "jax-tvm-ffi": Dependent("jax_tvm_ffi", "tests", "jax-tvm-ffi"),
    "apache-tvm-ffi-orcjit": Dependent("tvm_ffi_orcjit", "addons/tvm_ffi_orcjit/tests", "apache-tvm-ffi"),
    "torch-c-dlpack-ext": Dependent("torch_c_dlpack_ext"),
    "apache-tvm-tirx": Dependent("tvm_tirx"),
    "tilus": Dependent("tilus"),
    "flashinfer-python": Dependent("flashinfer"),
    "flash-attn-4": Dependent("flash_attn", beside="quack-kernels"),
    "quack-kernels": Dependent("quack"),
    "cutejax": Dependent("cutejax", beside="jax-tvm-ffi"),
    "k-dash": Dependent("k_dash"),
    "tokenspeed-mla": Dependent("tokenspeed_mla", beside="tokenspeed-triton"),
    "sglang-kernel": Dependent("sgl_kernel"),
}
CUTLASS = "nvidia-cutlass-dsl"  # one of NEEDED, whose modules the others import; cutlass_cpu.py uses it
# Imports the modules whose names come as JSON, and writes what came of each, line by line.
# Files that end with .pth in the folders count, as in site-packages: CUTLASS has its modules through one.
IMPORTER = """
import importlib, json, os, site, sys, warnings
warnings.simplefilter("ignore")
for folder in sys.argv[2:]:
    site.addsitedir(folder)
import tvm_ffi
for name in json.load(open(sys.argv[1])):
    print(json.dumps([name, "running"]), file=sys.__stdout__, flush=True)
    try:
        importlib.import_module(name)
        found = "ok"
    except BaseException as error:
        found = f"{type(error).__name__}: {error}".splitlines()[0]
    print(json.dumps([name, found]), file=sys.__stdout__, flush=True)
"""


def install(name: str) -> Path | None:
    """The folder with a package alone, None when it does not install here."""
    try:
        return packages(WORK / name, name, options=["--pre", "--no-deps"])
    except Failed as error:
        print(error, file=sys.stderr)
        return None


def sources(name: str, version: str) -> Path:
    """The unpacked source distribution of a package."""
    return unpack(UPSTREAM) if name == "apache-tvm-ffi" else source_distribution(WORK / "sources", name, version)


def version_of(folder: Path, name: str) -> str:
    found = [part.name for part in folder.glob("*.dist-info")]
    words = next(part for part in found if part.lower().replace("_", "-").startswith(name.lower() + "-"))
    return words.removesuffix(".dist-info").rpartition("-")[2]


def modules(folder: Path, root: str) -> list[str]:
    """The names of a package's modules, without tests and programs."""
    found = []
    for path in sorted((folder / root).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if not any(part.startswith(("test", "__main__")) or not part.isidentifier() for part in parts):
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return sorted(found)


def imports(folder: Path, root: str, kind: str, more: list[Path]) -> dict[str, str]:
    """What importing each module in turn gives, in one process."""
    listed = WORK / "modules.json"
    listed.write_text(json.dumps(modules(folder, root)))
    env = environment(kind, UPSTREAM)
    command = [sys.executable, "-c", IMPORTER, str(listed), str(folder), *map(str, more)]
    with (WORK / f"imports-{root}-{kind}.log").open("w") as log:
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True, timeout=900)
    pairs = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('["')]
    return dict(pairs)


def tests(package: Dependent, folder: Path, version: str, kind: str, more: list[Path]) -> dict[str, str]:
    """The outcome of each of a package's own tests, which a link puts where run_file expects them."""
    place = WORK / "tests" / package.module
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        (place / "tests").mkdir(parents=True)
        (place / "tests" / "python").symlink_to(sources(package.source, version) / package.tests)
    packages = os.pathsep.join([str(folder), *map(str, more)])
    outcomes = {}
    for path in sorted((place / "tests" / "python").glob("test_*.py")):
        log = WORK / "logs" / f"{kind}-{package.module}-{path.stem}.log"
        outcomes.update(run_file(place, path.name, kind, UPSTREAM, 600, log, Path(packages)))
    return outcomes


def compare(what: str, stock: dict[str, str], ours: dict[str, str], good: tuple[str, ...]) -> tuple[str, list[str]]:
    """A line with the counts, and what works on the published package alone."""
    lost = [name for name, found in stock.items() if found in good and ours.get(name) not in good]
    works = [sum(found in good for found in side.values()) for side in (stock, ours)]
    return f"{what}: {works[0]} of {len(stock)} on the published package, {works[1]} on ours", lost


def try_package(name: str, more: list[Path]) -> bool:
    package = PACKAGES[name]
    folder = install(name)
    if folder is None:
        print(f"{name}: does not install here")
        return True
    version = version_of(folder, name)
    beside = install(package.beside) if package.beside else None
    more = more if beside is None else [*more, beside]
    lines, lost = [], []
    stock, ours = (imports(folder, package.module, kind, more) for kind in KINDS)
    line, missing = compare("modules that import", stock, ours, ("ok",))
    lines.append(line)
    lost += [f"{one}: {ours.get(one)}" for one in missing]
    failed = [found for found in stock.values() if found != "ok"]
    if failed:
        lines.append(f"why the others do not: {max(failed, key=failed.count)[:100]} ({len(set(failed))} reasons)")
    if package.tests:
        stock, ours = (tests(package, folder, version, kind, more) for kind in KINDS)
        line, missing = compare("own tests that pass", stock, ours, ("passed", "xpassed"))
        lines.append(line)
        lost += [f"{one}: {ours.get(one)}" for one in missing]
    print(f"{name} {version}: " + "; ".join(lines), flush=True)
    for one in lost:
        print(f"    on the published package alone: {one}")
    return not lost


def try_cutlass(more: list[Path]) -> bool:
    """Whether cutlass_cpu.py prints on ours what it prints on the published package."""
    command = [sys.executable, str(HERE / "cutlass_cpu.py"), *map(str, more)]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "timeout": 900}
    stock, ours = (subprocess.run(command, env=environment(kind, UPSTREAM), **output) for kind in KINDS)
    same = (ours.returncode, ours.stdout) == (stock.returncode, stock.stdout)
    verdict = "the same on both" if same else "something else on ours"
    print(f"{CUTLASS} {version_of(more[0], CUTLASS)}: cutlass_cpu.py prints {verdict}", flush=True)
    if not same:
        print(f"on the published package:\n{stock.stdout}\non ours:\n{ours.stdout}")
    return same and stock.returncode == 0


def main() -> int:
    """Try the packages, and return 1 when something works on the published package alone."""
    chosen = sys.argv[1:] or [*PACKAGES, CUTLASS]
    WORK.mkdir(parents=True, exist_ok=True)
    prepare(UPSTREAM)
    more = [packages(WORK / "needed", *NEEDED.split()), *filter(None, [frameworks(UPSTREAM)])]
    good = [try_cutlass(more) if name == CUTLASS else try_package(name, more) for name in chosen]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
