"""A live view of a process: answers ``selfsame-ffi top PID`` over a Unix socket, once the process has asked for it."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import shutil
import socket
import stat
import struct
import tempfile
import threading
from pathlib import Path
from typing import Any

from . import _snapshot

_LIMIT = 4096  # bytes of a request
_SECONDS = 5.0  # to send one


def folder() -> Path:
    """The folder of the user's live views, which only the user can enter; made when it is missing.

    PermissionError when it belongs to another user or others can enter it.
    """
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    path = base / f"selfsame-ffi-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"serve: expected {path} to be a folder that only this user can enter")
    return path


class Server:
    """A live view that is being served, until ``close()`` or the end of the process. A forked child has none."""

    def __init__(self) -> None:
        self._place = folder() / str(os.getpid())
        shutil.rmtree(self._place, ignore_errors=True)  # of an earlier process with this number
        self._place.mkdir(mode=0o700)
        self._token = secrets.token_hex(16)
        self._pid = os.getpid()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(self._place / "socket"))
        self._socket.listen(4)
        token = os.open(self._place / "token", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(token, "w") as file:
            file.write(self._token)
        self._thread = threading.Thread(target=self._run, name="selfsame-ffi top", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the view and remove its files. May be called again. Any thread."""
        if os.getpid() != self._pid:
            return
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread
        except OSError:
            pass
        self._socket.close()
        shutil.rmtree(self._place, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                try:
                    self._answer(connection)
                except (OSError, ValueError):
                    pass  # that of the other side

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(_SECONDS)
        if hasattr(socket, "SO_PEERCRED"):
            size = struct.calcsize("3i")
            _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
            if user != os.getuid():
                return
        request = b""
        while not request.endswith(b"\n") and len(request) < _LIMIT:
            part = connection.recv(_LIMIT)
            if not part:
                return
            request += part
        asked = json.loads(request)
        token = asked.get("token") if isinstance(asked, dict) else None
        if not isinstance(token, str) or not hmac.compare_digest(token.encode(), self._token.encode()):
            reply: dict[str, Any] = {"error": "the token is wrong"}
        else:
            reply = _snapshot.take().to_dict()
        connection.sendall(json.dumps(reply).encode() + b"\n")
