"""Looking at natives, wrappers and what ties them."""

from __future__ import annotations

from typing import Any

from . import _core, _runtime  # noqa: F401


def tie(obj: _core.CObject) -> dict[str, Any]:
    """How a wrapper and its native are tied.

    ``state``: ``"Active"``, ``"Held"`` (the native also keeps the wrapper) or ``"Detached"`` (no native);
    ``stateful``: whether the wrapper has state that outlives a drop; ``record``: whether the native has a tie record;
    ``strong`` and ``weak``: the native's counts.
    """
    return _core.tie(obj)


def live_objects() -> dict[str, int]:
    """Live native objects that came from the runtime's allocator, by type key."""
    return _core.live_objects()


def counters() -> dict[str, int]:
    """Numbers of the whole process.

    ``wrappers``: live Python wrappers; ``held``: those that their native keeps; ``kept_blocks`` and ``kept_bytes``:
    memory of dead wrappers that waits for its native to be fetched again; ``records``: natives with a tie record;
    ``releases_queued`` and ``releases_waiting``: releases that threads without the interpreter asked for.
    """
    return _core.counters()


def wrappers() -> int:
    """Number of live Python wrappers."""
    return _core.counters()["wrappers"]
