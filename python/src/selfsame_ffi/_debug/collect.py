"""Running the garbage collectors of all languages in the process."""

from __future__ import annotations

import gc

from .. import _core  # noqa: F401
from .._load import runtime  # noqa: F401

_ROUNDS = 16
"""A round that finds something may make something else unreachable for the other language."""


def collect() -> int:
    """Run the garbage collectors of Python and of all Go libraries in the process until they find nothing more.

    Frees objects that only a Go handle keeps which Go no longer uses, and garbage that hangs across both languages.
    Returns how many objects came free: what ``gc.collect()`` counts, and the handles and Go values that Go gave back.

    Go funcs that clean up after objects (``selfsame.OnDrop``) have returned when it returns, except those that take
    more than five seconds.

    Nothing has to call it: both collectors run by themselves, Go's also in proportion to the native memory behind its
    handles, when the process is idle, and at exit. It is for tests, and for programs that measure memory.
    """
    found = 0
    for _ in range(_ROUNDS):
        more = _core.collect_others() + gc.collect()
        found += more
        if not _core.wait_for_cleanups() and more == 0:
            break
    return found
