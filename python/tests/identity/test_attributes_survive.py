"""Attributes, slots, weak references and the subclass are there after drop and refetch; __del__ runs once."""

# Requirement: C7

import gc
import sys
import weakref

import pytest
import selfsame_ffi
from waiting import settle


def test_attributes_survive(native):
    owner = native.Node(native.rich(1))
    owner.x.note = "hi"
    owner.x.extra = [1]
    settle()
    assert owner.x.note == "hi"
    assert owner.x.extra == [1]
    assert owner.x is owner.x
    assert selfsame_ffi.debug.tie(owner.x)["state"] == "Active"


def test_weak_reference_survives(native):
    owner = native.Node(native.rich(1))
    ref = weakref.ref(owner.x)
    settle()
    assert ref() is owner.x
    del owner
    settle()
    assert ref() is None


def test_python_subclass_survives(native):
    class Special(native.Leaf):
        pass

    special = Special(4)
    special.note = "mine"
    owner = native.Node(special)
    del special
    settle()
    assert type(owner.x) is Special
    assert owner.x.note == "mine"
    assert owner.x.value == 4
    del owner, Special
    settle()


def test_unshared_object_dies_at_once(native):
    before = native.live()
    rich = native.rich(1)
    ref = weakref.ref(rich)
    rich.note = 1
    assert selfsame_ffi.debug.tie(rich)["state"] == "Active"
    del rich
    assert ref() is None
    assert native.live() == before


def test_del_runs_once(native):
    log = []

    class Loud(native.Leaf):
        def __del__(self):
            log.append(self.value)

    owner = native.Node(Loud(4))
    for _ in range(5):
        assert owner.x.value == 4
        settle()
    assert log == []
    del owner
    settle()
    assert log == [4]


def test_del_runs_once_for_an_unshared_object(native):
    log = []

    class Loud(native.Leaf):
        def __del__(self):
            log.append(self.value)

    loud = Loud(5)
    del loud
    assert log == [5]


def test_del_added_to_a_lean_class_runs_once(native):
    log = []

    class Late(native.Leaf):
        __slots__ = ()

    one = Late(1)
    owner = native.Node(one)
    Late.__del__ = lambda self: log.append(self.value)
    del one
    settle()
    assert log == []
    assert type(owner.x) is Late
    del owner
    settle()
    assert log == [1]
    two = Late(2)
    del two
    assert log == [1, 2]


@pytest.mark.parametrize("change", ["set", "removed"])
def test_class_that_changes_its_del_keeps_the_state_of_what_it_has_lent(native, change):
    """No crossing, instance or collection comes between the change and the drop."""
    log = []

    class Late(native.Leaf):
        pass

    def note(self):
        log.append(self.tag)

    if change == "removed":
        Late.__del__ = note
    late = Late(1)
    late.tag = "kept"
    native.keep(late)
    if change == "set":
        Late.__del__ = note
    else:
        del Late.__del__
    del late
    assert log == [] and type(native.kept(0)) is Late and native.kept(0).tag == "kept"
    native.release()
    settle()
    assert log == (["kept"] if change == "set" else [])


def test_exception_in_del_is_unraisable(native, capsys, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda info: seen.append(type(info.exc_value)))

    class Bad(native.Leaf):
        def __del__(self):
            raise ValueError("from __del__")

    bad = Bad(1)
    del bad
    settle()
    assert seen == [ValueError]


def test_del_may_store_self_natively(native):
    log = []

    class Clingy(native.Leaf):
        def __del__(self):
            log.append("del")
            native.keep(self)

    clingy = Clingy(1)
    clingy.note = "still here"
    del clingy
    assert log == ["del"]
    assert native.kept(0).note == "still here"
    native.release()
    settle()
    assert log == ["del"]


def test_fetched_wrapper_owns_its_object_when_the_owner_goes(native):
    held = selfsame_ffi.debug.counters()["held"]
    owner = native.Node(native.rich(1))
    assert selfsame_ffi.debug.counters()["held"] == held + 1
    rich = owner.x
    assert selfsame_ffi.debug.counters()["held"] == held
    assert selfsame_ffi.debug.tie(rich)["strong"] == 3  # a Node owns its object twice
    del owner
    assert selfsame_ffi.debug.tie(rich)["strong"] == 1
    ref = weakref.ref(rich)
    del rich
    assert ref() is None  # at once, without the collector


