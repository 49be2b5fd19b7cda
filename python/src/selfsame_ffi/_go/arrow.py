"""Go's slices of structs as columns of Arrow, by the PyCapsule interface, for libraries of data frames.

Go fills and reads the structs of Arrow's C data interface (internal/engine/convert/arrow.go); this module makes the
capsules and takes those of others. Each call makes new capsules: a consumer uses one up.
"""

from __future__ import annotations

from typing import Any, Callable

from .. import _core
from .._calls.messages import type_name

#: Fills an Arrow struct: "schema" or "array", its address, the first row; returns how many rows.
Fill = Callable[[str, int, int], int]


def schema_of(fill: Fill) -> Any:
    """Return a new capsule with the ArrowSchema of rows."""
    return _core.arrow_capsule("arrow_schema", lambda address: fill("schema", address, 0))


def array_of(fill: Fill) -> tuple[Any, Any]:
    """Return new capsules with the ArrowSchema and the ArrowArray of all rows."""
    return schema_of(fill), _core.arrow_capsule("arrow_array", lambda address: fill("array", address, -1))


def stream_of(fill: Fill, rows: int | None) -> Any:
    """Return a new capsule with an ArrowArrayStream of so many rows, of all up to an empty array if `rows` is None."""
    done = 0

    def following(address: int) -> None:
        nonlocal done
        if rows is None or done < rows:
            done += fill("array", address, done)

    return _core.arrow_stream(lambda address: fill("schema", address, 0), following)


def is_arrow(value: Any, others: bool = False) -> bool:
    """Say whether a value has columns of Arrow, and with ``others`` is no list of Go."""
    has = hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")
    return has and not (others and hasattr(value, "_filling"))


def addresses(value: Any, others: bool = False) -> Any:
    """Return the address of an ArrowArrayStream and its capsule, or those of an ArrowSchema and an ArrowArray."""
    if not is_arrow(value, others):
        return type_name(value)
    if hasattr(value, "__arrow_c_stream__"):
        stream = value.__arrow_c_stream__()
        return (_core.arrow_address(stream, "arrow_array_stream"), stream)
    schema, array = value.__arrow_c_array__()
    return (_core.arrow_address(schema, "arrow_schema"), _core.arrow_address(array, "arrow_array"), schema, array)
