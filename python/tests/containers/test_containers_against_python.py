"""Containers do what Python's own do: Array a tuple, List a list, Map and Dict a dict, in random sequences of calls."""

# Requirements: A7, F1

import copy
import pickle

import pytest
from selfsame_ffi import Array, Dict, List, Map

pytest.importorskip("hypothesis")

from examples_of import settings  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

# Native code tells 1, True and 1.0 apart and Python does not, so there are no bools and floats with integral values.
SCALARS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 5),
    st.text(max_size=12),
    st.binary(max_size=12),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: value != int(value)),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3))
KEYS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 5), st.text(max_size=10), st.binary(max_size=10))
INDEXES = st.integers(-12, 12)
SLICES = st.builds(
    slice, st.none() | INDEXES, st.none() | INDEXES, st.none() | st.integers(-3, 3).filter(lambda step: step != 0)
)


def outcome(function):
    """The result of a call, or the class of its exception."""
    try:
        return function()
    except (IndexError, KeyError, ValueError, TypeError) as error:
        return next(kind for kind in (IndexError, KeyError, ValueError, TypeError) if isinstance(error, kind))


def plain(value):
    """A container as Python's own, so that order and contents can be compared."""
    if isinstance(value, (Array, List, list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (Map, Dict, dict)):
        return [(key, plain(item)) for key, item in value.items()]
    return value


def same(ours, theirs):
    """Both calls have equal results, or both raise an exception of one class."""
    mine, model = outcome(ours), outcome(theirs)
    assert plain(mine) == plain(model)


# ---- sequences ----


def check_sequence(made, model, value, index, where):
    """What an immutable sequence can be asked."""
    assert len(made) == len(model) and bool(made) == bool(model) and list(made) == list(model)
    assert list(reversed(made)) == list(reversed(model))
    assert (value in made) == (value in model) and made.count(value) == model.count(value)
    same(lambda: made[index], lambda: model[index])
    same(lambda: made[where], lambda: model[where])
    same(lambda: made.index(value), lambda: model.index(value))
    same(lambda: made.index(value, index), lambda: model.index(value, index))
    assert made == model and not made != model and made == type(made)(model)
    assert hash(made) == hash(type(made)(model))
    assert made != [*model, value] and made != object()
    assert list(made + type(made)([value])) == [*model, value]


@settings(100)
@given(st.lists(VALUES, max_size=8), VALUES, INDEXES, SLICES)
def test_array_is_a_tuple(items, value, index, where):
    made = Array(items)
    check_sequence(made, tuple(items), value, index, where)
    for copied in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert type(copied) is Array and copied == made
    with pytest.raises(TypeError):
        made[0] = 1


CHANGES = st.one_of(
    st.tuples(st.just("append"), VALUES),
    st.tuples(st.just("insert"), INDEXES, VALUES),
    st.tuples(st.just("pop"), INDEXES),
    st.tuples(st.just("pop")),
    st.tuples(st.just("remove"), VALUES),
    st.tuples(st.just("extend"), st.lists(VALUES, max_size=4)),
    st.tuples(st.just("reverse")),
    st.tuples(st.just("clear")),
    st.tuples(st.just("__iadd__"), st.lists(VALUES, max_size=3)),
    st.tuples(st.just("__setitem__"), INDEXES, VALUES),
    st.tuples(st.just("__setitem__"), SLICES, st.lists(VALUES, max_size=4)),
    st.tuples(st.just("__delitem__"), INDEXES),
    st.tuples(st.just("__delitem__"), SLICES),
)


def call(target, name, arguments):
    result = getattr(target, name)(*arguments)
    return None if result is target else result


@settings(120)
@given(st.lists(VALUES, max_size=6), st.lists(CHANGES, max_size=12), VALUES, INDEXES, SLICES)
def test_list_is_a_list(items, changes, value, index, where):
    made, model = List(items), list(items)
    for name, *arguments in changes:
        same(lambda: call(made, name, arguments), lambda: call(model, name, arguments))  # noqa: B023  called here
        assert plain(made) == plain(model)
    check_sequence(made, model, value, index, where)


@settings(50)
@given(st.lists(VALUES, max_size=5), VALUES)
def test_list_that_changes_during_an_iteration(items, value):
    def walk(sequence):
        seen = []
        for item in sequence:
            seen.append(item)
            if len(seen) <= len(items):
                sequence.append(value)
            if len(seen) == 2:
                sequence.pop(0)
        return seen

    assert plain(walk(List(items))) == plain(walk(list(items)))


# ---- mappings ----


def check_mapping(made, model, key, value):
    """What an immutable mapping can be asked."""
    assert len(made) == len(model) and bool(made) == bool(model)
    assert plain(made) == plain(model)
    assert list(made) == list(model) == list(made.keys()) and list(made.values()) == list(model.values())
    assert (key in made) == (key in model) == (key in made.keys())
    same(lambda: made[key], lambda: model[key])
    same(lambda: made.get(key), lambda: model.get(key))
    same(lambda: made.get(key, default=value), lambda: model.get(key, value))
    assert made.keys() == model.keys() and made.keys() & {key} == model.keys() & {key}
    assert ((key, value) in made.items()) == ((key, value) in model.items())
    assert (value in made.values()) == (value in model.values())
    assert made == model and made == type(made)(model) and hash(made) == hash(type(made)(model))
    assert made != {**model, "another key": value}


@settings(100)
@given(st.dictionaries(KEYS, VALUES, max_size=8), KEYS, VALUES)
def test_map_is_a_dict(items, key, value):
    made = Map(items)
    check_mapping(made, items, key, value)
    assert Map(items.items()) == made
    for copied in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert type(copied) is Map and list(copied) == list(items) and copied == made
    with pytest.raises(TypeError):
        made[key] = value


ENTRIES = st.dictionaries(KEYS, VALUES, max_size=4)
UPDATES = st.one_of(
    st.tuples(st.just("__setitem__"), KEYS, VALUES),
    st.tuples(st.just("__delitem__"), KEYS),
    st.tuples(st.just("pop"), KEYS),
    st.tuples(st.just("pop"), KEYS, VALUES),
    st.tuples(st.just("setdefault"), KEYS, VALUES),
    st.tuples(st.just("update"), ENTRIES),
    st.tuples(st.just("update"), ENTRIES.map(lambda entries: list(entries.items()))),
    st.tuples(st.just("clear")),
)


@settings(120)
@given(ENTRIES, st.lists(UPDATES, max_size=14), KEYS, VALUES)
def test_dict_is_a_dict(items, updates, key, value):
    made, model = Dict(items), dict(items)
    for name, *arguments in updates:
        same(lambda: call(made, name, arguments), lambda: call(model, name, arguments))  # noqa: B023  called here
        assert dict(plain(made)) == dict(plain(model))
        # As in the published library, a value for a key that is there may move the key to the end: when there are four
        # entries, the table changes its form first.
        model = {key: model[key] for key in made}
    check_mapping(made, model, key, value)
    while model:
        entry = made.popitem()
        assert model.pop(entry[0]) == entry[1]
    assert not made
    with pytest.raises(KeyError):
        made.popitem()
