"""The service: `wsgi` for gunicorn, `asgi` for uvicorn. The path /figures answers what the process has used so far."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import time

from work import work

_numbers = itertools.count()
_full_collections = 0


def _count_full_collections(phase: str, info: dict) -> None:
    global _full_collections
    _full_collections += phase == "stop" and info["generation"] == 2


gc.collect()
gc.callbacks.append(_count_full_collections)


def _resident() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _figures() -> dict:
    return {"seconds": time.process_time(), "full_collections": _full_collections, "resident": _resident()}


def _answer(path: str) -> dict:
    return _figures() if path == "/figures" else work(next(_numbers))


def wsgi(environ, start_response):
    body = json.dumps(_answer(environ["PATH_INFO"])).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


async def asgi(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"].endswith("shutdown"):
                return
    answer = await asyncio.get_running_loop().run_in_executor(None, _answer, scope["path"])
    body = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
