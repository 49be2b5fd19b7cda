"""A live view of a process: answers ``selfsame-ffi top PID`` over a Unix socket, once the process has asked for it."""

from __future__ import annotations

import errno
import hmac
import json
import os
import secrets
import shutil
import socket
import struct
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import Any

from .._load.own_folder import own_folder
from . import snapshot

_LIMIT = 4096  # bytes of a request
_CLIENTS = 8  # that are being answered; one more ends the oldest
_WAKE = 5  # seconds for the thread to see that its socket has ended
_PATH = 107  # bytes of a socket's path: what Linux takes


def folder() -> Path:
    """Return the folder of the user's live views, which only the user can enter; made when it is missing.

    PermissionError when it belongs to another user or others can enter it.
    """
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return own_folder(base / f"selfsame-ffi-{os.getuid()}", "serve", secret=True)


def _is_own(connection: socket.socket) -> bool:
    """Whether a process of this user is at the other end."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # only this user can enter the folder
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(user == os.getuid())


def _end(connection: socket.socket) -> None:
    """End a connection that a thread may be reading from or writing to."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


class Server:
    """A live view that is being served, until ``close()`` or the end of the process. A forked child has none."""

    def __init__(self) -> None:
        self._place = folder() / str(os.getpid())
        path = str(self._place / "socket")
        if len(os.fsencode(path)) > _PATH:
            raise OSError(
                errno.ENAMETOOLONG,
                f"serve: the path of the socket has {len(os.fsencode(path))} bytes, expected at most {_PATH}; set "
                f"XDG_RUNTIME_DIR to a folder with a shorter name",
                path,
            )
        self._token = secrets.token_hex(16)
        self._pid = os.getpid()
        self._clients: deque[socket.socket] = deque()
        self._lock = threading.Lock()
        shutil.rmtree(self._place, ignore_errors=True)  # of an earlier process with this number
        self._place.mkdir(mode=0o700)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._run, name="selfsame-ffi top", daemon=True)
        try:
            token = os.open(self._place / "token", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(token, "w") as file:
                file.write(self._token)
            self._socket.bind(path)
            self._socket.listen(_CLIENTS)
            self._thread.start()
        except BaseException:
            self._socket.close()
            shutil.rmtree(self._place, ignore_errors=True)
            raise

    def close(self) -> None:
        """End the view and remove its files. May be called again. Any thread."""
        if os.getpid() != self._pid:
            return
        _end(self._socket)  # wakes the thread
        self._thread.join(_WAKE)  # else it may accept from the next socket that gets this one's number
        self._socket.close()
        with self._lock:
            for connection in self._clients:
                _end(connection)
        shutil.rmtree(self._place, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError as error:
                if error.errno in (errno.ECONNABORTED, errno.EINTR, errno.EPROTO):
                    continue  # that of one client
                return
            with self._lock:
                self._clients.append(connection)
                if len(self._clients) > _CLIENTS:
                    _end(self._clients.popleft())
            try:
                threading.Thread(target=self._serve, args=(connection,), name="selfsame-ffi top", daemon=True).start()
            except RuntimeError:  # no thread can be started
                self._forget(connection)

    def _forget(self, connection: socket.socket) -> None:
        with self._lock:
            if connection in self._clients:
                self._clients.remove(connection)
            connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            self._answer(connection)
        except Exception:  # the request is foreign; no request may end the view
            pass
        finally:
            self._forget(connection)

    def _answer(self, connection: socket.socket) -> None:
        if not _is_own(connection):
            return
        request = b""
        while not request.endswith(b"\n") and len(request) < _LIMIT:
            part = connection.recv(_LIMIT - len(request))
            if not part:
                return
            request += part
        if self._has_token(request):
            reply = self._snapshot()
        else:
            reply = {"error": "the token is wrong"}
        connection.sendall(json.dumps(reply).encode() + b"\n")

    def _has_token(self, request: bytes) -> bool:
        try:
            asked = json.loads(request)
            given = asked["token"].encode()
        except Exception:  # also RecursionError, of a deep request
            return False
        return hmac.compare_digest(given, self._token.encode())

    @staticmethod
    def _snapshot() -> dict[str, Any]:
        try:
            return snapshot.take().to_dict()
        except Exception as error:
            return {"error": f"the snapshot failed: {error!r}"}
