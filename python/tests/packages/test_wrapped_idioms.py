"""Idioms of Go in the Python package that `selfsame-ffi wrap` makes: channels, pointers to results, steps."""

# Requirement: D5

import sys

import origins
import pytest


@pytest.fixture(scope="module")
def shelf():
    folder = str(origins.wrapped())
    sys.path.insert(0, folder)
    try:
        import shelf
    finally:
        sys.path.remove(folder)
    return shelf


def test_what_go_sends_into_a_channel_arrives_in_a_callback(shelf):
    got = []
    shelf.send(got.append, 3)
    assert got == [0, 1, 2]


def test_an_exception_of_the_callback_arrives_behind_the_call(shelf):
    got = []

    def take(n):
        got.append(n)
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        shelf.send(take, 3)
    assert got == [0]


def test_a_python_class_sends_into_a_channel(shelf):
    class Mine(shelf.Feeder):
        def feed(self, c):
            c("a")
            c("b")

    assert shelf.fed(Mine()) == ["a", "b"]


def test_go_receives_what_an_iterable_gives(shelf):
    assert shelf.total([1, 2, 3], 100) == 6
    assert shelf.total(iter(range(10**9)), 10) == 15  # Go reads no further than it wants

    def failing():
        yield 1
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        shelf.total(failing(), 100)


def test_a_pointer_to_a_slice_is_an_object_that_holds_it(shelf):
    words = shelf.StringSliceRef(["a"])
    shelf.collect(words, "b", "c")
    assert words.value == ["a", "b", "c"]
    words.value = []
    shelf.collect(words, "d")
    assert words.value == ["d"]
    with pytest.raises(TypeError):
        shelf.collect(["a"], "b")


def test_a_pointer_that_go_keeps_is_an_object_that_holds_the_value(shelf):
    title = shelf.StringRef("old")
    later = shelf.title_var(title, "new")
    assert title.value == "old"
    later()
    assert title.value == "new"


def test_what_go_stores_through_a_pointer_is_a_result(shelf):
    assert tuple(shelf.unmarshal_words("a b")) == (2, ["a", "b"])
    book = shelf.Book("", shelf.NOVEL)
    count, same = shelf.unmarshal_words("a b c", book)
    assert count == 3 and same is book and book.title == "a b c"
    with pytest.raises(TypeError, match="Go can store a value"):
        shelf.unmarshal_words("a", {})


def test_steps_are_an_iteration(shelf):
    assert list(shelf.Walker(False, "a", "b")) == ["a", "b"]
    steps = iter(shelf.Walker(True, "a"))
    assert next(steps) == "a"
    with pytest.raises(shelf.FullError):
        next(steps)


def test_an_array_of_bytes_is_bytes(shelf):
    assert bytes(shelf.digest_of("abcd")) == b"abcd"
