"""Cycles through native objects with several owners, and cycles of native objects alone, are freed by one collection.

The tests end with `gone`, which checks that one collection leaves as many objects, wrappers and records as before.
"""

# Requirement: C9

import ctypes
import gc
import sys
import time
import weakref

import pytest
import selfsame_ffi
from waiting import PATIENCE


def counts(native):
    counters = selfsame_ffi.debug.counters()
    del counters["releases_queued"]
    return {"natives": native.live(), "runtime": selfsame_ffi.debug.live_objects(), **counters}


@pytest.fixture
def gone(native):
    """A function that fails unless one collection frees all that the test made."""
    gc.collect()
    before = counts(native)

    def check():
        gc.collect()
        assert counts(native) == before

    return check


@pytest.fixture(params=["lean", "stateful", "published header"])
def make(request, native):
    """Makes an object with fields x and any, of a lean class, a stateful one, and one of the published headers."""
    if request.param == "lean":
        return native.Plain
    if request.param == "stateful":
        return native.StatefulPlain
    return lambda: native.Node(None)


def test_self_reference_is_collected(make, gone):
    a = make()
    a.x = a
    gc.collect()
    assert a.x is a
    del a
    gone()


def test_pair_is_collected(make, gone):
    a, b = make(), make()
    a.x, b.x = b, a
    gc.collect()
    assert a.x.x is a
    del a, b
    gone()


@pytest.mark.parametrize("kind", ["list", "converted", "dict", "dense dict", "map"])
def test_pair_through_containers_is_collected(make, gone, kind):
    a, b = make(), make()
    wrap = {
        "list": lambda v: selfsame_ffi.List([1, v]),
        "converted": lambda v: [v, "x"],
        "dict": lambda v: selfsame_ffi.Dict({"k": v}),
        "dense dict": lambda v: selfsame_ffi.Dict({i: v for i in range(20)}),
        "map": lambda v: selfsame_ffi.Map({"k": [v]}),
    }[kind]
    a.any = wrap(b)
    b.any = wrap(a)
    gc.collect()
    assert b.any[1 if kind == "list" else {"dict": "k", "map": "k"}.get(kind, 0)] is not None
    del a, b
    gone()


def test_list_and_dict_in_themselves_are_collected(native, gone):
    items = selfsame_ffi.List([])
    items.append(items)
    table = selfsame_ffi.Dict({})
    table["me"] = table
    table["list"] = items
    items.append(table)
    del items, table
    gone()


def test_tree_with_links_to_the_parents_is_collected(make, gone):
    def grow(depth):
        node = make()
        node.any = selfsame_ffi.List([grow(depth - 1) for _ in range(3)] if depth else [])
        for child in node.any:
            child.x = node
        return node

    root = grow(4)
    gc.collect()
    assert root.any[1].any[2].x.x is root
    leaf = root.any[1].any[2]
    del root
    gc.collect()
    assert leaf.x.x.any[1].any[2] is leaf  # one reference keeps the whole tree
    del leaf
    gone()


def test_ring_of_many_is_collected(make, gone):
    nodes = [make() for _ in range(2000)]
    for one, other in zip(nodes, nodes[1:] + nodes[:1]):
        one.x = other
    del nodes, one, other
    gone()


def test_cycle_of_two_wrappers_and_three_natives_is_collected(native, gone):
    Stateful = native.StatefulPlain
    a, middle, b = Stateful(), native.Plain(), Stateful()
    a.x, middle.x, b.x = middle, b, a
    a.friend, b.friend = b, a
    del middle
    ref = weakref.ref(a)
    gc.collect()
    assert a.x.x is b and b.x is a
    del b
    gc.collect()
    assert a.friend.friend is a and a.x.x is a.friend
    del a
    gc.collect()
    assert ref() is None
    gone()


def test_native_with_two_owners_is_collected(native, gone):
    Stateful = native.StatefulPlain
    a, b, shared = Stateful(), Stateful(), Stateful()
    a.x, b.x = shared, shared
    shared.any = [a, b]
    shared.note = "kept"
    del a, shared
    gc.collect()
    assert b.x.note == "kept" and b.x.any[0].x is b.x
    del b
    gone()


def test_closures_in_a_cycle_are_collected(native, gone):
    a, b = native.Plain(), native.Plain()
    b.x = a
    a.any = [b, lambda a=a: a, {"k": lambda b=b: b}]
    gc.collect()
    assert a.any[0] is b and a.any[1]() is a
    del a, b
    gone()


def test_opaque_value_in_a_cycle_is_collected(native, gone):
    class Thing:
        pass

    thing = Thing()
    a, b = native.Plain(), native.Plain()
    thing.a, thing.b = a, b
    a.x, b.x = b, a
    b.any = selfsame_ffi.List([thing])
    ref = weakref.ref(thing)
    del a, b
    gc.collect()
    assert thing.b.any[0] is thing
    del thing
    gone()
    assert ref() is None


