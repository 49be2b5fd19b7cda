"""Threads call the same global function, which no call pins on a free-threaded CPython."""

# Requirement: C12

import gc
import weakref

import pytest
import selfsame_ffi
from racing import fast_switches, run  # noqa: F401

NAME = "test_shared_functions.twice"


class Twice:
    """A callable that can be referred to weakly."""

    def __call__(self, x):
        return 2 * x


def register():
    """Register a new callable; a weak reference to it, which the table alone owns."""
    made = Twice()
    selfsame_ffi.register_global_func(NAME, made, override=True)
    return weakref.ref(made)


@pytest.fixture
def twice():
    """A weak reference to what the global function calls."""
    yield register()
    if selfsame_ffi.get_global_func(NAME, allow_missing=True) is not None:
        selfsame_ffi.remove_global_func(NAME)


def collect():
    """Collect until nothing more dies: a free-threaded CPython merges the counts of ended threads at collections."""
    for _ in range(3):
        gc.collect()


def test_threads_call_a_function_that_gets_and_loses_attributes(twice):
    def work(i):
        for k in range(300):
            function = selfsame_ffi.get_global_func(NAME)
            assert function(k) == 2 * k
            if i == 0:
                function.note = k
            elif i == 1:
                assert getattr(function, "note", 0) >= 0
            elif i == 2 and "note" in vars(function):
                vars(function).pop("note", None)

    run(6, work)


def test_an_attribute_outlives_the_wrapper_of_a_called_function(twice):
    run(4, lambda i: [selfsame_ffi.get_global_func(NAME)(i) for _ in range(100)])
    selfsame_ffi.get_global_func(NAME).note = "kept"
    collect()
    assert selfsame_ffi.get_global_func(NAME).note == "kept"
    assert selfsame_ffi.get_global_func(NAME)(4) == 8


def test_a_called_function_is_not_moved_out_of_its_wrapper(twice, native):
    function = selfsame_ffi.get_global_func(NAME)
    assert function(1) == 2
    try:
        native.echo(function._move())
    except (RuntimeError, ValueError):
        pass  # refused, because the table owns it too
    assert function(2) == 4


def test_a_removed_function_dies_with_its_last_reference(twice):
    def work(i):
        function = selfsame_ffi.get_global_func(NAME)
        for k in range(100):
            assert function(k) == 2 * k

    run(4, work)
    assert twice() is not None
    selfsame_ffi.remove_global_func(NAME)
    collect()
    assert twice() is None


def test_a_removed_function_in_a_cycle_with_its_callable_is_collected(twice):
    function = selfsame_ffi.get_global_func(NAME)
    run(4, lambda i, function=function: [function(k) for k in range(100)])
    function.callable = twice()  # the wrapper refers to the callable, which the native function owns
    twice().function = function
    selfsame_ffi.remove_global_func(NAME)
    del function
    collect()
    assert twice() is None
