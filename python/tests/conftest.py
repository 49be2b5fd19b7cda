"""The native test extension, its Python classes, and the check that each test leaves all counts as it found them."""

from __future__ import annotations

import contextlib
import gc
import importlib
import signal
import sys
import sysconfig
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))

if sys.version_info < (3, 14) and sysconfig.get_config_var("Py_GIL_DISABLED"):
    # A free-threaded CPython 3.13 makes classes, functions and constants immortal when the first thread starts, and so
    # all objects that they refer to. The tests count live objects, so they switch this off, as CPython's tests do.
    import _testinternalcapi

    _testinternalcapi.suppress_immortalization(True)

# A shell starts background jobs with SIGINT ignored. Tests of Ctrl-C wait for it, here and in programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

import native_build  # noqa: E402
import origins  # noqa: E402
import selfsame_ffi  # noqa: E402
from round_trips import ROUND_TRIPS  # noqa: E402
from selfsame_ffi import _core  # noqa: E402
from waiting import collect_everywhere, settle  # noqa: E402


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

    class StatefulPlain(Plain):
        """Plain with state in Python."""

    return locals()


@pytest.fixture(scope="session")
def native():
    """The test extension: its global functions ``sst.NAME`` as attributes ``NAME``, and the classes of ``_classes``."""
    path = native_build.build()
    selfsame_ffi.load_extension(path)
    space = SimpleNamespace(path=path, **_classes())
    # Global functions are never freed. Their wrappers are kept alive, so that no test creates one.
    space.held = [selfsame_ffi.get_global_func(name) for name in selfsame_ffi.list_global_func_names()]
    for name in selfsame_ffi.list_global_func_names():
        if name.startswith("sst."):
            setattr(space, name[4:], selfsame_ffi.get_global_func(name))
    space.static_object = space.static_node()  # in static storage: its tie record is never freed
    space.owners = lambda obj: space.use_count(obj) - selfsame_ffi.debug.tie(obj)["shares"]  # the wrapper counts once
    return space


@pytest.fixture(scope="session")
def go_packages(native):
    """The folder with the packages geo, inventory, forking, goclasses and signatures, which selfsame-ffi built."""
    try:
        return origins.go()
    except origins.Unavailable as reason:
        pytest.skip(str(reason))


@contextlib.contextmanager
def _importable(folder):
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def goclasses(go_packages):
    """The package goclasses. The functions that it registers are fetched, so that no test is the first to fetch one."""
    with _importable(go_packages):
        module = importlib.import_module("goclasses")
    held = [selfsame_ffi.get_global_func(name) for name in selfsame_ffi.list_global_func_names()]
    yield module
    del held


@pytest.fixture(scope="module")
def go(go_packages):
    """The package signatures."""
    with _importable(go_packages):
        yield importlib.import_module("signatures")


@pytest.fixture(scope="module")
def shelf():
    """The package shelf, which `selfsame-ffi wrap` makes of a Go package that knows no Python."""
    return _wrapped("shelf")


@pytest.fixture(scope="module")
def cart():
    """The package cart, which `selfsame-ffi wrap` makes of a Go package with containers wherever Go can have them."""
    return _wrapped("cart")


def _wrapped(name):
    with _importable(origins.wrapped(name)):
        module = importlib.import_module(name)
    # The classes of containers are made now, so that no test is the first to fetch their methods.
    for shape in ("Sequence", "Numbers", "Mapping", "Set"):
        _core.class_of(_core.type_key_to_index(f"selfsame.{name}.{shape}"))
    return module


@pytest.fixture(scope="module")
def scribe():
    """The package scribe, which `selfsame-ffi wrap` makes of a Go package whose funcs write through arguments."""
    return _wrapped("scribe")


@pytest.fixture(scope="module")
def atlas():
    """The package atlas, which `selfsame-ffi wrap` makes of a Go package with values, errors and catalogs."""
    return _wrapped("atlas")


@pytest.fixture
def no_collector():
    """Python's collector is off: what is freed during the test was freed by reference counts."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def collected():
    """Go drops what a test has lent it, so that the next one need not wait for Go's own collections."""
    yield
    selfsame_ffi.collect()


@pytest.fixture(params=ROUND_TRIPS)
def again(request):
    """A function that copies a value in depth: by three pickle protocols, by the pickler in Python, and by deepcopy."""
    return ROUND_TRIPS[request.param]


@pytest.fixture(scope="module")
def classes(native):
    """The module of the classes that pickles refer to by name."""
    import pickled_classes

    return pickled_classes


def snapshot(native) -> dict:
    """All counts of live objects that a test must leave unchanged, taken when the garbage is freed."""
    settle()
    counters = selfsame_ffi.debug.counters()
    counters.pop("releases_queued")
    return {"native": native.live(), "runtime": selfsame_ffi.debug.live_objects(), **counters}


@pytest.fixture(autouse=True, scope="module")
def frozen(native):
    """Objects made by imports, and by pytest for the tests before, stay alive. Frozen, they are not examined by the
    collections around each test, which are a thousand times faster without them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def balanced(request, native):
    """Fail a test that leaves more or fewer native objects, wrappers, tie records or kept blocks than it found."""
    before = snapshot(native)
    if before["runtime"].get("ffi.Error"):  # of a call that went on after the test before had ended
        collect_everywhere()
        before = snapshot(native)
    yield
    after = snapshot(native)
    begin = time.monotonic()
    while after != before and time.monotonic() < begin + 60:
        collect_everywhere()  # Go keeps what nobody can reach any more, or a native thread is about to release
        after = snapshot(native)
    assert after == before
