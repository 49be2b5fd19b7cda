"""Cycles through native objects that one wrapper owns alone are collected.

The collector follows fields whose memory is known (_core/gc/owned_fields.h), elements of containers, closures, errors
and opaque values.
"""

# Requirement: C9

import gc
import weakref

import pytest
import selfsame_ffi


class Target:
    """A Python callable with weak references and attributes."""

    def __call__(self):
        return None


def collected(ref):
    """Whether one collection frees the object."""
    gc.collect()
    return ref() is None


def test_function_and_its_callable_are_collected():
    target = Target()
    target.function = selfsame_ffi.convert(target)
    ref = weakref.ref(target)
    del target
    assert collected(ref)


def cycle(native):
    """A Target and a Plain that own each other, and a weak reference to the Target."""
    target, owner = Target(), native.Plain()
    target.owner, owner.any = owner, target
    return target, owner, weakref.ref(target)


@pytest.mark.parametrize("how", ["x", "any", "array", "deep"])
def test_cycle_through_a_field_is_collected(native, how):
    target = Target()
    owner = native.Plain()
    target.owner = owner
    if how == "x":
        owner.x = selfsame_ffi.convert(target)
    elif how == "any":
        owner.any = target
    elif how == "array":
        owner.any = [1, "text", [target]]
    else:
        inner = native.Plain()
        inner.any = [target]
        owner.x = inner
        del inner
    ref = weakref.ref(target)
    gc.collect()
    assert ref() is target
    del owner, target
    assert collected(ref)


@pytest.mark.parametrize("how", ["list", "dict", "map", "dict key", "dense dict", "deep"])
def test_cycle_through_a_container_is_collected(native, how):
    target = Target()
    owner = native.Plain()
    target.owner = owner
    if how == "list":
        owner.x = selfsame_ffi.List([1, target])
    elif how == "dict":
        owner.x = selfsame_ffi.Dict({"a": 1, "b": target})
    elif how == "map":
        owner.x = selfsame_ffi.Map({"a": target})
    elif how == "dict key":
        owner.x = selfsame_ffi.Dict({selfsame_ffi.convert(target): 1})
    elif how == "dense dict":
        owner.x = selfsame_ffi.Dict({i: target if i == 17 else [i] for i in range(40)})
    else:
        owner.x = selfsame_ffi.List([selfsame_ffi.Dict({"k": selfsame_ffi.Map({1: selfsame_ffi.List([target])})})])
    ref = weakref.ref(target)
    gc.collect()
    assert ref() is target
    del owner, target
    assert collected(ref)


@pytest.mark.parametrize("how", ["x", "any", "items"])
def test_cycle_through_a_field_of_a_published_header_is_collected(native, how):
    target = Target()
    owner = native.Node(None)
    target.owner = owner
    if how == "x":
        owner.x = selfsame_ffi.convert(target)
    elif how == "any":
        owner.any = target
    else:
        owner.items = [target]
    ref = weakref.ref(target)
    gc.collect()
    assert ref() is target
    del owner, target
    assert collected(ref)


def test_cycle_through_an_opaque_value_is_collected(native):
    class Thing:
        pass

    thing = Thing()
    thing.owner = native.Plain()
    thing.owner.any = [thing]
    ref = weakref.ref(thing)
    del thing
    assert collected(ref)


def test_cycle_is_kept_while_native_code_owns_it(native):
    target, owner, ref = cycle(native)
    native.keep(owner)
    del owner, target
    gc.collect()
    assert ref() is not None
    assert ref().owner is native.kept(0)
    native.release()
    assert collected(ref)


def test_cycle_is_kept_while_python_owns_it(native):
    target, owner, ref = cycle(native)
    del target
    gc.collect()
    assert ref() is not None and ref().owner is owner
    del owner
    assert collected(ref)


def test_cycle_with_a_stateful_owner_is_collected(native):
    rich = type("RichPlain", (native.Plain,), {})()
    rich.me = rich
    rich.any = (lambda owner: lambda: owner)(rich)
    ref = weakref.ref(rich)
    del rich
    assert collected(ref)


def test_cycle_is_kept_while_there_is_a_native_weak_reference(native):
    # Another thread might promote the weak reference and change the object while the collector reads it.
    target, owner, ref = cycle(native)
    native.weak_set(owner)
    del owner, target
    gc.collect()
    assert ref() is not None
    native.weak_clear()
    assert collected(ref)
