"""Lists and dicts of plain values as arguments of Go functions that copy them: they are lent, without a container."""

from __future__ import annotations

import sys

import pytest
import selfsame_ffi

LONG = "a text of more than seven bytes"

LISTS = [
    ("show_ints", [[], [1], [-(2**63), 2**63 - 1], list(range(1000)), (1, 2), [True, 2]]),
    ("show_floats", [[], [0.5, -1.0], [1, 2.5], [float("inf")]]),
    ("show_bools", [[], [True, False], [1, False]]),
    ("show_texts", [[], ["", "a", "sevenxx", "eightxxx", LONG], ["ä€😀", "ä€😀" * 9], ["a\0b", LONG + "\0" + LONG]]),
]
DICTS = [
    ("show_counts", [{}, {"a": 1}, {LONG: 2, "b": 3}, {f"key number {i}": i for i in range(100)}, {"a": True}]),
    ("show_names", [{}, {1: "a", -2: LONG}]),
    ("show_mixed", [{}, {"a": 1, "b": LONG, LONG: 0.5, "none": None, "yes": True, "bytes": b"12345678"}]),
]
REFUSED = [
    ("show_ints", [[1, "two"], [1, None], [1, 2.5], [LONG], [2**64], {"a": 1}, {}]),
    ("show_floats", [["a"], [b"bytes"], [LONG, 1.0]]),
    ("show_texts", [["a", 1], [b"a"], [LONG, None], {LONG: LONG}]),
    ("show_counts", [{"a": "b"}, {1: 1}, {LONG: LONG}, {"a": None}, [1], ["a", 1], []]),
    ("show_names", [{"a": "b"}, {1: 2}]),
]
CASES = [(name, value) for name, values in LISTS + DICTS for value in values]


def container(value):
    """The native container of a list or dict, which is never lent."""
    return selfsame_ffi.Map(value) if isinstance(value, dict) else selfsame_ffi.Array(value)


@pytest.mark.parametrize(("name", "value"), CASES)
def test_lent_values_are_those_of_a_container(go, name, value):
    function = getattr(go, name)
    assert function(value) == function(container(value))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in REFUSED for value in values])
def test_refused_values_have_the_same_error(go, name, value):
    function = getattr(go, name)
    messages = []
    for argument in (value, container(value)):
        with pytest.raises((TypeError, OverflowError)) as raised:
            function(argument)
        # A dict is told by its class, and a container of the runtime as what it stands for.
        text = str(raised.value).replace("list or Array", "list").replace("dict or Map", "dict")
        messages.append((type(raised.value), text))
    assert messages[0] == messages[1]
    assert messages[0][1].startswith(f"signatures.{name}: argument '")


def test_text_that_has_no_native_form_names_the_argument(go):
    with pytest.raises(UnicodeEncodeError, match=r"signatures.show_texts: argument 'values': item 1: expected a str"):
        go.show_texts(["a", "\ud800"])


def test_keywords_defaults_and_methods(go):
    assert go.show_ints(next=3, values=[1, 2]) == go.show_ints([1, 2], 3) == "[1 2] 3"
    assert go.show_texts(values=[LONG]) == f'["{LONG}"] 0'
    # Behind the marker of keyword arguments a place is not that of a parameter.
    assert go.search("x", options={"a": LONG}) == "x3 [] 1 false"
    assert go.search("x", tags=[LONG, "b"], strict=True) == f"x3 [{LONG} b] 0 true"
    box = go.Box()
    assert box.fill([LONG], {"a": 1}) == box.fill(counts={"a": 1}, texts=[LONG]) == f'["{LONG}"] map[a:1]'
    assert go.show_pair([1, 2]) == "[1 2]"
    with pytest.raises(TypeError, match="list of length 1"):
        go.show_pair([1])


class Clears:
    """A number whose conversion changes a list that is lent already."""

    def __init__(self, values):
        self.values = values

    def __tvm_ffi_int__(self):
        self.values.clear()
        self.values.extend(str(i) * 12 for i in range(100))
        return 7


def test_texts_are_held_until_the_call_is_over(go):
    values = [f"text number {i} " + "x" * i for i in range(200)]
    expected = go.show_texts(list(values), 7)
    assert go.show_texts(values, Clears(values)) == expected
    assert len(values) == 100


def test_no_reference_stays(go):
    text = "".join(["a text ", "of its own"])
    before = sys.getrefcount(text)
    for argument in ([text], {text: 1}, [text, 1], {text: text}):
        for function in (go.show_texts, go.show_counts):
            try:
                function(argument)
            except TypeError:
                pass
    del argument
    assert sys.getrefcount(text) == before


def test_functions_that_may_keep_a_container_get_one(go):
    """Only what the metadata lists is lent: a callback of Python, or a Go func that takes a handle, gets containers."""
    lent = selfsame_ffi.get_global_func_metadata("signatures.search")["lent"]
    assert lent == [2, 3]
    assert "lent" not in selfsame_ffi.get_global_func_metadata("signatures.show_pair")
    assert isinstance(selfsame_ffi.convert(lambda values: values)([1, 2]), selfsame_ffi.Array)