def test_wrapper_dropped_after_a_store_into_a_field_is_held(native):
    held = selfsame_ffi.debug.counters()["held"]
    rich = native.rich(1)
    owner = native.Node(None)
    owner.x = rich
    assert selfsame_ffi.debug.tie(rich)["strong"] == 2
    rich.note = 3
    del rich
    assert selfsame_ffi.debug.counters()["held"] == held + 1
    settle()
    assert owner.x.note == 3
    owner.x = None
    settle()


def test_wrapper_dropped_after_a_store_into_an_array_is_held(native):
    held = selfsame_ffi.debug.counters()["held"]
    rich = native.rich(1)
    array = selfsame_ffi.Array([rich])
    assert selfsame_ffi.debug.tie(rich)["strong"] == 2
    rich.note = 3
    del rich
    assert selfsame_ffi.debug.counters()["held"] == held + 1
    settle()
    assert array[0].note == 3


def test_callback_result_holds_the_wrapper(native):
    def make():
        rich = native.rich(2)
        rich.note = "made in Python"
        return rich

    native.keep(native.apply(lambda _: make(), None))
    settle()
    assert native.kept(0).note == "made in Python"
    native.release()


def test_owner_added_by_native_code_keeps_the_state(native):
    rich = native.rich(1)
    rich.note = "kept"
    ref = weakref.ref(rich)
    native.weak_set(rich)
    native.weak_keep()  # adds an owner without a crossing
    assert selfsame_ffi.debug.tie(rich)["strong"] == 2
    del rich
    assert ref() is not None
    assert native.kept(0).note == "kept"
    assert native.kept(0) is ref()
    native.release()
    native.weak_clear()
    settle()
    assert ref() is None


def test_owner_added_by_native_code_delays_del(native):
    log = []

    class Loud(native.Leaf):
        def __del__(self):
            log.append(self.value)

    loud = Loud(9)
    native.weak_set(loud)
    native.weak_keep()
    del loud
    assert log == []
    native.release()
    native.weak_clear()
    settle()
    assert log == [9]


def test_native_promoted_in_a_weakref_callback_gets_a_new_wrapper(native):
    seen = []
    rich = native.rich(6)
    native.weak_set(rich)
    ref = weakref.ref(rich, lambda _: seen.append(native.weak_get()))
    del rich
    assert ref() is None
    # The dying wrapper is freed; the native object has a new one.
    assert seen[0] is not None and seen[0].value == 6
    assert native.echo(seen[0]) is seen[0]
    seen.clear()
    native.weak_clear()


def test_plain_python_cycle_is_collected(native):
    rich = native.rich(1)
    rich.me = rich
    ref = weakref.ref(rich)
    del rich
    settle()
    assert ref() is None


def test_cycle_with_a_held_wrapper_waits_for_its_owner(native):
    owner = native.Node(native.rich(1))
    rich = owner.x
    rich.me = rich
    ref = weakref.ref(rich)
    del rich
    settle()
    assert ref() is not None and owner.x.me is owner.x
    del owner
    settle()
    assert ref() is None


@pytest.mark.parametrize("generation", [0, 1, 2])
def test_cycle_of_python_keeps_its_weak_references_while_native_code_owns_it(native, generation):
    """CPython clears the weak references of garbage before it calls the first finalizer."""
    rich = native.rich(1)
    native.keep(rich)
    rich.me, rich.note = rich, [1]
    ref, called = weakref.ref(rich), []
    watched = weakref.ref(rich, called.append)
    del rich
    gc.collect(generation)
    assert ref() is not None and watched() is ref() and called == []
    assert native.kept(0) is ref() and ref().note == [1]
    native.release()
    settle()
    assert ref() is None and called == [watched]


