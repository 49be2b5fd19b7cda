"""Greenlets under Go: what happens when one of them is about to return to Go out of its turn.

Go wants calls on one thread to return in the reverse of their order. A callback that Go called may switch to another
greenlet, which may call Go too; then the second has to leave Go before the first may return to it. The core calls
`_wait_for_turn` in the greenlet that is too early. See "Greenlets" in docs/python-guide.md.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, Callable

from .. import _core

_LONGEST_DELAY = 0.01
_WARN_AFTER = 1000  # waits, most of which take _LONGEST_DELAY


def _wait_for_turn(inner: Any, times: int) -> bool:
    """Run other greenlets until one of them switches to this one again. False: that is not possible.

    `inner` is the greenlet that has to leave Go first, None if it is not known; `times` is how often this greenlet has
    waited since it was to return. Raises what another greenlet threw into this one.
    """
    try:
        wait = _way_to_wait(inner, times)
    except Exception:  # of a greenlet module that we do not know; the core would call again and again
        wait = None
    if wait is None:
        return False
    wait()
    return True


def _way_to_wait(inner: Any, times: int) -> Callable[[], Any] | None:
    greenlet = sys.modules.get("greenlet")
    if greenlet is None:
        return None
    current = greenlet.getcurrent()
    hub, sleep = _hub()
    parent = current.parent
    if hub is not None and current is not hub and (parent or inner and inner.parent) is hub:
        return lambda: _sleep(sleep, current, inner, times)
    while parent is not None and not parent:  # not yet begun, or ended
        parent = parent.parent
    if parent is not None:
        return lambda: parent.throw(RuntimeError(_too_early(current, inner)))
    if inner:
        # The main greenlet is too early. Nobody else can give its caller an exception, but the other one can be ended.
        return lambda: inner.throw(RuntimeError(_ended(current, inner)))
    return None


def _hub() -> tuple[Any, Any]:
    """The thread's event loop of gevent or eventlet, if it has one, and the function that sleeps in it."""
    local = sys.modules.get("gevent._hub_local")
    hub = local.get_hub_if_exists() if local is not None else None
    if hub is not None:
        return hub, sys.modules["gevent"].sleep
    hubs = sys.modules.get("eventlet.hubs")
    hub = getattr(getattr(hubs, "_threadlocal", None), "hub", None)
    if hub is not None:
        return hub.greenlet, sys.modules["eventlet"].sleep
    return None, None


def _sleep(sleep: Callable[[float], Any], current: Any, inner: Any, times: int) -> None:
    if times == _WARN_AFTER:
        warnings.warn(f"{_too_early(current, inner)}; it still waits", RuntimeWarning, stacklevel=1)
    sleep(_LONGEST_DELAY if times > 6 else _LONGEST_DELAY / 128 * 2**times)


def _too_early(current: Any, inner: Any) -> str:
    return f"callback: {current!r} cannot return to Go before {inner or 'a call that began later'!r} has left Go"


def _ended(current: Any, inner: Any) -> str:
    return f"callback: {current!r} returns to Go, so {inner!r}, which entered Go later, has to leave Go first"


_core.set_wait_for_turn(_wait_for_turn)
