"""Values that reach the same container on many paths: time and text grow with the containers, not with the paths."""

# Requirement: A13

import pytest
import selfsame_ffi
from selfsame_ffi import structural

LEVELS = 60  # 2 to the 60th paths


def shared(make, last):
    value = make(last, last)
    for _ in range(LEVELS):
        value = make(value, value)
    return value


MAKERS = {
    "Array": lambda a, b: selfsame_ffi.Array([a, b]),
    "List": lambda a, b: selfsame_ffi.List([a, b]),
    "Map": lambda a, b: selfsame_ffi.Map({"a": a, "b": b}),
    "Dict": lambda a, b: selfsame_ffi.Dict({"a": a, "b": b}),
    "mixed": lambda a, b: selfsame_ffi.Array([selfsame_ffi.Dict({1: a}), selfsame_ffi.List([b]), a]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_equality_and_hash_take_no_time_per_path(native, name):
    make = MAKERS[name]
    one, same, other = shared(make, 1), shared(make, 1), shared(make, 2)
    assert structural.structural_equal(one, same) and not structural.structural_equal(one, other)
    assert structural.structural_hash(one) == structural.structural_hash(same) != structural.structural_hash(other)
    assert one == same and one != other
    if name in ("Array", "Map"):
        assert hash(one) == hash(same)


@pytest.mark.parametrize("name", MAKERS)
def test_repr_is_cut(native, name):
    text = repr(shared(MAKERS[name], 7))
    assert 1 << 19 < len(text) < 3 << 20 and "..." in text


def test_a_small_repr_is_whole(native):
    inner = selfsame_ffi.Array([1, 2])
    assert repr(selfsame_ffi.List([inner, inner])) == "[(1, 2), (1, 2)]"
