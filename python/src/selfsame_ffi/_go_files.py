"""Files between Python and Go.

The native form of a file is a Function: ``do("read", n)`` returns at most n bytes, none at the end,
``do("write", data)`` how many bytes it took, ``do("close")`` closes.
"""

from __future__ import annotations

import io
from typing import Any


class _GoFile(io.RawIOBase):
    """A Go reader or writer as an unbuffered file."""

    def __init__(self, do: Any, reads: bool, writes: bool) -> None:
        self._do = do
        self._reads = reads
        self._writes = writes

    def readable(self) -> bool:
        return self._reads

    def writable(self) -> bool:
        return self._writes

    def readinto(self, buffer: Any) -> int:
        if not self._reads:
            raise io.UnsupportedOperation("not readable")
        view = memoryview(buffer).cast("B")
        data = self._do("read", len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data: Any) -> int:
        if not self._writes:
            raise io.UnsupportedOperation("not writable")
        return int(self._do("write", bytes(data)))

    def close(self) -> None:
        if self.closed:
            return
        try:
            super().close()
        finally:
            self._do("close")


def file_of(do: Any, reads: bool = False, writes: bool = False) -> Any:
    """The binary file object of a native form. One that only reads is buffered, so that it has lines."""
    raw = _GoFile(do, reads, writes)
    return raw if writes else io.BufferedReader(raw)


def served_file(value: Any, *methods: str) -> Any:
    """The native form of a binary file object of Python; the name of its type when it lacks one of the methods."""
    if isinstance(value, (bytearray, memoryview)) and methods == ("read",):
        value = io.BytesIO(value)
    if not all(callable(getattr(value, method, None)) for method in methods):
        return f"{type(value).__qualname__}, which has no {' and '.join(methods)}"
    if isinstance(value, io.TextIOBase):
        return f"{type(value).__qualname__}, a text file; open it in binary mode"

    def do(what: str, argument: Any = None) -> Any:
        if what == "read":
            data = value.read(argument)
            if isinstance(data, str):
                raise TypeError("read: expected bytes from a file that Go reads, got str; open it in binary mode")
            return b"" if data is None else bytes(data)
        if what == "write":
            count = value.write(argument)
            return len(argument) if count is None else count
        return value.close() if what == "close" else None

    return do
