"""Compiles kernels of TileLang for the CPU, and calls them from Go: its results are those of Python.

Usage: scripts/clients_tilelang.py

TileLang and NumPy are installed from PyPI where `make real-packages` has them, once; with PyTorch, which TileLang
needs, that is several gigabytes. TILELANG_PATH names folders that have them already, as PYTHONPATH would. TOOL is the
command line tool.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "clients" / "tilelang-kernels"
PACKAGES = ROOT / "build" / "real_packages" / "tilelang"
CLIENTS = ROOT / "conformance" / "clients"
TOOL = os.environ.get("TOOL", str(ROOT / "build" / "bin" / "selfsame-ffi"))
WANTED = "tilelang numpy"  # as scripts/real_packages.sh has it


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a command and return its output. End this program with it when it fails."""
    words = [str(part) for part in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed() -> str:
    """Return the folders that have TileLang, after installing it unless it is there."""
    if given := os.environ.get("TILELANG_PATH"):
        return given
    done = PACKAGES / ".installed"
    if not done.exists() or done.read_text().strip() != WANTED:
        print("installing", WANTED, flush=True)
        quiet = ["-q", "--disable-pip-version-check", "--root-user-action=ignore"]
        run(sys.executable, "-m", "pip", "install", *quiet, "--target", PACKAGES / "stock", *WANTED.split())
        done.write_text(WANTED + "\n")
    return str(PACKAGES / "stock")


def main() -> None:
    """Do what the module's documentation says."""
    packages = {**os.environ, "PYTHONPATH": installed()}
    shutil.rmtree(WORK, ignore_errors=True)
    data, module = WORK / "data", WORK / "module"
    data.mkdir(parents=True)
    run(sys.executable, CLIENTS / "tilelang_kernels.py", data, env=packages)
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
