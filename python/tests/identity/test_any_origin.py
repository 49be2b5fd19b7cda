"""Objects from any allocator, any language, and binaries built with any released header.

The same tests run for each origin. Its objects get a tie record at the first fetch, come back as themselves, have the
same id after a refetch, and keep the state of a stateful class. They may be freed on any thread, and leave nothing
behind.
"""

# Requirements: C6, B5

from __future__ import annotations

import concurrent.futures
import ctypes
import sys
import weakref
from dataclasses import dataclass
from typing import Any, Callable

import origins
import pytest
import selfsame_ffi
from selfsame_ffi import get_global_func
from waiting import settle


@dataclass
class Origin:
    """Functions of one origin: make an object, read its value, count the live objects."""

    make: Callable[[int], Any]
    value: Callable[[Any], Any]
    live: Callable[[], int]
    stateful: Callable[[int], Any] | None = None  # makes one whose Python class has state
    echo: Any = None  # a function of the origin that returns its argument


def live_of(type_key: str) -> Callable[[], int]:
    return lambda: selfsame_ffi.debug.live_objects().get(type_key, 0)


def cpp_origin(path, release: str) -> Origin:
    prefix = origins.cpp_prefix(release)
    selfsame_ffi.load_module(path)

    @selfsame_ffi.register_object(f"{prefix}.Node")
    class Node(selfsame_ffi.Object):
        """Stateful: it has a __dict__ and weak references."""

    make = get_global_func(f"{prefix}.make")
    live = get_global_func(f"{prefix}.live")
    echo = get_global_func(f"{prefix}.echo")
    return Origin(lambda i: make(i, None), lambda node: node.value, live, lambda i: make(i, None), echo)


def rust_origin(path) -> Origin:
    selfsame_ffi.load_extension(path)
    get_global_func("rust_origin.make")(0)  # the crate registers a class with its first object

    @selfsame_ffi.register_object("rust_origin.Node")
    class Node(selfsame_ffi.Object):
        """Stateful."""

    make, value = get_global_func("rust_origin.make"), get_global_func("rust_origin.value")
    return Origin(make, value, get_global_func("rust_origin.live"), make, get_global_func("rust_origin.echo"))


def go_origin(folder) -> Origin:
    sys.path.insert(0, str(folder))
    try:
        import geo
    finally:
        sys.path.remove(str(folder))

    class Mine(geo.Point):
        """Stateful, as its base class is."""

    # No echo: an argument of a Go function lives until Go's collector has run. The tests of the examples cover that.
    return Origin(lambda i: geo.Point(i, 0.0), lambda point: point.x, live_of("geo.Point"), lambda i: Mine(i, 0.0))


class StatefulArray(selfsame_ffi.Array):
    """Stateful."""


def array_origin() -> Origin:
    return Origin(lambda i: selfsame_ffi.Array([i]), lambda a: a[0], live_of("ffi.Array"), lambda i: StatefulArray([i]))


def closure_origin() -> Origin:
    return Origin(lambda i: selfsame_ffi.convert(lambda: i), lambda f: f(), live_of("ffi.Function"))


def error_origin() -> Origin:
    return Origin(lambda i: selfsame_ffi.Error("ValueError", f"{i}"), lambda e: int(e.message), live_of("ffi.Error"))


BUILDERS = {
    **{f"C++ {release}": (lambda r=release: origins.cpp(r)) for release in origins.RELEASES},
    "Rust": origins.rust,
    "Go": origins.go,
}
LOADERS = {
    **{f"C++ {release}": (lambda path, r=release: cpp_origin(path, r)) for release in origins.RELEASES},
    "Rust": rust_origin,
    "Go": go_origin,
}
FROM_PYTHON = {"Array": array_origin, "closure": closure_origin, "Error": error_origin}


@pytest.fixture(scope="session")
def every_origin(native):
    """All origins by name, built in parallel. For an origin that cannot be built here, the Unavailable."""

    def built(name):
        try:
            return BUILDERS[name]()
        except origins.Unavailable as reason:
            return reason

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        paths = dict(zip(BUILDERS, pool.map(built, BUILDERS)))
    found: dict[str, Any] = {name: make() for name, make in FROM_PYTHON.items()}
    for name, path in paths.items():
        found[name] = path if isinstance(path, origins.Unavailable) else LOADERS[name](path)
    # Global functions are never freed. Their wrappers are kept alive, so that no test creates one.
    found["held"] = [get_global_func(name) for name in selfsame_ffi.list_global_func_names()]
    return found


@pytest.fixture(params=[*FROM_PYTHON, *BUILDERS])
def origin(request, every_origin):
    found = every_origin[request.param]
    if isinstance(found, origins.Unavailable):
        pytest.skip(str(found))
    return found


@pytest.fixture(autouse=True)
def origins_first(every_origin):
    """Builds and loads everything before the first test counts live objects."""


def test_object_comes_back_as_itself(origin, native):
    thing = origin.make(3)
    assert native.echo(thing) is thing and native.echo_packed(thing) is thing
    assert origin.echo is None or origin.echo(thing) is thing
    assert selfsame_ffi.Array([thing])[0] is thing and selfsame_ffi.Map({"x": thing})["x"] is thing
    assert native.apply(lambda value: value, thing) is thing
    assert origin.value(thing) == 3
    assert selfsame_ffi.debug.tie(thing)["record"]


