"""Compiles kernels of TileLang for the CPU, and calls them from Go: its results are those of Python.

Usage: python3 -m scripts.clients_tilelang

TileLang and NumPy are installed from PyPI where `make real-packages` has them, once; with PyTorch, which TileLang
needs, that is several gigabytes. TILELANG_PATH names folders that have them already, as PYTHONPATH would. TOOL is the
command line tool.
"""

from __future__ import annotations

import os
import shutil
import sys

from scripts.tools.commands import ROOT, TOOL, run
from scripts.tools.environments import packages

WORK = ROOT / "build" / "clients" / "tilelang-kernels"
PACKAGES = ROOT / "build" / "real_packages" / "tilelang" / "stock"  # of scripts/real_packages.sh
CLIENTS = ROOT / "conformance" / "clients"


def installed() -> str:
    """Return the folders that have TileLang, after installing it unless it is there."""
    return os.environ.get("TILELANG_PATH") or str(packages(PACKAGES, "tilelang", "numpy"))


def main() -> None:
    """Do what the module's documentation says."""
    with_tilelang = {**os.environ, "PYTHONPATH": installed()}
    shutil.rmtree(WORK, ignore_errors=True)
    data, module = WORK / "data", WORK / "module"
    data.mkdir(parents=True)
    run(sys.executable, CLIENTS / "tilelang_kernels.py", data, env=with_tilelang)
    shutil.copytree(CLIENTS / "kernels", module, ignore=shutil.ignore_patterns("go.work"))
    text = (module / "go.mod").read_text()
    (module / "go.mod").write_text(text[: text.rindex("=>")] + f"=> {ROOT}\n")
    overrides = module / "kernels.json"
    run(TOOL, "bind", "--go", data / "kernels.so", "--overrides", overrides, "-o", module / "kernels")
    alone = {**os.environ, "GOWORK": "off"}  # the module is in no workspace
    run("go", "vet", "./...", cwd=module, env=alone)
    run("go", "build", "-o", "program", ".", cwd=module, env=alone)
    print(run(module / "program", data).strip())


if __name__ == "__main__":
    main()
