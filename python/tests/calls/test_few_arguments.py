"""Calls with few arguments of the usual types take a short way, all others the general one, with equal results."""

# Requirement: C3

import math

import pytest
import selfsame_ffi


def make_nth():
    """A native function that returns its argument with a given number, among those that follow."""
    return selfsame_ffi.convert(lambda number, *arguments: arguments[number])


def values(native):
    """One value of each type that has a way of its own, with what a function that returns it gives."""
    item = native.Leaf(1)
    return [
        (item, item), (7, 7), (-(2**63), -(2**63)), (2**70, 2**70), (1.5, 1.5), (True, True), (None, None),
        ("text", "text"), (b"bytes", b"bytes"), (math.inf, math.inf),
    ]  # fmt: skip


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("count", range(1, 7))
def test_every_argument_arrives_among_objects(native, count, kept):
    nth = make_nth()
    nth.release_gil = not kept
    for given, expected in values(native):
        for at in range(count):
            arguments = [native.Leaf(1) for _ in range(count)]
            arguments[at] = given
            result = nth(at, *arguments)
            assert type(result) is type(expected) or isinstance(result, (str, bytes))
            assert result is expected if isinstance(expected, selfsame_ffi.Object) else result == expected


def test_an_object_is_not_in_use_after_a_call(native):
    for arguments in ([1], [1, 2.0, None], ["text"]):
        item = native.Leaf(1)
        native.echo(item)
        function = selfsame_ffi.convert(lambda *arguments: arguments[0])
        got = function(item, *arguments)
        assert got is item
        got = None  # with two names the object would not be moved
        with pytest.raises(ZeroDivisionError):
            selfsame_ffi.convert(lambda *arguments: 1 // 0)(item, *arguments)
        counted = native.take(item._move())  # not in an assertion, which would have a second reference
        assert counted == 1  # refused while a call uses the object
        with pytest.raises(RuntimeError, match="moved"):
            native.echo(item)


def test_a_moved_argument_is_named_and_the_others_are_not_in_use(native):
    moved, other = native.Leaf(1), native.Leaf(1)
    native.take(moved._move())
    function = selfsame_ffi.convert(lambda *arguments: None)
    with pytest.raises(RuntimeError, match="moved"):
        function(other, 3, moved)
    native.take(other._move())
    with pytest.raises(RuntimeError, match="moved"):
        native.echo(other)


def test_subclasses_of_numbers_are_converted():
    nth = make_nth()

    class Number(int):
        pass

    class Real(float):
        pass

    assert nth(Number(1), "a", Number(5)) == 5
    assert nth(0, Real(2.5)) == 2.5