def test_error_whose_context_leads_back_is_collected(native, gone):
    class Own(Exception):
        pass

    def fail():
        raise Own("x")

    a, b = native.Plain(), native.Plain()
    a.x, b.x = b, a
    error = native.catch_value(fail)
    a.any = error
    try:
        raise Own("y")
    except Own as exc:
        exc.owner = b
        kept = exc

    def fail_again(kept=kept):
        raise kept

    b.any = native.catch_value(fail_again)
    del a, b, error, kept, fail_again
    gone()


def test_function_that_keeps_itself_is_collected(native, gone):
    class Target:
        def __call__(self):
            return None

    target = Target()
    target.function = selfsame_ffi.convert(target)
    target.table = selfsame_ffi.Dict({"f": target.function})
    target.table["again"] = target.table
    del target
    gone()


def test_held_wrappers_with_several_owners_go_in_one_collection(native, gone):
    Stateful = native.StatefulPlain
    for depth in (1, 5, 30):
        shared = Stateful()
        shared.note = 1
        for _ in range(depth):  # each level owns the one below three times
            upper = Stateful()
            upper.x, upper.any = shared, [shared, shared]
            upper.note = 2
            shared = upper
        native.keep([shared, shared])
        del shared, upper
        gc.collect()
        assert native.kept(0)[0].note == 2
        native.release()
        gc.collect()
    gone()


class PlainPython:
    """Has the attributes of `native.Plain` that the next test uses."""


def test_del_sees_what_it_sees_in_plain_python(native, gone):
    """In a finalizer the cycle is whole. Weak references are cleared before, and from CPython 3.15 on after it."""

    def seen(base):
        log = []

        class Loud(base):
            def __del__(self):
                log.append((self.i, self.x is not None, ref_a() is None, ref_b() is None))

        a, b = Loud(), Loud()
        a.i, b.i = 1, 2
        a.x, b.x = b, a
        ref_a, ref_b = weakref.ref(a), weakref.ref(b)
        gc.collect()
        assert ref_a() is a and log == []
        del a, b
        gc.collect()
        assert ref_a() is None and ref_b() is None
        return sorted(log)

    of_python, of_native = seen(PlainPython), seen(native.Plain)
    assert len(of_native) == 2 and of_native == of_python
    gc.collect()
    gone()


def test_del_that_reads_the_cycle_does_not_put_off_its_end(native):
    class Reads(native.Plain):
        def __del__(self):
            assert self.x.x is self
            refs[0]()

    lasting = object()
    before = sys.getrefcount(lasting)
    a, b = Reads(), Reads()
    a.x, b.x, a.holds = b, a, lasting
    refs = [weakref.ref(a), weakref.ref(b)]
    gc.collect()
    del a, b
    gc.collect()
    assert sys.getrefcount(lasting) == before


def test_del_that_stores_a_member_keeps_the_cycle(native, gone):
    class Clingy(native.Plain):
        def __del__(self):
            if self.i == 1:
                native.keep(self)

    a, b = Clingy(), Clingy()
    a.i, b.i = 1, 2
    a.note, b.note = "a", "b"
    a.x, b.x = b, a
    del a, b
    gc.collect()
    kept = native.kept(0)
    assert (kept.note, kept.x.note) == ("a", "b") and kept.x.x is kept
    native.release()
    del kept, Clingy
    gc.collect()
    gone()


@pytest.mark.parametrize("others", [0, 2])
@pytest.mark.parametrize("field", ["items", "table"])
def test_cycle_through_a_field_that_cannot_be_none_is_collected(native, gone, field, others):
    """The field is an Array or a Map of the published headers; the class's own setter takes one without elements."""
    nodes = [native.Node(None) for _ in range(others + 1)]
    with pytest.raises(TypeError):
        setattr(nodes[0], field, None)
    for i, node in enumerate(nodes):
        before = nodes[i - 1]
        setattr(node, field, [before, before] if field == "items" else {"k": before, before: 1})
    gc.collect()
    assert getattr(nodes[0], field)[0 if field == "items" else "k"] is nodes[-1]
    del nodes, node, before
    gone()


def test_cycle_is_kept_while_native_code_owns_a_member(native, make, gone):
    nodes = [make() for _ in range(6)]
    for i, node in enumerate(nodes):
        node.x = nodes[i - 1]
        node.any = selfsame_ffi.List([nodes[i - 2], nodes[i - 3]])
        node.i = i
    native.keep(nodes[3])
    del nodes, node
    gc.collect()
    walk = native.kept(0)
    for i in (2, 1, 0, 5, 4, 3):
        walk = walk.x
        assert walk.i == i and walk.any[0].i == (i - 2) % 6
    del walk
    native.release()
    gone()


