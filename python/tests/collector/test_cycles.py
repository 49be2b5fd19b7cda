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


@pytest.mark.parametrize("kind", ["Dict", "Map"])
@pytest.mark.parametrize("walk", ["keys", "values", "items"])
@pytest.mark.parametrize("size", [1, 40])
def test_cycle_through_a_suspended_iteration_is_collected(kind, walk, size):
    target = Target()
    target.table = getattr(selfsame_ffi, kind)({i: target for i in range(size)})
    target.walk = (entry for entry in getattr(target.table, walk)())
    next(target.walk)
    ref = weakref.ref(target)
    gc.collect()
    assert ref() is target
    del target
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


@pytest.mark.parametrize("lean", [True, False])
@pytest.mark.parametrize("held", [0, 3])
def test_class_that_leads_to_its_dropped_instances_is_collected(lean, held):
    """A kept block owns a reference to its class."""

    def make():
        class Part(selfsame_ffi.Array):
            if lean:
                __slots__ = ()

        Part.registry = selfsame_ffi.List([])
        for i in range(3):
            Part.registry.append(Part([i]))
        assert [part[0] for part in Part.registry] == [0, 1, 2]
        Part.parts = list(Part.registry)[:held]
        return weakref.ref(Part)

    assert collected(make())


def test_class_of_kept_blocks_stays_while_it_is_used():
    class Part(selfsame_ffi.Array):
        __slots__ = ()

    values = selfsame_ffi.List([Part([1]), [Part([2])]])
    values.append(values)
    ref = weakref.ref(Part)
    del Part
    for _ in range(3):
        gc.collect()
        assert ref() is not None and type(values[0]) is ref() is type(values[1][0])
    assert len(values) == 3
    values.clear()
    assert collected(ref)


def test_kept_blocks_in_a_native_cycle_free_their_class():
    class Part(selfsame_ffi.List):
        __slots__ = ()

    first, second = Part([]), Part([])
    first.append(second)
    second.append(first)
    Part.first = first
    ref = weakref.ref(Part)
    del Part, first, second
    assert collected(ref)


def test_kept_block_of_an_object_with_another_owner_keeps_its_class(native):
    class Part(native.Leaf):
        __slots__ = ()

    native.keep(Part(1))
    ref = weakref.ref(Part)
    del Part
    for _ in range(3):
        gc.collect()
    assert type(native.kept(0)) is ref()
    native.release()
    assert collected(ref)


class Shares:
    """Makes cycles of an exporter of memory and a Tensor over that memory."""

    @staticmethod
    def array():
        np = pytest.importorskip("numpy")
        array = np.zeros(1000).view(type("Attributed", (np.ndarray,), {}))
        array.ffi = selfsame_ffi.from_dlpack(array)
        return array

    @staticmethod
    def two_tensors():
        array = Shares.array()
        array.other = [selfsame_ffi.from_dlpack(array)]
        return array

    @staticmethod
    def through_a_container():
        array = Shares.array()
        array.ffi = selfsame_ffi.List([selfsame_ffi.from_dlpack(array)])
        return array


@pytest.mark.parametrize("make", [Shares.array, Shares.two_tensors, Shares.through_a_container])
def test_cycle_of_an_array_and_a_tensor_over_its_memory_is_collected(make):
    array = make()
    ref = weakref.ref(array)
    gc.collect()
    assert ref() is array and array.ffi is not None
    del array
    gc.collect()
    assert collected(ref)


def test_tensor_in_use_keeps_its_array(native):
    array = Shares.array()
    ref, tensor = weakref.ref(array), array.ffi
    native.keep(tensor)
    del array
    gc.collect()
    assert ref() is not None and tensor.numpy()[0] == 0
    del tensor
    gc.collect()
    assert ref() is not None and native.kept(0).numpy()[0] == 0
    native.release()
    gc.collect()
    assert collected(ref)


def test_report_names_tensors_whose_owner_is_not_known():
    np = pytest.importorskip("numpy")
    before = selfsame_ffi.debug.report()
    array = np.zeros(1000)
    known, unknown = selfsame_ffi.from_dlpack(array), selfsame_ffi.from_dlpack(array.__dlpack__())
    grown = selfsame_ffi.debug.report() - before
    [group] = [group for group in grown.unaccounted if group.type_key == "ffi.Tensor"]
    assert (group.natives, group.owners) == (1, 1)
    assert "1 exporters of their memory" in str(group)
    del known, unknown
