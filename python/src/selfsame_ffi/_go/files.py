"""Files between Python and Go.

The native form of a file is a Function: ``do("read", n)`` returns at most n bytes, none at the end,
``do("write", data)`` how many bytes it took, ``do("seek", offset, whence)`` the position, ``do("close")`` closes.
"""

from __future__ import annotations

import errno
import io
from operator import index
from typing import Any

from .._calls.messages import type_name


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
        return int(self._do("write", memoryview(data).tobytes()))  # bytes() would take a number, and make zeros

    def close(self) -> None:
        if self.closed:
            return
        try:
            super().close()
        finally:
            self._do("close")


def file_of(do: Any, reads: bool = False, writes: bool = False) -> Any:
    """Return the binary file object of a native form. A file that only reads is buffered, so that it has lines."""
    raw = _GoFile(do, reads, writes)
    return raw if writes else io.BufferedReader(raw)


def served_file(value: Any, *methods: str) -> Any:
    """Return the native form of a binary file object; the name of its type when it lacks one of the methods."""
    if isinstance(value, (bytearray, memoryview)) and "write" not in methods:
        value = io.BytesIO(value)
    if not all(callable(getattr(value, method, None)) for method in methods):
        return f"{type(value).__qualname__}, which has no {' and '.join(methods)}"
    if isinstance(value, io.TextIOBase):
        return f"{type(value).__qualname__}, a text file; open it in binary mode"

    def do(what: str, argument: Any = None, whence: int = 0) -> Any:
        if what == "read":
            return _read(value, argument)
        if what == "write":
            return _write(value, argument)
        if what == "seek":
            return value.seek(argument, whence)
        return value.close() if what == "close" else None

    return do


def _not_ready(file: Any, what: str, done: int = 0) -> BlockingIOError:
    return BlockingIOError(errno.EAGAIN, f"{what}: {type_name(file)} is not ready; Go needs a blocking file", done)


def _read(file: Any, size: int) -> bytes:
    """At most `size` bytes of a file, none at its end. Whatever else its ``read`` returns is an error."""
    data = file.read(size)
    if data is None:
        raise _not_ready(file, "read")
    if not isinstance(data, bytes):
        try:
            data = memoryview(data).tobytes()
        except TypeError:
            hint = "; open it in binary mode" if isinstance(data, str) else ""
            raise TypeError(f"read: expected bytes from {type_name(file)}, got {type_name(data)}{hint}") from None
    if len(data) > size:
        raise ValueError(f"read: expected at most {size} bytes from {type_name(file)}, got {len(data)}")
    return bytes(data)


def _write(file: Any, data: bytes) -> int:
    """Writes all of `data` and returns its size, or less when the file takes no more.

    A raw file takes what fits, and none where it is not ready. Other files take everything; those that are not of the
    module io need not return the number.
    """
    done = 0
    while done < len(data):
        count = file.write(data[done:] if done else data)
        if count is None:
            if isinstance(file, io.RawIOBase):
                raise _not_ready(file, "write", done)
            return len(data)
        if isinstance(count, bool) or not hasattr(type(count), "__index__"):
            raise TypeError(
                f"write: expected the number of bytes written from {type_name(file)}, got {type_name(count)}"
            )
        number = index(count)
        if not 0 <= number <= len(data) - done:
            raise ValueError(
                f"write: expected a number from 0 to {len(data) - done} from {type_name(file)}, got {number}"
            )
        if number == 0:
            break
        done += number
    return done
