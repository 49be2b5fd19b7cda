"""C12: the last reference goes on a native thread, which must not wait for the interpreter."""

# Requirement: C12

import gc
import threading
import time

import pytest
import selfsame_ffi
from conftest import PATIENCE, wait_for_queue
from racing import fast_switches, run  # noqa: F401


class Held:
    """A function of the extension, called with the GIL held throughout."""

    def __init__(self, function):
        self.function = function

    def __enter__(self):
        self.before = self.function.release_gil
        self.function.release_gil = False
        return self.function

    def __exit__(self, *_):
        self.function.release_gil = self.before


def fill(native, count, make):
    for i in range(count):
        native.storm_add(make(i))


class Payload:
    """Travels as an opaque object; tells when it dies."""

    died = []  # one item each: two threads that add 1 to a number at once may add 1 together

    def __del__(self):
        Payload.died.append(None)


def kinds(native):
    def kept_block(i):
        leaf = native.Leaf(i)
        native.storm_add(leaf)  # its wrapper dies first: the native keeps the block
        return leaf

    return [lambda i: (lambda: i), kept_block, lambda i: native.rich(i), lambda i: Payload()]


def test_last_release_does_not_wait_for_the_gil(native):
    """The native thread is joined by a thread that keeps the GIL: it cannot have waited for it."""
    Payload.died.clear()
    for make in kinds(native):
        fill(native, 20, make)
        gc.collect()
        with Held(native.storm) as storm:
            storm(1)
    selfsame_ffi.debug.counters()
    assert len(Payload.died) == 20


def test_release_under_a_native_lock_does_not_deadlock(native):
    """A thread releases under a native lock; the holder of the interpreter wants that lock."""
    for make in kinds(native):
        fill(native, 10, make)
        gc.collect()
        with Held(native.release_under_lock) as release:
            assert release(60.0) is True


@pytest.mark.parametrize("keep_lock", [False, True])
def test_storm_of_releases_frees_everything(native, keep_lock):
    """16 native threads drop what they own at once, while Python threads come and go."""
    Payload.died.clear()
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
            with Held(native.storm) as storm:
                storm(16)
        else:
            native.storm(16)
    finally:
        stop.set()
        thread.join()
    wait_for_queue()
    gc.collect()
    assert len(Payload.died) == 400


def test_each_release_is_queued_once(native):
    """What is in the queue is the memory of what is dead: one entry for each, and none for what is alive."""
    for make, entries in zip(kinds(native), (1, 1, 0, 1)):  # a held wrapper keeps its native alive
        fill(native, 50, make)
        gc.collect()
        before = selfsame_ffi.debug.counters()["releases_queued"]
        with Held(native.storm) as storm:
            storm(4)
        assert selfsame_ffi.debug.counters()["releases_queued"] - before == 50 * entries


@pytest.mark.parametrize("make", [lambda: selfsame_ffi.convert(lambda: 1), lambda: selfsame_ffi.opaque(Payload())])
@pytest.mark.parametrize("weak_first", [False, True])
def test_queued_release_and_native_weak_reference_may_end_in_either_order(native, make, weak_first):
    """The weak reference keeps the memory; it goes before the release has run, or after."""
    thing = make()
    native.weak_set(thing)
    native.keep(thing)
    del thing
    gc.collect()
    with Held(native.release_on_thread_then_weak if weak_first else native.release_on_thread) as release:
        release()
    wait_for_queue()
    assert native.weak_get() is None
    native.weak_clear()


def test_queue_is_emptied_while_the_main_thread_sleeps(native):
    """Nobody enters from Python: the main thread is in native code until the releases have run."""

    class Bumping:
        def __del__(self):
            native.bump()

    native.take_bumps()
    # Made on a thread that ends: a free-threaded CPython leaves a last release to the thread that made the object.
    run(1, lambda _: fill(native, 6000, lambda i: Bumping()))
    # All but the last thousand or so: a backlog that small waits for somebody to come by.
    assert native.storm_and_wait(4, 4000, PATIENCE) >= 4000
    wait_for_queue()
    assert native.take_bumps() == 6000


def test_pending_call_empties_the_queue(native):
    """A few releases: the main thread runs Python code, but enters nothing of selfsame's."""
    Payload.died.clear()
    fill(native, 3, lambda i: Payload())
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
    while len(Payload.died) < 3 and time.monotonic() < deadline:
        sum(range(100))
    assert len(Payload.died) == 3
