"""Dropping all references brings the numbers of live native objects and wrappers back to those before.

Every test of the suite checks this at its end (conftest.balanced). These tests take paths that no other test takes.
"""

# Requirements: C8, I10

import gc
import threading
from typing import Any

import pytest
import selfsame_ffi
from selfsame_ffi import dataclasses


def test_many_fetches_keep_one_block(native):
    owner = native.Node(native.Leaf(1))
    before = selfsame_ffi.debug.counters()
    for _ in range(10000):
        assert owner.x is not None
    after = selfsame_ffi.debug.counters()
    assert after["records"] <= before["records"] + 1
    assert after["kept_blocks"] <= before["kept_blocks"] + 1


def test_dying_native_frees_its_kept_block(native):
    before = selfsame_ffi.debug.counters()
    for i in range(100):
        owner = native.Node(native.Leaf(i))
        assert owner.x.value == i
    del owner
    after = selfsame_ffi.debug.counters()
    assert after["kept_blocks"] == before["kept_blocks"]
    assert after["records"] == before["records"]


def test_release_on_a_native_thread_frees_the_block(native):
    before = selfsame_ffi.debug.counters()
    for i in range(20):
        native.keep(native.Leaf(i))
    assert selfsame_ffi.debug.counters()["kept_blocks"] == before["kept_blocks"] + 20
    native.release_on_thread()
    after = selfsame_ffi.debug.counters()
    assert after["kept_blocks"] == before["kept_blocks"]
    assert after["records"] == before["records"]
    assert after["releases_queued"] >= before["releases_queued"] + 20


def test_callable_released_on_a_native_thread_is_freed(native):
    import weakref

    class Callable:
        def __call__(self):
            return 1

    target = Callable()
    ref = weakref.ref(target)
    native.keep(target)
    assert native.kept(0)() == 1
    del target
    assert ref() is not None
    native.release_on_thread()
    selfsame_ffi.debug.counters()  # a call from Python runs the deferred releases
    assert ref() is None


def test_opaque_value_released_on_a_native_thread_is_freed(native):
    import weakref

    class Thing:
        pass

    thing = Thing()
    ref = weakref.ref(thing)
    native.keep(thing)
    del thing
    native.release_on_thread()
    selfsame_ffi.debug.counters()
    assert ref() is None


def test_failed_calls_release_their_temporaries(native):
    for _ in range(50):
        try:
            native.add_one([1, 2, 3])
        except TypeError:
            pass
        try:
            native.count_args([1], "text" * 5, 1 << 70)
        except OverflowError:
            pass


def test_results_that_cannot_be_converted_are_released(native):
    for _ in range(20):
        try:
            native.bad_text()
        except UnicodeDecodeError:
            pass


def counts(native):
    counters = selfsame_ffi.debug.counters()
    del counters["releases_queued"]
    return {"natives": native.live(), **counters}


def grow(native, depth):
    """A root that owns a chain of stateful objects, through plain fields, Arrays and fields with getters."""
    root = node = native.Plain()
    for i in range(depth):
        child = native.StatefulPlain()
        child.depth = i
        if i % 3 == 0:
            node.x = child
        elif i % 3 == 1:
            node.any = [child]
        else:
            middle = native.Node(None)
            middle.items = [child]
            node.x = middle
        node = child
    return root


@pytest.mark.parametrize("depth", [1, 10, 1000])
def test_dropped_tree_of_held_wrappers_goes_at_once(native, depth):
    gc.disable()
    try:
        before = counts(native)
        root = grow(native, depth)
        assert counts(native)["held"] == before["held"] + depth
        del root
        assert counts(native) == before
    finally:
        gc.enable()


@pytest.mark.parametrize("depth", [1, 10, 1000])
def test_tree_dropped_by_native_code_goes_in_one_collection(native, depth):
    before = counts(native)
    native.keep(grow(native, depth))
    native.release()
    gc.collect()
    assert counts(native) == before


def test_used_inner_node_keeps_its_subtree(native):
    root = native.Plain()
    root.x = native.StatefulPlain()
    inner = root.x
    inner.x = native.StatefulPlain()
    inner.x.note = "leaf"
    inner.note = "inner"
    del root
    gc.collect()
    assert (inner.note, inner.x.note) == ("inner", "leaf")


