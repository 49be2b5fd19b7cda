"""The context that a Go func gets from its call ends with what the func has returned."""

# Requirement: D10

from __future__ import annotations

import asyncio
import itertools
import threading

import pytest
from waiting import wait_until


@pytest.fixture(name="ends")
def _ends(go):
    """A func that waits until all contexts have ended: those that watch a context run on goroutines of their own."""

    def ends():
        wait_until(lambda: go.contexts_open() == 0, "a context has not ended")

    return ends


def test_a_context_ends_with_a_call_of_plain_results(go, ends):
    assert go.ticks_plain(3) == 3
    ends()
    assert go.ticks_plain.map([1, 2, 3]) == go.ticks_plain.map([1, 2, 3], parallel=True) == [1, 2, 3]
    ends()


def test_a_func_that_ends_at_once_is_called_as_others_are(go):
    """It keeps the GIL. Items of a batch are called where the batch can be ended."""
    assert not go.ticks_checked.release_gil and go.ticks_plain.release_gil
    assert go.ticks_checked(3) == 3
    with pytest.raises(RuntimeError, match="negative"):
        go.ticks_checked(-1)
    assert go.ticks_checked.map([1, 2]) == go.ticks_checked.map([1, 2], parallel=True) == [1, 2]
    assert asyncio.run(go.ticks_checked.aio(4)) == 4
    go.ticks_checked.release_gil = True
    try:
        assert go.ticks_checked(5) == 5
    finally:
        go.ticks_checked.release_gil = False


def test_the_text_of_an_error_of_a_short_func_may_wait_for_python(go):
    """The func keeps the GIL, and its error waits for a lock that a thread has which needs the GIL."""
    assert not go.ticks_tallied.release_gil
    inside, asked = threading.Event(), threading.Event()

    def linger():
        inside.set()
        asked.wait()

    other = threading.Thread(target=go.while_tallying, args=(linger,))
    other.start()
    inside.wait()
    asked.set()  # the other thread goes on when this one gives the GIL up
    with pytest.raises(RuntimeError, match="tallied"):
        go.ticks_tallied()
    other.join()


def test_an_iterator_has_the_context_of_its_call(go, ends):
    numbers = go.ticking_on()
    assert [next(numbers) for _ in range(600)] == list(range(600))
    assert go.contexts_open() == 1
    numbers.close()
    ends()
    for x in go.ticking_on():
        if x == 5:
            break
    ends()
    never_started = go.ticking_on()
    del never_started
    ends()


def test_a_channel_has_the_context_of_its_call(go, ends):
    numbers = go.ticks_sent()
    assert list(itertools.islice(numbers, 10)) == list(range(10))
    assert go.contexts_open() == 1
    numbers.close()
    ends()


def test_a_file_has_the_context_of_its_call(go, ends):
    with go.ticks_read("some text") as file:
        assert file.read(4) == b"some"
        assert go.contexts_open() == 1
        assert file.read() == b" text"
    ends()


def test_a_context_ends_with_the_last_result(go, ends):
    numbers, n = go.ticks_counted(2)
    assert (next(numbers), n) == (0, 2)
    numbers.close()
    ends()
    with pytest.raises(RuntimeError, match="negative"):
        go.ticks_counted(-1)
    ends()
    inner = list(go.ticks_of_each(3))
    assert [next(x) for x in inner] == [0, 0, 0]
    for x in inner:
        x.close()
    ends()


def test_a_result_that_is_called_later_has_a_context_that_does_not_end(go):
    called = go.ticks_called()
    called()


def test_iterators_of_a_batch_share_its_context(go, ends):
    for parallel in (False, True):
        numbers = [x for x, _ in go.ticks_counted.map([1, 2, 3], parallel=parallel)]
        numbers[0].close()
        assert [next(x) for x in numbers[1:]] == [0, 0]
        for x in numbers[1:]:
            x.close()
        ends()
