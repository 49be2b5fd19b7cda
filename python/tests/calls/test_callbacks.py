"""Python callables called from native code."""

# Requirement: A6

import sys
import threading

import pytest
import selfsame_ffi
from values import REFUSED
from waiting import PATIENCE


def test_views_of_all_kinds_become_arguments(native):
    seen = []
    native.apply_raw(selfsame_ffi.convert(lambda *args: seen.extend(args)))
    assert seen == ["a raw string", b"raw bytes here", None, True, 2, 2.5, None] or (
        seen[:6] == ["a raw string", b"raw bytes here", None, True, 2, 2.5] and seen[6].value is None
    )


def test_rvalue_becomes_an_argument(native):
    value = native.apply_rvalue(lambda leaf: (leaf.value, leaf), 4)
    assert value[0] == 4
    assert value[1].value == 4
    assert native.owners(value[1]) == 2  # the wrapper and the Array


def test_results_of_every_kind_come_back(native):
    for result in (None, 1, 2.5, "text", "a longer text", b"bytes", b"longer bytes", True):
        assert native.apply(lambda _, result=result: result, None) == result
    assert native.apply(lambda _: [1, "two and more"], None) == [1, "two and more"]


def test_result_without_a_native_form_is_refused(native):
    with pytest.raises(OverflowError, match=r"^callback: result: "):
        native.apply(lambda _: REFUSED, None)
    with pytest.raises(OverflowError, match=r"^callback: result: item 1: "):
        native.apply(lambda _: [1, REFUSED], None)


def test_fifty_arguments_arrive(native):
    def count(*args):
        return len(args)

    assert selfsame_ffi.convert(count)(*range(50)) == 50


def test_classes_and_bound_methods_are_callbacks(native):
    assert native.apply(str, 3) == "3"
    log = []
    native.apply(log.append, 5)
    assert log == [5]


def test_function_is_a_callback(native):
    inner = selfsame_ffi.convert(lambda x: x + 1)
    assert native.apply(inner, 1) == 2
    assert native.apply(native.add_one, 1) == 2


def test_callback_that_raises_leaves_counts_alone(native):
    leaf = native.Leaf(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            native.apply(lambda value: 1 // 0, leaf)
    assert native.owners(leaf) == 1  # the wrapper


def test_argument_whose_class_cannot_be_made_is_released_once(native):
    # When the wrapper cannot be made, the native object must be released once, not twice.
    def no_class(index):
        raise MemoryError("no class today")

    selfsame_ffi._core.set_class_maker(no_class)
    try:
        for _ in range(3):
            with pytest.raises(MemoryError):
                native.classless("sst.Classless1")
        native.keep_classless("sst.Classless2")
        for _ in range(3):
            with pytest.raises(MemoryError):
                native.apply_kept(lambda value: None)
    finally:
        selfsame_ffi._core.set_class_maker(selfsame_ffi._types.classes.make_class)
    assert native.kept_use_count() == 1
    native.release()


def test_recursion_through_native_code_works(native):
    def down(n):
        return 0 if n == 0 else 1 + native.apply(selfsame_ffi.convert(down), n - 1)

    assert down(30) == 30


def test_endless_recursion_is_an_error(native):
    def endless(value):
        return native.apply(endless, value)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)  # enough: each level formats the whole traceback, which takes quadratic time
    try:
        with pytest.raises(RecursionError):
            endless(1)
    finally:
        sys.setrecursionlimit(limit)


def test_release_gil_can_be_set(native):
    function = selfsame_ffi.convert(lambda: 1)
    assert function.release_gil is True
    function.release_gil = False
    assert function.release_gil is False
    assert function() == 1
    with pytest.raises(AttributeError):
        del function.release_gil


@pytest.mark.parametrize("release", [True, False])
def test_callback_runs_with_the_gil_released_or_not(native, release):
    native.apply.release_gil = release
    try:
        assert native.apply(lambda x: x + 1, 1) == 2
        with pytest.raises(KeyError):
            native.apply({}.__getitem__, 1)
    finally:
        native.apply.release_gil = True


def test_other_threads_run_during_a_call(native):
    event = threading.Event()

    def waits(_):
        return event.wait(PATIENCE)

    threading.Timer(0.01, event.set).start()
    assert native.apply_on_thread(waits, None) is True


def test_closure_may_release_itself_during_its_call(native):
    def once():
        native.release()  # drops the only reference to this closure
        return 5

    native.keep(once)
    function = native.kept(0)
    del once
    assert function() == 5