def test_finalizer_that_keeps_another_object_of_the_garbage(native):
    class Clingy(native.Plain):
        def __del__(self):
            if self.i == 1:
                native.keep(self.friend)

    a, b = Clingy(), Clingy()
    a.i, b.i = 1, 2
    a.friend, b.friend = b, a
    b.note = [1]
    del a, b
    gc.collect()
    kept = native.kept(0)
    assert kept.i == 2 and kept.note == [1]
    del kept
    native.release()
    settle()


@pytest.mark.parametrize("get", ["call", "WeakValueDictionary", "WeakSet", "finalize"])
def test_strong_reference_made_from_a_weak_one_counts_at_once(native, get):
    rich = native.rich(1)
    native.keep(rich)
    got = []
    if get == "call":
        ref = weakref.ref(rich)
        make = lambda: ref()  # noqa: E731
    elif get == "WeakValueDictionary":
        values = weakref.WeakValueDictionary(key=rich)
        make = lambda: values["key"]  # noqa: E731
    elif get == "WeakSet":
        members = weakref.WeakSet([rich])
        make = lambda: next(iter(members))  # noqa: E731
    else:
        finalizer = weakref.finalize(rich, got.append, 1)
        make = lambda: finalizer.peek()[0]  # noqa: E731
    del rich
    assert native.kept_use_count() == 1
    strong = make()
    assert native.kept_use_count() == 2
    del strong
    assert native.kept_use_count() == 1
    native.release()
    settle()


@pytest.mark.parametrize("collect_between", [False, True])
def test_state_survives_many_drops_and_refetches(native, collect_between):
    owner = native.Node(native.rich(0))
    owner.x.count = 0
    for _ in range(100):
        owner.x.count += 1
        if collect_between and owner.x.count % 10 == 0:
            gc.collect()
    assert owner.x.count == 100


def test_state_of_a_subclass_of_a_stateful_class_survives(native):
    class More(native.Rich):
        __slots__ = ("other",)

    owner = native.Node(More(3))
    owner.x.other = 1
    owner.x.anything = 2
    settle()
    assert (owner.x.other, owner.x.anything, owner.x.value) == (1, 2, 3)
    del owner, More
    settle()


def test_memory_of_a_stateful_wrapper_is_no_memory_of_a_lean_one(native):
    """CPython may keep attributes in front of the object, where the size of the class does not count them."""

    class WithAttributes(native.Leaf):
        __slots__ = ("__dict__",)

    for _ in range(100):
        stateful = WithAttributes.__new__(WithAttributes)
        stateful.__move_handle_from__(native.Leaf(1))
        held = selfsame_ffi.convert([stateful])
        del stateful
        held[0]
        del held
    leaves = [native.Leaf(i) for i in range(100)]
    gc.collect()
    assert [leaf.value for leaf in leaves] == list(range(100))
    del leaves
    gc.collect()


def test_stateful_class_keeps_its_reference_count(native):
    class Special(native.Leaf):
        pass

    before = sys.getrefcount(Special)
    for i in range(20):
        owner = native.Node(Special(i))
        owner.x.note = i
        del owner
    settle()
    assert sys.getrefcount(Special) == before
    del Special
    settle()


@pytest.mark.parametrize("change", ["set", "removed"])
@pytest.mark.parametrize("after", ["collection", "instance"])
def test_class_whose_del_changes_keeps_the_state_of_its_instances(native, change, after):
    """CPython then replaces the finalizer that holds a wrapper whose native object has got another owner unnoticed."""
    finalized = []

    class Late(native.Plain):
        pass

    def note(self):
        finalized.append(self.tag)

    if change == "removed":
        Late.__del__ = note
    late = Late()
    late.tag = "kept"
    native.weak_set(late)
    if change == "set":
        Late.__del__ = note
    else:
        del Late.__del__
    if after == "collection":
        gc.collect()
    else:
        Late().tag = "other"
    native.weak_keep()  # a new owner, without a crossing
    del late
    gc.collect()
    again = native.kept(0)
    assert type(again) is Late and again.tag == "kept"
    assert "kept" not in finalized
    native.weak_clear()
    native.release()
    del again
    gc.collect()
    assert ("kept" in finalized) == (change == "set")