def test_subtree_of_native_code_is_kept(native):
    root = native.Plain()
    root.x = native.StatefulPlain()
    root.x.x = native.StatefulPlain()
    root.x.x.note = "leaf"
    native.keep(root.x)
    del root
    gc.collect()
    assert native.kept(0).x.note == "leaf"
    native.release()


def test_del_runs_once_for_each_node_of_a_tree(native):
    log = []

    class Loud(native.Plain):
        def __del__(self):
            log.append(self.i)

    root = native.Plain()
    node = root
    for i in range(10):
        child = Loud()
        child.i = i
        node.x = child
        node = child
    del node, child
    gc.collect()
    assert log == []
    del root
    gc.collect()
    assert sorted(log) == list(range(10))
    del Loud


LONG = 200_000  # far more than the C stack has room for, if each took one frame


def in_opaque_values(native, before):
    return selfsame_ffi.opaque(before)


def in_callbacks(native, before):
    """Each lean object owns a Function of a bound method of the previous one."""
    made = native.Node(None)
    made.any = selfsame_ffi.convert(before.__repr__)
    return made


def in_fields(native, before):
    return native.Node(before)


def in_fields_with_attributes(native, before):
    made = native.StatefulPlain()
    made.x = before
    made.note = 1
    return made


@pytest.mark.parametrize("link", [in_opaque_values, in_callbacks, in_fields, in_fields_with_attributes])
def test_long_chain_is_freed_without_recursion(native, link):
    """CPython's own protection from deep recursion does not cover these links."""
    before = counts(native)
    chain = None
    for _ in range(LONG):
        chain = link(native, chain)
    del chain
    assert counts(native) == before


def from_a_field(native, first):
    owner = native.Node(first)
    return lambda: setattr(owner, "x", None)


def from_a_declared_field(native, first):
    owner = Link(first)
    return lambda: setattr(owner, "before", None)


def with_a_container(native, first):
    owners = [selfsame_ffi.Array([first])]
    return owners.clear


def from_a_list(native, first):
    return selfsame_ffi.List([first]).clear


def from_a_list_item(native, first):
    owner = selfsame_ffi.List([first])
    return lambda: owner.__setitem__(0, None)


def from_a_dict(native, first):
    return selfsame_ffi.Dict({"first": first}).clear


def from_a_dict_item(native, first):
    owner = selfsame_ffi.Dict({"first": first})
    return lambda: owner.__setitem__("first", None)


def from_code_in_cpp(native, first):
    native.keep(first)
    return native.release


OWNERS_OF_CHAINS = [
    from_a_field, from_a_declared_field, with_a_container, from_a_list, from_a_list_item, from_a_dict, from_a_dict_item,
    from_code_in_cpp,
]  # fmt: skip


@pytest.mark.parametrize("owner", OWNERS_OF_CHAINS)
def test_long_chain_that_an_owner_drops_takes_no_stack(native, owner):
    before = counts(native)
    first = None
    for _ in range(LONG):
        first = native.Node(first)
    drop = owner(native, first)
    del first
    drop()
    del drop
    assert counts(native) == before


def causes(native, before):
    return selfsame_ffi.Error("ValueError", "m", "", before)


def nested_lists(native, before):
    return selfsame_ffi.List([before])


def nested_maps(native, before):
    return selfsame_ffi.Map({"x": before})


@dataclasses.py_class("tests.no_leaks.Link")
class Link(selfsame_ffi.Object):
    before: Any


def declared_objects(native, before):
    return Link(before)


def closures(native, before):
    return selfsame_ffi.convert(lambda: before)


def tensors_over_tensors(native, before):
    if before is None:
        return selfsame_ffi.from_dlpack(pytest.importorskip("numpy").zeros(2))
    return selfsame_ffi.from_dlpack(before._to_dlpack())


@pytest.mark.parametrize("link", [causes, nested_lists, nested_maps, declared_objects, closures, tensors_over_tensors])
def test_long_chain_is_freed_on_a_small_stack(native, link):
    before = counts(native)
    chain = None
    for _ in range(LONG):
        chain = link(native, chain)
    last = [chain]
    del chain
    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=last.clear)
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    gc.collect()
    assert counts(native) == before
