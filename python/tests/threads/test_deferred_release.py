"""A native thread drops the last reference, and must not wait for the GIL."""

# Requirement: C12

import gc
import sysconfig
import threading
import time

import pytest
import selfsame_ffi
from racing import fast_switches, run  # noqa: F401
from waiting import PATIENCE, wait_for_queue, wait_until

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


class WithGil:
    """A context in which a function of the extension is called without releasing the GIL."""

    def __init__(self, function):
        self.function = function

    def __enter__(self):
        self.before = self.function.release_gil
        self.function.release_gil = False
        return self.function

    def __exit__(self, *_):
        self.function.release_gil = self.before


def fill(native, count, make):
    """Give `count` new objects to the native store, which becomes their owner."""
    for i in range(count):
        native.storm_add(make(i))


class Mortal:
    """Travels as an opaque object, and records its death."""

    died = []  # one item each: without the GIL, two threads that increment a number may increment it once

    def __del__(self):
        Mortal.died.append(None)


def kinds(native):
    """Makers of a closure, an object with a kept block, a stateful object and an opaque value."""

    return [lambda i: (lambda: i), lambda i: kept_block(native, i), lambda i: native.rich(i), lambda i: Mortal()]


def kept_block(native, i):
    """Give a leaf to the native store: the wrapper is dropped first and leaves its block."""
    leaf = native.Leaf(i)
    native.storm_add(leaf)
    return leaf


def test_last_release_does_not_wait_for_the_gil(native):
    """The thread that holds the GIL joins the native thread, so that cannot have waited for the GIL."""
    Mortal.died.clear()
    for make in kinds(native):
        fill(native, 20, make)
        gc.collect()
        with WithGil(native.storm) as storm:
            storm(1)
    selfsame_ffi.debug.counters()
    assert len(Mortal.died) == 20


def test_release_under_a_native_lock_does_not_deadlock(native):
    """A native thread releases under a native lock, which the thread that holds the GIL waits for."""
    for make in kinds(native):
        fill(native, 10, make)
        gc.collect()
        with WithGil(native.release_under_lock) as release:
            assert release(60.0) is True


@pytest.mark.parametrize("keep_lock", [False, True])
def test_storm_of_releases_frees_everything(native, keep_lock):
    """16 native threads drop their objects at the same time, while a Python thread makes others."""
    Mortal.died.clear()
    makers = kinds(native)
    fill(native, 1600, lambda i: makers[i % 4](i))
    gc.collect()
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            assert native.echo(native.Node(native.Leaf(1)).x).value == 1

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        if keep_lock:
            with WithGil(native.storm) as storm:
                storm(16)
        else:
            native.storm(16)
    finally:
        stop.set()
        thread.join()
    wait_for_queue()
    gc.collect()
    assert len(Mortal.died) == 400


def test_each_release_is_queued_once(native):
    """One queue entry for each object that dies, also for one that held its wrapper."""
    for make in kinds(native):
        fill(native, 50, make)
        gc.collect()
        before = selfsame_ffi.debug.counters()["releases_queued"]
        with WithGil(native.storm) as storm:
            storm(4)
        assert selfsame_ffi.debug.counters()["releases_queued"] - before == 50


def test_a_thread_that_released_the_gil_frees_a_few_kept_blocks_itself(native):
    """It keeps them until it is attached again; what is more goes into the queue, which another thread empties."""
    own, others = 64, 36
    native.take_bumps()
    gc.collect()
    before = selfsame_ffi.debug.counters()
    for i in range(own + others):
        kept_block(native, i)
    seen = {}

    def watch():
        filled = before["releases_queued"] + others
        wait_until(lambda: selfsame_ffi.debug.counters()["releases_queued"] == filled, "the blocks are not released")
        wait_for_queue()
        seen.update(selfsame_ffi.debug.counters())
        native.bump()

    thread = threading.Thread(target=watch)
    thread.start()
    assert native.storm_here(PATIENCE) == 1
    after = selfsame_ffi.debug.counters()
    thread.join()
    native.take_bumps()
    assert seen["kept_blocks"] == before["kept_blocks"] + own
    assert seen["releases_queued"] == after["releases_queued"] == before["releases_queued"] + others
    assert after["kept_blocks"] == before["kept_blocks"]


@pytest.mark.skipif(FREE_THREADED, reason="CPython waits for the thread that made the object, to merge its count")
def test_a_stateful_object_does_not_wait_for_the_thread_that_released_it(native):
    """Its `__del__` runs on another thread, while the one that dropped it stays in native code."""
    native.take_bumps()
    Mortal.died.clear()
    native.storm_add(Mortal())

    def watch():
        def dead():
            selfsame_ffi.debug.counters()  # empties the queue
            return Mortal.died

        wait_until(dead, "the object does not die")
        native.bump()

    thread = threading.Thread(target=watch)
    thread.start()
    assert native.storm_here(PATIENCE) == 1
    thread.join()
    native.take_bumps()


@pytest.mark.parametrize("make", [lambda: selfsame_ffi.convert(lambda: 1), lambda: selfsame_ffi.opaque(Mortal())])
@pytest.mark.parametrize("weak_first", [False, True])
def test_queued_release_and_native_weak_reference_may_end_in_either_order(native, make, weak_first):
    """The weak reference keeps the memory. It is dropped before or after the queued release has run."""
    thing = make()
    native.weak_set(thing)
    native.keep(thing)
    del thing
    gc.collect()
    with WithGil(native.release_on_thread_then_weak if weak_first else native.release_on_thread) as release:
        release()
    wait_for_queue()
    assert native.weak_get() is None
    native.weak_clear()


def test_queue_is_emptied_while_the_main_thread_sleeps(native):
    """No Python code runs: the main thread is in native code until the releases have run."""

    class Bumping:
        def __del__(self):
            native.bump()

    native.take_bumps()
    # On a thread that ends, because a free-threaded CPython passes a last release to the thread that made the object.
    run(1, lambda _: fill(native, 6000, lambda i: Bumping()))
    # Not all 6000: a short queue waits until a thread enters from Python.
    assert native.storm_and_wait(4, 4000, PATIENCE) >= 4000
    wait_for_queue()
    assert native.take_bumps() == 6000


def test_pending_call_empties_the_queue(native):
    """A few releases, while the main thread runs Python code but calls nothing of the package."""
    Mortal.died.clear()
    fill(native, 3, lambda i: Mortal())
    ready = threading.Event()

    def from_a_thread():
        native.storm(1)
        ready.set()

    thread = threading.Thread(target=from_a_thread)
    thread.start()
    while not ready.is_set():
        pass
    thread.join()
    deadline = time.monotonic() + PATIENCE
    while len(Mortal.died) < 3 and time.monotonic() < deadline:
        sum(range(100))
    assert len(Mortal.died) == 3
