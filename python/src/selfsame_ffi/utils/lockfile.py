"""Locks between processes, by a file."""

from __future__ import annotations

import errno
import os
import time
from typing import Any

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]


class FileLock:
    """An advisory lock of a file: of the processes that use one path, one holds it at a time.

    ``with FileLock(path):`` waits for it. One instance can hold it once.
    """

    def __init__(self, lock_file_path: str) -> None:
        self.lock_file_path = lock_file_path
        self._file_descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free. Whether this call took it."""
        if self._file_descriptor is not None:
            return False
        if fcntl is None:
            raise RuntimeError("FileLock: this system has no file locks")
        try:
            # No link is followed: in a folder that others can write to, it would make or lock a file of their choice.
            flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
            descriptor = os.open(self.lock_file_path, flags, 0o666)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise PermissionError(
                    f"FileLock: argument 'lock_file_path': expected a file, got the link {self.lock_file_path}"
                ) from None
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._file_descriptor = descriptor
        return True

    def blocking_acquire(self, timeout: float | None = None, poll_interval: float = 0.1) -> bool:
        """Wait for the lock. TimeoutError after `timeout` seconds, RuntimeError when this instance holds it."""
        if self._file_descriptor is not None:
            raise RuntimeError("Lock is already held by this instance.")
        end = None if timeout is None else time.monotonic() + timeout
        while not self.acquire():
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"Failed to acquire lock on '{self.lock_file_path}' after {timeout} seconds.")
            time.sleep(poll_interval)
        return True

    def release(self) -> None:
        """Give the lock back. Nothing happens when this instance does not hold it."""
        if self._file_descriptor is not None:
            fcntl.flock(self._file_descriptor, fcntl.LOCK_UN)
            os.close(self._file_descriptor)
            self._file_descriptor = None

    def __enter__(self) -> FileLock:
        self.blocking_acquire()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.release()
