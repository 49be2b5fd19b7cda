"""Tables of a program's classes let go of them at the end of the interpreter."""

from __future__ import annotations

import atexit
from typing import Any, TypeVar

_Table = TypeVar("_Table", bound="dict[Any, Any] | list[Any]")


def emptied(table: _Table) -> _Table:
    """Return the table, which will be emptied at exit.

    A class keeps the globals of its module. A table that lives until the process ends would keep them too: an open file
    among them would not be flushed, and no finalizer would run.
    """
    atexit.register(table.clear)
    return table
