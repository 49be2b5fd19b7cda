"""Sets of Python and maps of Go to struct{}, and sets as slices."""

# Requirement: D10

import typing

import pytest
import selfsame_ffi

SETS = [set(), {"a"}, {"a", "a text with more than seven letters", ""}, frozenset({"x", "y"})]


@pytest.mark.parametrize("value", SETS, ids=repr)
def test_a_set_of_text_arrives_as_it_is(go, value):
    assert go.show_set(value) == "[" + " ".join(sorted(value)) + "]"
    assert go.named_set(value) == value
    assert type(go.named_set(value)) is set


def test_sets_of_numbers_and_objects(go):
    assert go.union({1, 2}, frozenset({2, -(2**63)})) == {1, 2, -(2**63)}
    assert go.union(set(range(1000)), set()) == set(range(1000))
    assert go.small_set({-128, 127}) == {-128, 127}
    counters = {go.Counter(i) for i in range(3)}
    assert go.counter_set(counters) == counters
    assert go.any_set({1, "a", None, 2.5}) == {1, "a", None, 2.5}
    assert go.nil_set() == set()


def test_other_collections_of_the_elements_are_sets_too(go):
    for value in (
        {"b": 1, "a": 2}.keys(),
        ["b", "a", "b"],
        ("a", "b"),
        iter(["a", "b"]),
        selfsame_ffi.Array(["a", "b"]),
    ):
        assert go.show_set(value) == "[a b]"


def test_sets_inside_of_others(go):
    groups = go.set_groups({"x": {"a", "b"}, "y": {"c"}})
    assert sorted(sorted(group) for group in groups) == [["a", "b"], ["c"]]
    record = go.set_in_record({"names": {"a"}})
    assert record.names == {"a"}
    assert go.set_in_record(type(record)()).names == set()


def test_what_is_no_set_is_refused_in_words(go):
    begin = r"^signatures.show_set: argument 'texts': expected set\[str\], got "
    for wrong, got in (
        ({"a": 1}, "dict"),
        ("text", "str"),
        (None, "None"),
        (object(), "object"),
    ):
        with pytest.raises(TypeError, match=begin + ".*" + got):
            go.show_set(wrong)
    for wrong in ({1}, ["a", 1], {"a", 1}, {("a", "b")}):
        with pytest.raises(TypeError, match=begin):
            go.show_set(wrong)
    with pytest.raises(OverflowError, match="int8"):
        go.small_set({128})
    with pytest.raises(TypeError, match="not comparable"):
        go.any_set({b"bytes are a slice in Go"})


@pytest.mark.usefixtures("collected")
def test_a_slice_accepts_a_set(go):
    counters = {go.Counter(i) for i in range(3)}
    assert set(go.counter_list(counters)) == counters
    assert go.copied_float64({1.5})[1] == "[1.5]"
    assert go.copied_int64(frozenset({7}))[1] == "[7]"
    with pytest.raises(TypeError, match=r"expected list\[int\], got str at \[0\]"):
        go.copied_int64({"a"})
    with pytest.raises(TypeError, match="got set"):
        go.borrowed_list(counters)  # nothing keeps what is in a set alive while Go uses it


def test_annotations_say_set(go):
    hints = typing.get_type_hints(go.named_set.__wrapped__)
    assert hints["return"] == typing.Set[str]  # noqa: UP006
    assert hints["s"] == typing.AbstractSet[str]
