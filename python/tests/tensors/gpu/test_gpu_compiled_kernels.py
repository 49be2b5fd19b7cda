"""Kernels of Apache TVM and TileLang take PyTorch's tensors on a GPU, with the same results on both packages.

`make real-packages` installs both compilers. A machine without it takes SELFSAME_REAL_PACKAGES, a folder that has them
as apache-tvm/stock and tilelang/stock. SELFSAME_TVM_KERNELS is a folder that gpu_tvm.py filled before, for a machine
with TVM's runtime library alone.
"""

# Requirement: F3

import json
import os
import subprocess
import sys
from pathlib import Path

import cuda_build
import gpu_tilelang
import gpu_tvm
import pytest
from repository import ROOT, SUPPORT

PACKAGES = Path(os.environ.get("SELFSAME_REAL_PACKAGES") or ROOT / "build" / "real_packages")


def run(package: str, program: str, *arguments: str) -> str:
    """Run a program with a package from PyPI and the published tvm_ffi that it asks for, and return its output."""
    folder = PACKAGES / package / "stock"
    if not folder.is_dir():
        pytest.skip(f"{package} is not installed in {folder} (make real-packages)")
    nvcc = cuda_build.compiler()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")])),
        "PATH": os.pathsep.join([os.environ["PATH"], str(Path(nvcc).parent)]),
    }
    command = [sys.executable, str(SUPPORT / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def compiled(kernels, torch, tmp_path_factory):
    """The folder with what TVM compiled."""
    made = os.environ.get("SELFSAME_TVM_KERNELS")
    if made is None:
        made = str(tmp_path_factory.mktemp("compiled"))
        run("apache-tvm", "gpu_tvm.py", "build", made, "sm_{}{}".format(*torch.cuda.get_device_capability()))
    return made


def both(*call: str) -> dict[str, dict]:
    """What a program gives on each package, by its job."""
    package, program, *rest = call
    names = ("tvm_ffi", "selfsame_ffi")
    return {name: json.loads(run(package, program, name, *rest).splitlines()[-1]) for name in names}


@pytest.fixture(scope="module")
def of_tvm(compiled):
    return both("apache-tvm", "gpu_tvm.py", compiled)


@pytest.fixture(scope="module")
def of_tilelang(kernels):
    return both("tilelang", "gpu_tilelang.py")


def check(given: dict[str, dict], job: str) -> None:
    ours, published = given["selfsame_ffi"][job], given["tvm_ffi"][job]
    assert not isinstance(ours, str), ours  # jobs give numbers and lists; a text is an error
    assert ours == published


@pytest.mark.parametrize("job", gpu_tvm.JOBS)
def test_kernels_of_tvm(of_tvm, job):
    check(of_tvm, job)


@pytest.mark.parametrize("job", gpu_tilelang.JOBS)
def test_kernels_of_tilelang(of_tilelang, job):
    check(of_tilelang, job)