def test_refetched_object_has_the_same_id(origin, native):
    before = origin.live()
    native.keep(origin.make(4))
    first = id(native.kept(0))
    noise = [origin.make(i) for i in range(50)]  # would take the address if it were free
    assert all(id(native.kept(0)) == first for _ in range(20))
    assert id(native.kept(0)) not in {id(thing) for thing in noise}
    assert origin.value(native.kept(0)) == 4
    del noise
    settle()
    assert id(native.kept(0)) == first and origin.live() == before + 1
    native.release()
    settle()
    assert origin.live() == before


def test_state_outlives_a_drop(origin, native):
    if origin.stateful is None:
        pytest.skip("its wrapper class has no state")
    thing = origin.stateful(5)
    thing.note = ["mine"]
    gone = weakref.ref(thing)
    native.keep(thing)
    cls = type(thing)
    del thing
    settle()
    again = native.kept(0)
    assert again is gone() and again.note == ["mine"] and type(again) is cls and origin.value(again) == 5
    del again
    native.release()
    settle()
    assert gone() is None


def test_last_reference_may_go_on_a_native_thread(origin, native):
    before = origin.live()
    native.keep(origin.make(6))
    assert origin.value(native.kept(0)) == 6
    native.release_on_thread()
    settle()
    assert origin.live() == before


# Requirement: B6
def test_object_never_wrapped_has_no_record(origin, every_origin):
    """An object that no frontend has wrapped has no tie record."""
    thing = origin.make(1)
    records = selfsame_ffi.debug.counters()["records"]
    pair = selfsame_ffi.Array([thing, thing])
    assert selfsame_ffi.debug.counters()["records"] == records + 1  # the Array's own
    del pair
    assert selfsame_ffi.debug.counters()["records"] == records


def test_objects_of_every_origin_own_one_another(every_origin, native):
    """Each origin's objects in fields and containers of another's."""
    things = [o.make(i) for i, o in enumerate(o for o in every_origin.values() if isinstance(o, Origin))]
    nested = selfsame_ffi.List(things)
    for name in ("C++ 0.1.0", "C++ 0.1.12", "C++ 0.1.13", "C++ installed"):
        if isinstance(every_origin[name], Origin):
            node = every_origin[name].make(0)
            node.next = nested
            assert node.next is nested
            nested = selfsame_ffi.List([node])
    while type(nested[0]) is not type(things[0]) or nested[0] is not things[0]:
        nested = nested[0].next
    assert all(mine is theirs for mine, theirs in zip(nested, things))


# ---- allocators ----


@pytest.fixture(scope="session")
def allocator_library(native):
    library = ctypes.CDLL(str(origins.c("allocator")))
    for name in ("allocator_live", "allocator_made"):
        getattr(library, name).restype = ctypes.c_int64
    return library


@pytest.fixture
def allocator(allocator_library):
    assert allocator_library.allocator_install() == 0
    yield allocator_library
    assert allocator_library.allocator_remove() == 0


def uses_the_process_allocator(name: str) -> bool:
    # Among the C++ headers only those of the yanked release do; the crate allocates in Rust.
    return name in FROM_PYTHON or name in ("Go", "C++ 0.1.13")


# Requirement: B2
@pytest.mark.parametrize("name", [*FROM_PYTHON, *BUILDERS])
def test_memory_comes_from_the_custom_allocator(name, every_origin, allocator, native):
    origin = every_origin[name]
    if isinstance(origin, origins.Unavailable):
        pytest.skip(str(origin))
    made, live = allocator.allocator_made(), allocator.allocator_live()
    thing = origin.make(7)
    used = allocator.allocator_made() - made
    native.keep(thing)
    assert allocator.allocator_remove() == 0  # it still frees the objects that it made
    first = id(thing)
    del thing
    assert id(native.kept(0)) == first and native.echo(native.kept(0)) is native.kept(0)
    assert origin.value(native.kept(0)) == 7
    native.release_on_thread()
    settle()
    assert (used > 0) == uses_the_process_allocator(name)
    assert allocator.allocator_live() == live


# Requirement: B4
def test_objects_of_two_allocators_coexist(every_origin, allocator, native):
    origin = every_origin["C++ 0.1.13"]
    if isinstance(origin, origins.Unavailable):
        pytest.skip(str(origin))
    made = allocator.allocator_made()
    ours = origin.make(1)
    assert allocator.allocator_made() == made + 1
    allocator.allocator_remove()
    builtin = origin.make(2)
    ours.next = builtin
    native.keep(ours)
    del ours, builtin
    settle()
    assert native.kept(0).next is native.kept(0).next and native.kept(0).next.value == 2
    native.release()


# ---- static storage ----


def test_static_object_without_a_deleter_has_identity(native):
    first = native.static_object
    assert native.static_node() is first and native.echo(first) is first
    assert selfsame_ffi.Array([first])[0] is first
    assert selfsame_ffi.debug.tie(first)["record"]
