"""Packages that selfsame-ffi built, in a forked child: a new Go comes back at the first call, and all of them works.

SELFSAME_FORKS is the number of forks of the test under load (default 10; `make forks` sets 1,000).
"""

# Requirement: C14

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import origins
import pytest
from repository import SUPPORT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
CASES = [
    "everything",
    "everything_unused",
    "generations",
    "skipped_generation",
    "functions_from_before",
    "overridden",
    "subclasses",
    "made_at_run_time",
    "go_state",
    "go_values",
    "errors_from_before",
    "tensors",
    "drops",
    "handles_from_before",
    "threads",
    "thread_forks",
    "inside_a_callback",
    "returns_into_dead_go",
    "several_packages",
    "imported_in_the_child",
    "runtime_comes_back_too",
    "collections",
    "ends_as_usual",
    "loaded_again",
    "replaced_file",
    "signals",
    "failing_restart",
    "pools",
    "preload",
]


def run(program: str, folder: Path, *args: str) -> None:
    command = [sys.executable, "-W", "ignore", "-X", "faulthandler", str(SUPPORT / program), str(folder), *args]
    result = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    assert result.returncode == 0 and result.stdout.endswith("passed\n"), result.stdout + result.stderr


@pytest.fixture
def packages(go_packages, tmp_path):
    """A folder of its own with the packages: a case may change their files. pytest would keep 50 MB for each test."""
    yield shutil.copytree(go_packages, tmp_path / "packages")
    shutil.rmtree(tmp_path / "packages")


@pytest.mark.parametrize("case", CASES)
def test_package_comes_back_in_a_child(packages, case):
    run("fork_packages.py", packages, case)


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="the sanitizer's own thread registry may be locked by another thread at the fork (GCC before 13)",
)
def test_packages_come_back_under_load(packages):
    run("fork_packages.py", packages, "load", os.environ.get("SELFSAME_FORKS", "10"))


@pytest.mark.skipif(importlib.util.find_spec("tvm_ffi") is None, reason="the stock package is not installed")
def test_package_for_the_stock_runtime_comes_back(go_packages):
    run("fork_stock.py", origins.go_for_stock())
