"""Random requests to a live view of ``debug.serve()``: ``make fuzz FUZZERS=py-serve``.

Usage: fuzz_serve.py SECONDS [SEED]

Only a request with the token gets figures, whatever clients send, cut off or leave open. The server lives on, and keeps
no descriptor and no thread.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
import tempfile
import threading
import time

PATIENCE = 30


def answer(place: str, request: bytes, cut: bool) -> bytes:
    """What the server answers; nothing when the client ends the connection first."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(place)
        try:
            client.sendall(request)
            if cut:
                return b""
            client.shutdown(socket.SHUT_WR)
            parts = []
            while part := client.recv(1 << 16):
                parts.append(part)
            return b"".join(parts)
        except (BrokenPipeError, ConnectionResetError):
            return b""  # refused before all of it was read


def request(source: random.Random, token: str) -> bytes:
    good = json.dumps({"token": token}).encode() + b"\n"
    kind = source.randrange(6)
    if kind == 0:
        return source.randbytes(source.randrange(6000))
    if kind == 1:  # good but for some bytes
        changed = bytearray(good)
        for _ in range(source.randrange(1, 4)):
            changed[source.randrange(len(changed))] = source.randrange(256)
        return bytes(changed)
    if kind == 2:
        return good[: source.randrange(len(good))]
    if kind == 3:
        return source.choice((b"[", b'{"a":', b'"', b"-", b"1e")) * source.randrange(5000) + b"\n"
    if kind == 4:
        strange = source.choice((None, 5, [token], {"token": token}, token[:-1], token + "\0", "\ud800", "é" * 32))
        return json.dumps({"token": strange}).encode() + b"\n"
    return b'{"token": "x", "token": ' + json.dumps(source.choice(("", "x", token[::-1]))).encode() + b"}\n"


def main(seconds: float, seed: int) -> int:
    """Run until the time is over. Returns how many requests were sent."""
    source, end, count = random.Random(seed), time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        os.environ["XDG_RUNTIME_DIR"] = folder
        from selfsame_ffi import debug

        server = debug.serve()
        view = os.path.join(folder, f"selfsame-ffi-{os.getuid()}", str(os.getpid()))
        place = os.path.join(view, "socket")
        with open(os.path.join(view, "token")) as file:
            token = file.read()
        good = json.dumps({"token": token}).encode() + b"\n"
        threads = set(threading.enumerate())
        while time.monotonic() < end or count == 0:
            tried = request(source, token)
            got = answer(place, tried, source.randrange(8) == 0)
            try:
                meant = json.loads(tried)
            except (ValueError, RecursionError):
                meant = None
            if b"classes" in got and not (isinstance(meant, dict) and meant.get("token") == token):
                raise AssertionError(f"{tried!r} was answered")
            count += 1
            if count % 50 == 0 and "classes" not in json.loads(answer(place, good, False)):
                raise AssertionError(f"after {tried!r} a request with the token got no answer")
        for thread in set(threading.enumerate()) - threads:
            thread.join(60)  # a request that was broken off may just be ending; a thread that waits for ever never does
            if thread.is_alive():
                raise AssertionError(f"{thread.name} is left over")
        server.close()
        if (left := os.listdir(os.path.dirname(view))) != []:
            raise AssertionError(f"{left} are left over")
    return count


if __name__ == "__main__":
    chosen = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}", flush=True)
    print(f"{main(float(sys.argv[1]), chosen)} requests")
