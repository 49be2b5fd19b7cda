"""Calls with tensors on a GPU give the same on the published package and on this one."""

# Requirement: F3

import importlib.util
import json
import os
import subprocess
import sys

import pytest
from gpu_jobs import JOBS
from repository import SUPPORT

PROGRAM = SUPPORT / "gpu_jobs.py"


@pytest.fixture(scope="module")
def given(kernels):
    """What each package gives, by job. Each runs in a process of its own, with the same library of kernels."""
    if importlib.util.find_spec("tvm_ffi") is None:
        pytest.skip("the published package is not installed beside this one")
    found = {}
    for package in ("tvm_ffi", "selfsame_ffi"):
        command = [sys.executable, str(PROGRAM), package, str(kernels.path)]
        environment = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment)
        assert done.returncode == 0, done.stderr[-3000:]
        found[package] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("job", JOBS)
def test_same_as_the_published_package(given, job):
    ours, published = given["selfsame_ffi"][job], given["tvm_ffi"][job]
    if isinstance(published, str) and not isinstance(ours, str):
        pytest.skip(f"the published package raises {published}; this one gives {ours}")
    assert ours == published