def test_cycle_is_kept_while_there_is_a_native_weak_reference(native, gone):
    Stateful = native.StatefulPlain
    a, b = Stateful(), Stateful()
    a.x, b.x = b, a
    a.note = "still here"
    native.weak_set(b)
    del a, b
    gc.collect()
    assert native.weak_get().x.note == "still here"
    native.weak_clear()
    gone()


def test_pointer_that_owns_nothing_is_no_owner(native, gone):
    Stateful = native.StatefulPlain
    target = Stateful()
    target.note = "kept natively"
    raw = native.Raw(target)
    raw.maybe = native.Plain()
    raw.maybe.any = [raw]
    native.keep(target)  # as many owners as there would be if `raw` were one
    ref = weakref.ref(target)
    del raw, target
    gc.collect()
    assert ref() is native.kept(0) and ref().note == "kept natively"
    native.release()
    gone()


@pytest.mark.parametrize("field", ["maybe", "either"])
def test_cycle_through_optional_or_variant_is_collected(native, gone, field):
    raw = native.Raw(native.static_object)
    setattr(raw, field, raw)
    gc.collect()
    assert getattr(raw, field) is raw
    del raw
    gone()


def test_cycle_through_a_member_in_front_of_the_header_is_collected(native, gone):
    assert native.Odd.__dict__["front"].offset < 0
    node = native.Node(None)
    node.any = native.odd_before(node)  # twice the same object, which has no wrapper
    del node
    gone()


def test_cycle_through_a_native_at_the_end_of_its_memory_is_collected(native, gone):
    node = native.Node(None)
    node.any = native.last_of_page(node)  # twice the same object, which has no wrapper
    del node
    gone()


def test_cycle_through_a_field_with_two_names_is_collected(native, gone):
    odd = native.Odd()
    odd.x = odd
    assert odd.seen is odd
    with pytest.raises(AttributeError, match="read-only"):
        odd.seen = None
    del odd
    gone()


def test_cycle_is_collected_after_gc_freeze(native, gone):
    gc.freeze()
    try:
        a = native.Plain()
        a.x = a
        del a
        gone()
    finally:
        gc.unfreeze()
        gc.freeze()  # as the fixture ``frozen`` left it


def test_cycle_is_collected_without_the_gc_callback(native, gone):
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()
    try:
        a, b = native.StatefulPlain(), native.StatefulPlain()
        a.x, b.x = b, a
        del a, b
        gc.collect()  # without a "stop", the next collection ends this one
        gone()
    finally:
        gc.callbacks[:] = callbacks


def test_gc_introspection_changes_nothing(native):
    a, b = native.Plain(), native.Plain()
    a.x, b.x = b, a
    for _ in range(3):
        gc.get_referrers(a)
        gc.get_referents(a, b)
        gc.collect()
    assert a.x is b
    a.x = None


# ---- native threads ----


def test_native_thread_may_break_a_cycle_during_a_collection(native, gone):
    Stateful = native.StatefulPlain
    refs = []
    for i in range(60):
        a, b = Stateful(), Stateful()
        a.x, b.x = b, a
        a.note = b.note = i
        refs += [weakref.ref(a), weakref.ref(b)]
        native.break_later(a, 50 * (i % 20))
        del a, b
        gc.collect()
        for ref in refs:
            assert ref() is None or ref().note is not None
    deadline = time.monotonic() + PATIENCE
    while any(ref() is not None for ref in refs) and time.monotonic() < deadline:
        gc.collect()
    assert [ref for ref in refs if ref() is not None] == []
    gone()


def test_native_thread_may_change_a_graph_during_a_collection(native, gone):
    Stateful = native.StatefulPlain
    owner = Stateful()
    owner.note = "in use natively"
    friend = Stateful()
    friend.x = owner
    owner.any = [friend]
    friend.note = "reached natively"
    ref = weakref.ref(owner)
    native.churn_start(owner)
    del owner, friend
    for i in range(40):
        garbage = Stateful()
        garbage.x = garbage
        garbage.any = [garbage, i]
        del garbage
        gc.collect()
        assert ref().note == "in use natively"
        assert ref().any[0].note == "reached natively"
    native.churn_stop()
    gc.collect()
    assert ref() is None
    gone()


def test_code_that_runs_while_cycles_are_cleared_does_not_end_the_collection(native):
    """A callable that the collector does not know dies while its owner is cleared; its code runs pending calls."""

    class Untracked:
        def __init__(self):
            ctypes.pythonapi.PyObject_GC_UnTrack(ctypes.py_object(self))

        def __call__(self):
            raise AssertionError

        def __del__(self):
            for _ in range(1000):
                died.append(None)

    class Stateful(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

    died, before = [], native.live()
    for _ in range(20):
        one, other = Stateful(), Stateful()
        one.x, other.x = other, one
        one.any = one.function = selfsame_ffi.convert(Untracked())
    del one, other
    gc.collect()
    assert len(died) == 20 * 1000
    assert native.live() == before
