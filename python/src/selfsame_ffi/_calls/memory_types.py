"""Types of arguments that bring memory of their own, for annotations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol, Union, runtime_checkable

if TYPE_CHECKING:
    from typing_extensions import Buffer
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    Buffer = Union[bytes, bytearray, memoryview]


@runtime_checkable
class SupportsDLPack(Protocol):
    """Describe an array that other packages can read by DLPack: a Tensor, or one of NumPy, PyTorch or JAX.

    A Go func takes it as a tensor, or copies numbers from it into a slice such as ``[]float64``.
    """

    def __dlpack__(self) -> Any:
        """Return a capsule with the array's memory."""

    def __dlpack_device__(self) -> tuple[Any, int]:
        """Return the type and the number of the device that the memory is on."""


@runtime_checkable
class SupportsArrow(Protocol):
    """Describe a table that other packages can read by Arrow's PyCapsule interface: one of pandas, Polars or pyarrow.

    A Go func makes a slice of structs of it, from the columns with the names of the fields.
    """

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return a capsule with the table's rows."""


__all__ = ["Buffer", "SupportsArrow", "SupportsDLPack"]
