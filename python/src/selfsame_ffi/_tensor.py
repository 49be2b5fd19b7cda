"""Tensors and shapes."""

from __future__ import annotations

import importlib
from typing import Any

from . import _core, _device, _dtype  # noqa: F401
from ._core import Shape, from_dlpack
from ._types import classes  # noqa: F401
from .registry import register_object


@register_object("ffi.Tensor", init=False)
class Tensor(_core.TensorBase, classes.Object):
    """N-dimensional memory that native code and other libraries share, without a copy.

    ``from_dlpack`` makes one over the memory of a NumPy array or of any object with ``__dlpack__``, which it keeps
    alive; ``numpy()`` and ``np.from_dlpack`` give an array over the same memory, which keeps the Tensor's memory alive.
    It is equal only to itself.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def numpy(self) -> Any:
        """Return a NumPy array over the same memory. Raises NumPy's own error for an unknown device or data type.

        Raises BufferError for a Tensor that has elements but no memory, for which NumPy would make new memory.
        """
        if not self.data_ptr() and self.numel():
            raise BufferError("Tensor.numpy: this tensor has no memory")
        return importlib.import_module("numpy").from_dlpack(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if copy or (dtype is not None and array.dtype != dtype):
            if copy is False:
                raise ValueError(
                    f"Tensor.__array__: argument 'copy': an array of {dtype} from a Tensor of {self.dtype} is a copy"
                )
            return array.astype(array.dtype if dtype is None else dtype)
        return array

    def __repr__(self) -> str:
        return self._native_repr()


_core.own_descriptors(Tensor)

__all__ = ["Shape", "Tensor", "from_dlpack"]
