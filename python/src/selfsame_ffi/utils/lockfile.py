"""Locks between processes, by a file."""

from __future__ import annotations

import errno
import os
import sys
import time
from typing import Any

if sys.platform == "win32":
    import msvcrt

    def _open(path: str) -> int:
        if os.path.islink(path):  # Windows lets only administrators make one, and cannot refuse to follow it
            raise OSError(errno.ELOOP, "a link", path)
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_BINARY | os.O_NOINHERIT, 0o666)

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _open(path: str) -> int:
        # No link is followed: in a folder that others can write to, it would make or lock a file of their choice.
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


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
        try:
            descriptor = _open(self.lock_file_path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise PermissionError(
                    f"FileLock: argument 'lock_file_path': expected a file, got the link {self.lock_file_path}"
                ) from None
            return False
        try:
            _lock(descriptor)
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
            _unlock(self._file_descriptor)
            os.close(self._file_descriptor)
            self._file_descriptor = None

    def __enter__(self) -> FileLock:
        self.blocking_acquire()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.release()
