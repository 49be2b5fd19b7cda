"""The id is the same after every reference was dropped and the object was fetched again."""

# Requirement: C2

import gc

import pytest
import selfsame_ffi


@pytest.mark.parametrize("make", ["Node", "Plain"])
def test_refetched_object_has_the_same_id(native, make):
    if make == "Node":
        owner = native.Node(native.Leaf(3))
    else:
        owner = native.Plain()
        owner.x = native.Leaf(3)
    first = id(owner.x)
    noise = []
    for i in range(200):
        noise.append(native.Leaf(i))  # would take the address if it were free
        assert id(owner.x) == first
        assert owner.x.value == 3
    del noise
    gc.collect()
    assert id(owner.x) == first
    assert selfsame_ffi.debug.tie(owner.x)["state"] == "Active"


def test_kept_blocks_are_counted_and_freed(native):
    before = selfsame_ffi.debug.counters()
    owner = native.Node(native.Leaf(3))
    assert owner.x.value == 3
    after = selfsame_ffi.debug.counters()
    assert after["kept_blocks"] == before["kept_blocks"] + 1
    assert after["kept_bytes"] > before["kept_bytes"]
    assert after["wrappers"] == before["wrappers"] + 1
    del owner
    assert selfsame_ffi.debug.counters()["kept_blocks"] == before["kept_blocks"]


def test_kept_block_is_used_for_its_own_type_only(native):
    class Special(native.Leaf):
        __slots__ = ()

    owner = native.Node(Special(1))
    assert type(owner.x) is Special
    first = id(owner.x)
    owner.i = 5
    assert id(owner.x) == first
    assert type(owner.x) is Special
    plain_owner = native.Node(native.Leaf(2))
    assert type(plain_owner.x) is native.Leaf
    del owner, plain_owner, Special


def test_types_keep_their_reference_count(native):
    import sys

    class Special(native.Leaf):
        __slots__ = ()

    def references():
        gc.collect()  # without the GIL each thread counts its references to a type apart, and a collection adds them up
        return sys.getrefcount(Special)

    before = references()
    owner = native.Node(Special(1))
    for _ in range(50):
        assert owner.x.value == 1
    assert references() == before + 1  # the kept block refers to its type
    del owner
    assert references() == before


def test_dropped_elements_keep_their_ids(native):
    array = selfsame_ffi.Array([native.Leaf(i) for i in range(20)])
    ids = [id(array[i]) for i in range(20)]
    assert len(set(ids)) == 20
    gc.collect()
    assert [id(array[i]) for i in range(20)] == ids


def test_function_keeps_release_gil_after_drop(native):
    native.keep(selfsame_ffi.convert(lambda: 1))
    native.kept(0).release_gil = False
    first = id(native.kept(0))
    assert native.kept(0).release_gil is False
    assert id(native.kept(0)) == first
    native.release()
