"""Waiting for what other threads do, and freeing all garbage."""

from __future__ import annotations

import gc
import time

import selfsame_ffi

PATIENCE = 1800.0  # seconds that a test waits for an event; it only turns a hang into a failure


def wait_until(condition, failure: str) -> None:
    """Wait until `condition()` is true; fail with `failure` after PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, failure
        time.sleep(0.001)


def wait_for_queue() -> None:
    """Wait until every deferred release has run. Another thread may be emptying the queue."""
    wait_until(lambda: selfsame_ffi.debug.counters()["releases_waiting"] == 0, "deferred releases do not run")


def settle() -> None:
    """Free all garbage: run the deferred releases and the cycle collector."""
    wait_for_queue()
    for _ in range(3):
        if gc.collect() == 0:
            break
    wait_for_queue()


def collect_everywhere() -> None:
    """Run the collectors of Go libraries too, which else run when much memory has come or after minutes."""
    collect = selfsame_ffi.get_global_func("selfsame.collect", allow_missing=True)
    if collect is not None:
        collect()
