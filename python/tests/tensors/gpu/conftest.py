"""What the tests on a GPU share. Where PyTorch sees no GPU of NVIDIA or nvcc is missing, they are skipped."""

from __future__ import annotations

import gc
import importlib
import os
from types import SimpleNamespace

import cuda_build
import pytest
import selfsame_ffi
from waiting import wait_for_queue

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes most of the GPU's memory for itself

NAMES = (
    "scale scaled add_all add_named multiples named_multiples fill_late describe on_device pinned echo same_tensor "
    "address stream_of stream_on call call_with_view keep kept release release_on_thread"
).split()


@pytest.fixture(scope="session")
def torch():
    """The module torch, which sees a GPU."""
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("PyTorch sees no GPU (torch.cuda.is_available())")
    if module.version.cuda is None:
        pytest.skip("the GPU is none of NVIDIA")
    return module


@pytest.fixture(scope="session")
def kernels(torch):
    """The functions of fixtures/cuda/kernels.cu, as attributes, and `path`, the library."""
    if cuda_build.compiler() is None:
        pytest.skip("nvcc is not installed (put it into PATH, or set CUDA_HOME)")
    path = cuda_build.build()
    module = selfsame_ffi.load_module(str(path))
    return SimpleNamespace(path=path, module=module, **{name: getattr(module, name) for name in NAMES})


@pytest.fixture(scope="module", autouse=True)
def warm(native, kernels, torch):
    """PyTorch, CUDA and the core make some objects at first use: here, so that no test counts them."""
    tensor = torch.zeros(4, device="cuda")
    native.echo(selfsame_ffi.from_dlpack(tensor))
    kernels.scale(tensor, tensor, 1.0)
    kernels.scaled(tensor, 1.0)
    kernels.multiples(tensor, 1)
    kernels.call(selfsame_ffi.convert(lambda given: given), [tensor])
    torch.from_dlpack(kernels.on_device(4))
    torch.cuda.synchronize()


@pytest.fixture
def allocated(torch):
    """A function that returns the bytes that PyTorch's tensors take on the GPU, when the garbage is freed."""

    def count() -> int:
        wait_for_queue()
        gc.collect()
        wait_for_queue()
        return torch.cuda.memory_allocated()

    return count


@pytest.fixture
def other_package():
    """A function that returns another package of arrays by its name, or skips the test."""

    def find(name: str):
        try:
            return importlib.import_module(name)
        except Exception as error:  # one that is broken here raises what it likes
            pytest.skip(f"{name} cannot be imported: {error}")

    return find
