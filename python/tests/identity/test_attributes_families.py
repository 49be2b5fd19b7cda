"""For every wrapper family, state, weak references and the class survive drop and refetch, and ``__del__`` runs once.

An object that only Python owns is freed at once; one that was shared is freed by the first collection after its other
owners are gone. Each test runs for a subclass, and for a subclass of a subclass.

A class that Python cannot call gets its native object by ``__move_handle_from__``, as in other packages.
"""

# Requirement: C7

from __future__ import annotations

import gc
import weakref

import families
import pytest
import selfsame_ffi
from waiting import wait_for_queue


@pytest.fixture(scope="module")
def make_any(native):
    return families.makers(native)


@pytest.fixture(params=families.FAMILIES)
def family(request):
    return request.param


@pytest.fixture
def base(family, native, make_any):
    """The Python class of the family's native objects."""
    return type(make_any[family]())


@pytest.fixture(autouse=True)
def nothing_kept(native, make_any):
    """Native code keeps nothing after a test that failed, so that the next test can pass."""
    yield
    native.release()


def make(cls, family, make_any):
    """A wrapper of the class `cls` for a new native object of the family; it is the only owner."""
    if family in families.CONSTRUCTED:
        return families.CONSTRUCTED[family](cls)
    thing = cls.__new__(cls)
    thing.__move_handle_from__(make_any[family]())
    return thing


def fetch(native, family, ref):
    """The object that native code keeps, fetched again."""
    if family != "opaque":
        return native.kept(0)
    native.kept(0)  # returns the Python value; only the weak reference leads to the wrapper
    return ref()


def subclass(base, depth, **body):
    for _ in range(depth):
        base = type("Mine", (base,), dict(body))
        body = {}
    return base


def has_dict(base):
    return base.__dictoffset__ != 0


DEPTHS = (1, 2)  # a subclass, and a subclass of it


def test_dict_survives(native, family, base, make_any):
    for depth in DEPTHS:
        cls = subclass(base, depth)
        thing = make(cls, family, make_any)
        thing.note = note = ["mine"]
        ref, address = weakref.ref(thing), id(thing)
        native.keep(thing)
        del thing
        for _ in range(3):
            gc.collect()
            again = fetch(native, family, ref)
            assert again is ref() and id(again) == address and type(again) is cls
            assert again.note is note and again.__dict__ == {"note": note}
            del again
        native.release()


def test_slots_survive(native, family, base, make_any):
    for depth in DEPTHS:
        slots = ("slot", "other") if base.__weakrefoffset__ else ("slot", "other", "__weakref__")
        cls = subclass(base, depth, __slots__=slots)
        thing = make(cls, family, make_any)
        thing.slot = slot = ["mine"]
        ref = weakref.ref(thing)
        native.keep(thing)
        del thing
        for n in range(3):
            gc.collect()
            again = fetch(native, family, ref)
            assert again is ref() and type(again) is cls and again.slot is slot
            assert getattr(again, "other", None) == (n - 1 if n else None)
            again.other = n
            del again
        native.release()


def test_class_of_a_lean_subclass_survives(native, family, base, make_any):
    """A dropped lean wrapper leaves only its address and its class."""
    if has_dict(base):
        pytest.skip("the base has a __dict__, so none of its subclasses is without state")
    for depth in DEPTHS:
        cls = base
        for _ in range(depth):
            cls = type("Lean", (cls,), {"__slots__": ()})
        thing = make(cls, family, make_any)
        address = id(thing)
        native.keep(thing)
        assert not hasattr(thing, "__dict__") and selfsame_ffi.debug.tie(thing)["stateful"] is False
        del thing
        for _ in range(0 if family == "opaque" else 3):  # see fetch
            gc.collect()
            again = native.kept(0)
            assert type(again) is cls and id(again) == address
            del again
        native.release()


def test_weak_reference_survives_and_calls_back_once(native, family, base, make_any):
    for depth in DEPTHS:
        cls = subclass(base, depth)
        thing = make(cls, family, make_any)
        gone = []
        ref = weakref.ref(thing, lambda _, gone=gone: gone.append("gone"))
        native.keep(thing)
        del thing
        for _ in range(3):
            gc.collect()
            assert fetch(native, family, ref) is ref() is not None and not gone
        native.release()
        gc.collect()
        assert ref() is None and gone == ["gone"]


@pytest.mark.parametrize("on_thread", [False, True])
def test_del_runs_once_for_a_shared_object(native, family, base, make_any, on_thread):
    """At the first collection after native code released the object, on any thread."""
    for depth in DEPTHS:
        log = []
        cls = subclass(base, depth, __del__=lambda self, log=log: log.append(self.note))
        thing = make(cls, family, make_any)
        thing.note = "said"
        ref = weakref.ref(thing)
        native.keep(thing)
        del thing
        for _ in range(5):
            assert fetch(native, family, ref).note == "said"
            gc.collect()
        assert log == []
        before = native.live()
        if on_thread:
            native.release_on_thread()
            wait_for_queue()
        else:
            native.release()
        gc.collect()
        assert log == ["said"] and ref() is None
        assert native.live() == before - (family == "object")
        gc.collect()
        assert log == ["said"]


def test_unshared_object_dies_at_once(native, family, base, make_any):
    """No collection is needed for an object that only Python owns, even if it was shared before."""
    for depth in DEPTHS:
        log = []
        cls = subclass(base, depth, __del__=lambda self, log=log: log.append("del"))
        gc.collect()
        gc.disable()
        try:
            for shared_before in (False, True):
                thing = make(cls, family, make_any)
                thing.note = 1
                ref = weakref.ref(thing)
                if shared_before:
                    native.keep(thing)
                    native.release()
                    native.type_index_of(thing)  # a crossing: Python sees that there is no other owner
                assert selfsame_ffi.debug.tie(thing)["state"] == "Active"
                del thing
                assert ref() is None and log == ["del"]
                log.clear()
        finally:
            gc.enable()


def test_cycle_through_state_is_collected(native, family, base, make_any):
    """An attribute that refers to its own wrapper: freed when the native object has no other owner."""
    for depth in DEPTHS:
        cls = subclass(base, depth)
        thing = make(cls, family, make_any)
        thing.me = thing
        ref = weakref.ref(thing)
        native.keep(thing)
        del thing
        gc.collect()
        assert ref() is not None and ref().me is ref()
        native.release()
        gc.collect()
        assert ref() is None


def test_instance_without_init_is_freed(native, family, base, make_any):
    """__new__ ran and __init__ did not: state without a native object."""
    log = []
    cls = subclass(base, 2, __del__=lambda self, log=log: log.append("del"))
    thing = cls.__new__(cls)
    thing.note = [1]
    ref = weakref.ref(thing)
    if family not in families.CONSTRUCTED:
        with pytest.raises(TypeError):
            cls()
        log.clear()
    del thing
    assert ref() is None and log == ["del"]


# ---- a Shape is a value ----


def test_shape_has_no_state(native):
    """A Shape is a tuple, not a wrapper: it has no attributes and no subclasses."""
    shape = selfsame_ffi.Shape((1, 2))
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (selfsame_ffi.Shape,), {})
    with pytest.raises(AttributeError):
        shape.note = 1
    with pytest.raises(TypeError):
        weakref.ref(shape)
    assert native.echo(shape) is shape
