"""Explicit conversion of Python values to native values."""

from __future__ import annotations

from typing import Any, Callable

from . import _core  # noqa: F401
from ._load import runtime  # noqa: F401


def convert(value: Any) -> Any:
    """Return the value as native code would return it.

    Lists and tuples become :class:`Array`, dicts :class:`Map`, callables :class:`Function`, exceptions :class:`Error`,
    text and bytes ``core.String`` and ``core.Bytes``, which are a str and bytes; objects, numbers and None are
    themselves. Calls convert their arguments in the same way.
    """
    return _core.convert(value)


def convert_func(pyfunc: Callable[..., Any], tensor_cls: type | None = None) -> _core.Function:
    """Return a :class:`Function` that calls a Python callable and owns a reference to it.

    With `tensor_cls`, such as ``torch.Tensor``, the callable gets tensors as instances of that class, and reads them so
    from the containers that it gets. Raises TypeError for a class without the DLPack C exchange
    (``__dlpack_c_exchange_api__``).
    """
    if tensor_cls is None:
        return _core.function_from_callable(pyfunc)
    return _core.function_of_tensors(pyfunc, tensor_cls)
