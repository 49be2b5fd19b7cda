"""Every state of the wrapper word and every transition of the table in _core/tie/tie_table.h."""

# Requirements: C2, C7, C8

import pytest
import selfsame_ffi
from waiting import settle, wait_until

tie = selfsame_ffi.debug.tie
counters = selfsame_ffi.debug.counters


def test_native_without_a_wrapper_has_no_record(native):
    before = counters()["records"]
    array = selfsame_ffi.Array([selfsame_ffi.Array([1]), selfsame_ffi.Array([2])])
    settle()
    assert counters()["records"] == before + 1 + 2  # the Array, and its elements: they had wrappers
    node = native.Node(None)
    node.items = [[1], [2]]  # these elements never had a wrapper
    assert counters()["records"] == before + 1 + 2 + 1
    del array, node


def test_uninitialised_wrapper_is_detached(native):
    raw = native.Leaf.__new__(native.Leaf)
    assert tie(raw) == {
        "state": "Detached",
        "stateful": False,
        "record": 0,
        "go_handle": 0,
        "strong": 0,
        "shares": 0,
        "weak": 0,
        "address": 0,
    }


def test_dropped_wrapper_leaves_a_kept_block(native):
    owner = native.Node(native.Leaf(1))
    kept = counters()["kept_blocks"]
    leaf = owner.x
    assert tie(leaf)["state"] == "Active"
    assert tie(leaf)["strong"] == 3  # two fields and the wrapper
    assert counters()["kept_blocks"] == kept - 1
    del leaf
    assert counters()["kept_blocks"] == kept


def test_dropped_only_owner_frees_native_and_record(native):
    before = counters()
    leaf = native.Leaf(1)
    assert counters()["records"] == before["records"] + 1
    del leaf
    assert counters() == before


def test_dropped_wrapper_of_a_kept_native_becomes_inactive(native):
    native.keep(native.Leaf(1))
    assert counters()["kept_blocks"] >= 1
    assert native.kept(0).value == 1
    native.release()


def test_dropped_only_owner_frees_a_native_with_a_weak_reference(native):
    # The native weak reference also owns the memory, so that tp_dealloc has to go through InTransit.
    before = counters()
    leaf = native.Leaf(1)
    native.weak_set(leaf)
    del leaf
    assert native.weak_get() is None
    native.weak_clear()
    assert counters() == before


# Requirement: C7
def test_dropped_wrapper_comes_back_as_itself_when_its_class_gets_a_finalizer(native):
    class Other(native.Leaf):
        __slots__ = ()

    class Further(Other):
        __slots__ = ()

    before, dropped = counters(), []
    native.keep(Other(2))
    native.keep(Further(3))
    ids = [id(native.kept(0)), id(native.kept(1))]
    Other.__del__ = lambda self: dropped.append(self.value)
    for _ in range(2):
        first, second = native.kept(0), native.kept(1)
        assert (type(first), type(second)) == (Other, Further) and [id(first), id(second)] == ids
        assert native.kept(0) is first and selfsame_ffi.debug.tie(first)["stateful"]
        del first, second
        assert dropped == [] and counters()["held"] == before["held"] + 2
    native.release()
    settle()
    assert sorted(dropped) == [2, 3] and counters()["held"] == before["held"]


def test_kept_block_of_another_class_is_replaced(native):
    class Other(native.Leaf):
        __slots__ = ()

    native.keep(Other(2))
    assert type(native.kept(0)) is Other
    Other.__bases__ = (native.Plain,)  # no subclass of the registered class of its native object any more
    assert type(native.kept(0)) is native.Leaf
    native.release()
    del Other
    settle()


def test_shared_stateful_wrapper_is_held_and_let_go(native):
    held = counters()["held"]
    rich = native.rich(1)
    assert tie(rich)["state"] == "Active" and tie(rich)["stateful"]
    native.keep(rich)
    assert tie(rich)["state"] == "Active" and tie(rich)["strong"] == 2
    assert counters()["held"] == held
    del rich
    assert counters()["held"] == held + 1
    rich = native.kept(0)
    assert tie(rich)["state"] == "Active" and tie(rich)["strong"] == 2
    assert counters()["held"] == held
    native.release()
    assert tie(rich)["strong"] == 1


def test_native_that_dies_lets_go_of_its_wrapper(native):
    before = counters()
    native.keep(native.rich(1))
    assert counters()["held"] == before["held"] + 1
    native.release()  # with the GIL released: the wrapper is let go of at the next entry from Python
    after = counters()
    assert [after[name] for name in ("wrappers", "held", "records")] == [
        before[name] for name in ("wrappers", "held", "records")
    ]


def test_held_wrapper_is_kept_while_the_native_is_owned(native):
    native.keep(native.rich(1))
    native.kept(0).note = "x"
    settle()
    assert native.kept(0).note == "x"
    native.release()


@pytest.mark.parametrize("rounds", [1, 3])
def test_wrapper_that_was_not_freed_is_finalized_later(native, rounds):
    import weakref

    log = []

    class Loud(native.Leaf):
        def __del__(self):
            log.append(1)

    loud = Loud(1)
    ref = weakref.ref(loud)
    for _ in range(rounds):
        native.weak_set(loud)
        native.weak_keep()
        del loud
        assert log == []
        loud = native.kept(0)
        assert loud is ref()
        native.release()
        native.weak_clear()
        native.echo(loud)
        assert tie(loud)["state"] == "Active"
    del loud
    assert log == [1]


def test_wrapper_survives_native_threads(native):
    leaf = native.Leaf(1)
    native.hammer(leaf, 2, 2000)
    assert tie(leaf)["strong"] == 1
    assert native.echo(leaf) is leaf


def test_native_threads_may_drop_the_last_reference(native):
    before = native.live()
    for i in range(50):
        native.drop_later(native.Leaf(i))
    wait_until(lambda: native.live() <= before, "native threads do not let go")
    assert native.live() == before
