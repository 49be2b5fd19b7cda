"""The DLPack C exchange of torch.Tensor for releases of PyTorch that lack it, by the package torch_c_dlpack_ext.

The package itself does not import this module, and nothing is compiled here: without the exchange, tensors of PyTorch
are exchanged by ``__dlpack__``. Programs call :func:`load_torch_c_dlpack_extension` once.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

_NAME = "__dlpack_c_exchange_api__"
_OLD_NAME = "__c_dlpack_exchange_api__"  # in releases before the protocol got its name: an address, or the capsule


def _capsule(address: int) -> Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(address, b"dlpack_exchange_api", None)


def _has_exchange(tensor_cls: Any) -> bool:
    """Whether the class offers the exchange; one under its old name is put under the new one."""
    if hasattr(tensor_cls, _NAME):
        return True
    old = getattr(tensor_cls, _OLD_NAME, None)
    if old is None:
        return False
    setattr(tensor_cls, _NAME, _capsule(old) if isinstance(old, int) else old)
    return True


def _torch_extension_device(torch_module: Any) -> str:
    """The kind of accelerator that a PyTorch was built for: cpu, cuda or rocm."""
    if not torch_module.cuda.is_available():
        return "cpu"
    is_rocm = getattr(torch_module.version, "cuda", None) is None and getattr(torch_module.version, "hip", None)
    return "rocm" if is_rocm else "cuda"


def load_torch_c_dlpack_extension() -> Any:
    """Make torch.Tensor offer the DLPack C exchange where it does not.

    Imports torch and, when it is needed and installed, torch_c_dlpack_ext, which sets the attribute. Always None. An
    installed package that does not fit the PyTorch at hand raises its own error.
    """
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    if _has_exchange(torch.Tensor):
        return None
    try:
        importlib.import_module("torch_c_dlpack_ext")
    except ImportError:
        return None
    _has_exchange(torch.Tensor)
    return None


def patch_torch_cuda_stream_protocol() -> None:
    """Give the streams of releases of PyTorch that lack it the method ``__cuda_stream__``."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return
    if torch.cuda.is_available() and not hasattr(torch.cuda.Stream, "__cuda_stream__"):
        torch.cuda.Stream.__cuda_stream__ = lambda self: (0, self.cuda_stream)
