"""The native test extension, its Python classes, and the check that every test ends where it began."""

from __future__ import annotations

import gc
import sys
import sysconfig
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

if sys.version_info < (3, 14) and sysconfig.get_config_var("Py_GIL_DISABLED"):
    # A free-threaded CPython 3.13 makes classes, functions and constants immortal once a thread was started, and so all
    # that they lead to. The tests count what is left, so they ask it not to, as CPython's own tests do.
    import _testinternalcapi

    _testinternalcapi.suppress_immortalization(True)

import native_build  # noqa: E402
import selfsame_ffi  # noqa: E402
from round_trips import ROUND_TRIPS  # noqa: E402


def _classes() -> dict:
    @selfsame_ffi.register_object("sst.Leaf")
    class Leaf(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.SubLeaf")
    class SubLeaf(Leaf):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Node")
    class Node(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Plain")
    class Plain(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Rich")
    class Rich(selfsame_ffi.Object):
        __slots__ = ("__dict__", "__weakref__", "extra")

    @selfsame_ffi.register_object("sst.Frozen")
    class Frozen(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.FrozenSub")
    class FrozenSub(Frozen):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Open")
    class Open(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.AsJson")
    class AsJson(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Raw")
    class Raw(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Picky")
    class Picky(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Odd")
    class Odd(selfsame_ffi.Object):
        __slots__ = ()

    @selfsame_ffi.register_object("sst.Auto")
    class Auto(selfsame_ffi.Object):
        __slots__ = ()

    return locals()


@pytest.fixture(scope="session")
def native():
    """Functions ``sst.*`` and the classes of the extension as attributes."""
    path = native_build.build()
    selfsame_ffi.load_extension(path)
    space = SimpleNamespace(path=path, **_classes())
    # Global functions live for ever: hold all of them, so that no test is the first to wrap one.
    space.held = [selfsame_ffi.get_global_func(name) for name in selfsame_ffi.list_global_func_names()]
    for name in selfsame_ffi.list_global_func_names():
        if name.startswith("sst."):
            setattr(space, name[4:], selfsame_ffi.get_global_func(name))
    space.static_object = space.static_node()  # never dies, so its record stays
    return space


FROZEN_AT_START = gc.get_freeze_count()  # CPython 3.12 freezes some objects itself
PATIENCE = 300.0  # seconds after which something awaited has failed for good, on however busy a machine


def wait_until(condition, failure: str) -> None:
    """Returns as soon as `condition()` is true; fails with `failure` when that takes longer than PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, failure
        time.sleep(0.001)


@pytest.fixture(params=ROUND_TRIPS)
def again(request):
    """A deep round trip: by pickle protocols old and new, by the pickler in Python, and by deepcopy."""
    return ROUND_TRIPS[request.param]


@pytest.fixture(scope="module")
def classes(native):
    """Python classes that pickles name."""
    import pickled_classes

    return pickled_classes


def wait_for_queue() -> None:
    """Until every deferred release has run: a thread that empties a long queue may be in the midst of it."""
    wait_until(lambda: selfsame_ffi.debug.counters()["releases_waiting"] == 0, "deferred releases do not run")


def settle() -> None:
    wait_for_queue()
    for _ in range(3):
        gc.collect()
    wait_for_queue()


def snapshot(native) -> dict:
    settle()
    counters = selfsame_ffi.debug.counters()
    counters.pop("releases_queued")
    return {"native": native.live(), "runtime": selfsame_ffi.debug.live_objects(), **counters}


@pytest.fixture(autouse=True)
def balanced(request, native):
    """Live natives, wrappers, records and kept blocks are where they were before the test."""
    # What was imported up to here stays. Without it the collections around every test take a thousandth of the time.
    if gc.get_freeze_count() <= FROZEN_AT_START:  # the first test, or a test has called gc.unfreeze
        gc.collect()
        gc.freeze()
    before = snapshot(native)
    yield
    after = snapshot(native)
    deadline = time.monotonic() + 10
    while after != before and time.monotonic() < deadline:  # a native thread may be about to let go
        time.sleep(0.005)
        after = snapshot(native)
    assert after == before
