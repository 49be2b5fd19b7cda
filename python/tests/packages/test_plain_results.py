"""Results of Go functions with Python's own containers: those of plain values are made without a native container."""

# Requirement: D10

from __future__ import annotations

import gc
import json
import sys

import pytest
import selfsame_ffi

LONG = "a text of more than seven bytes"

CASES = [
    ("ints", [[], [1], [-(2**63), 2**63 - 1, 0], list(range(3000))]),
    ("floats", [[], [0.5, -0.0, float("inf"), 1e300]]),
    ("bools", [[], [True, False, True]]),
    ("texts", [[], ["", "a", "sevenxx", "eightxxx", LONG], ["ä€😀", "ä€😀" * 9], ["a\0b", LONG + "\0" + LONG]]),
    ("small_ints", [[], [-128, 127]]),
    ("pair", [[1, -(2**63)], [0, 0]]),
    ("words", [["", "a", LONG]]),
    ("no_elements", [[]]),
    ("lists", [[], [[], [1], list(range(20))]]),
    ("counts", [{}, {"a": 1}, {LONG: 2, "b": -3}, {f"key number {i}": i for i in range(300)}, {"a\0b" * 5: 1}]),
    ("shares", [{}, {"a": 0.25, LONG: 1.0}]),
    ("flags", [{}, {1: True, -(2**63): False}]),
    ("names", [{}, {1: "a", -2: LONG, 3: "ä€😀" * 9}]),
    ("groups", [{}, {"a": [], "b": [LONG, "x"]}]),
]
FUNCTIONS = [(name, value) for name, values in CASES for value in values]


def types_of(value):
    """The exact types of a value and of everything in it."""
    if isinstance(value, dict):
        return type(value), sorted((key, type(key), types_of(item)) for key, item in value.items())
    return (type(value), [types_of(item) for item in value]) if isinstance(value, list) else type(value)


@pytest.mark.parametrize(("name", "value"), FUNCTIONS)
def test_results_are_lists_and_dicts(go, name, value):
    result = getattr(go, "plain_" + name)(value)
    assert result == value and types_of(result) == types_of(value)
    assert json.loads(json.dumps(result)) == json.loads(json.dumps(value))


def test_nil_is_empty(go):
    assert go.plain_nothing() == ([], {})


def test_text_that_is_not_utf8_is_refused(go):
    with pytest.raises(ValueError, match=r"plain_broken: its result: Array\[index 1\]: .* not UTF-8 at byte 0"):
        go.plain_broken()


def test_a_result_belongs_to_the_caller_alone(go):
    own = {LONG: 1 << 40}
    made = go.plain_counts(own)
    assert sys.getrefcount(made) == sys.getrefcount(own) and made is not own
    made["more"] = made
    assert gc.is_tracked(made)


def test_no_native_object_stays(go):
    def run():
        for name, value in FUNCTIONS:
            getattr(go, "plain_" + name)(value)

    run()
    gc.collect()
    before = selfsame_ffi.debug.live_objects()
    for _ in range(5):
        run()
    gc.collect()
    assert selfsame_ffi.debug.live_objects() == before


ROWS = [[1, 2], [], [3]]
GROUPS = {"a": [1, {"b": None}]}


@pytest.mark.parametrize(
    ("name", "elements"),
    [("rows", ROWS), ("channel", ROWS), ("anything", [GROUPS["a"]]), ("grouped", [("all", GROUPS)])],
)
def test_elements_of_iterators_are_what_the_stub_says(go, name, elements):
    got = list(getattr(go, "plain_" + name)())
    assert got == elements
    assert [types_of(list(pair)) if isinstance(pair, tuple) else types_of(pair) for pair in got] == [
        types_of(list(pair)) if isinstance(pair, tuple) else types_of(pair) for pair in elements
    ]


@pytest.mark.usefixtures("collected")
def test_a_go_value_that_contains_itself_is_an_error(go):
    with pytest.raises(RecursionError, match="signatures.itself: .*the value contains itself"):
        go.itself()


@pytest.mark.parametrize(
    "kind, values",
    [
        ("int8", [-128, 127, 0]),
        ("int32", [-(2**31), 2**31 - 1, *range(1000)]),
        ("uint32", [2**32 - 1, *range(1000)]),
        ("uint64", [0, 2**63 - 1, 2**63, 2**64 - 1]),
        ("uint64", [5, 2**63 - 1]),
        ("float32", [0.5, -2.25, float("inf")]),
    ],
)
def test_numbers_of_each_size_come_as_a_list(go, kind, values):
    function = getattr(go, f"plain_{kind}")
    made = function(values)
    assert type(made) is list and made == values and {type(value) for value in made} == {type(values[0])}
    assert function([]) == [] and type(function([])) is list
    assert function(values * 3) == values * 3
