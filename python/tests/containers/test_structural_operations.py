"""Structural comparison, walks and maps; access paths; JSON graphs; streams; helpers of utils."""

import dataclasses
import inspect

import pytest
import selfsame_ffi
from selfsame_ffi import (
    DefRegionKind,
    StructuralKey,
    VisitInterrupt,
    WalkResult,
    get_first_structural_mismatch,
    serialization,
    structural_equal,
    structural_hash,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)
from selfsame_ffi.access_path import AccessKind, AccessPath
from selfsame_ffi.utils import FileLock
from selfsame_ffi.utils.kwargs_wrapper import make_kwargs_wrapper, make_kwargs_wrapper_from_signature
from selfsame_ffi.utils.unpack_dataclass import unpack_dataclass_to_tuple


def nested():
    return selfsame_ffi.convert([1, [2, "a"], {"k": 3}])


def test_equal_hash_and_mismatch():
    assert structural_equal(nested(), nested()) and structural_hash(nested()) == structural_hash(nested())
    assert 0 <= structural_hash("x") < 1 << 64
    paths = get_first_structural_mismatch([1, [2]], [1, [3]])
    assert paths is not None
    steps = [(step.kind, step.key) for step in paths[0].to_steps()]
    assert steps == [(AccessKind.ARRAY_ITEM, 1), (AccessKind.ARRAY_ITEM, 0)]
    assert get_first_structural_mismatch(nested(), nested()) is None


def test_key_in_a_dict():
    table = {StructuralKey([1, 2]): "found"}
    assert table[StructuralKey([1, 2])] == "found" and StructuralKey([1]) not in table


def test_paths():
    path = AccessPath.root().attr("layers").array_item(2).map_item("k")
    assert path.depth == 3 and path.parent == AccessPath.root().attr("layers").array_item(2)
    assert path.parent.is_prefix_of(path) and not path.is_prefix_of(path.parent)
    assert path != AccessPath.root().attr_missing("layers")
    with pytest.raises(ValueError, match=r"AccessPath.root\(\)"):
        AccessPath()


def test_walk_order_skip_and_interrupt():
    seen = []
    assert structural_walk(nested(), ((int, str), seen.append)) is None
    assert seen[:3] == [1, 2, "a"]
    order = []
    structural_walk(selfsame_ffi.Array([1, 2]), lambda value: order.append(value), order="pre")
    assert isinstance(order[0], selfsame_ffi.Array) and order[1:] == [1, 2]

    def skip(value):
        return WalkResult.SKIP if isinstance(value, selfsame_ffi.Array) else order.append(value)

    order.clear()
    structural_walk(selfsame_ffi.Array([1]), skip, order="pre")
    assert order == []
    found = structural_walk(nested(), (str, VisitInterrupt))
    assert found is not None and found.value == "a"
    kinds = []
    structural_walk(1, with_def_region_kind=(int, lambda value, kind: kinds.append(kind)))
    assert kinds == [DefRegionKind.NONE]


def test_map_visit_and_mutate():
    assert structural_map(selfsame_ffi.Array([1, "a"]), (int, lambda value: value + 1)) == selfsame_ffi.Array([2, "a"])
    seen = []

    def visit(value, visitor):
        seen.append(type(value).__name__)
        return visitor.default_visit(value) if isinstance(value, selfsame_ffi.Array) else None

    structural_visit(selfsame_ffi.Array([1, "a"]), visit)
    assert seen == ["Array", "int", "str"]
    assert list(structural_mutate(selfsame_ffi.Array([1]), (int, lambda value, mutator: value * 10))) == [10]
    with pytest.raises(TypeError, match=r"must accept \(value, mutator\)"):
        structural_mutate(1, (int, lambda: 1))


@pytest.mark.parametrize("callbacks", [3, "ab", [1], [(int, 2)], (set, print), [(int, print, 1)]])
def test_wrong_callbacks(callbacks):
    with pytest.raises(TypeError, match="structural_walk callback"):
        structural_walk(1, callbacks)


def test_unknown_order():
    with pytest.raises(ValueError, match="Unknown structural map order"):
        structural_map(1, order="side")


def test_json_graph_keeps_sharing():
    shared = selfsame_ffi.Array([1])
    text = serialization.to_json_graph_str(selfsame_ffi.Array([shared, shared]), {"version": "1"})
    again = serialization.from_json_graph_str(text)
    assert again[0].same_as(again[1]) and list(again[0]) == [1]


def test_stream_of_a_device():
    device = selfsame_ffi.device("cuda:0")
    with selfsame_ffi.use_raw_stream(device, 64):
        with selfsame_ffi.use_raw_stream(device, 128):
            assert selfsame_ffi.get_raw_stream(device) == 128
        assert selfsame_ffi.get_raw_stream(device) == 64
    for wrong in (-1, 2**64):
        with pytest.raises(OverflowError), selfsame_ffi.use_raw_stream(device, wrong):
            pass
    assert selfsame_ffi.get_raw_stream(device) == 0
    with pytest.raises(ValueError, match="int or c_void_p"):
        selfsame_ffi.use_raw_stream(device, "stream")


def test_keyword_arguments_around_positional_ones():
    def flat(*args):
        return args

    wrapper = make_kwargs_wrapper(flat, ["a", "b"], (2,), ["c"], {"c": None})
    assert wrapper(1) == (1, 2, None) and wrapper(b=1, a=0, c=[3]) == (0, 1, [3])
    assert str(inspect.signature(make_kwargs_wrapper(flat, ["a"], (True,)))) == "(a=True)"

    def prototype(x, *, y=3):
        """Documented."""

    made = make_kwargs_wrapper_from_signature(flat, inspect.signature(prototype), prototype)
    assert made(1) == (1, 3) and made.__doc__ == "Documented."
    for names in (["a", "a"], ["for"], ["a b"], ["__i_unpack"]):
        with pytest.raises(ValueError):
            make_kwargs_wrapper(flat, names)


def test_dataclasses_as_tuples():
    @dataclasses.dataclass
    class Inner:
        x: int

    @dataclasses.dataclass
    class Outer:
        inner: Inner
        many: list

    assert unpack_dataclass_to_tuple(Outer(Inner(1), [Inner(2)])) == ((1,), [(2,)])
    assert unpack_dataclass_to_tuple({"a": Inner(1)}) == {"a": (1,)}


def test_lock_file(tmp_path):
    path = str(tmp_path / "lock")
    with FileLock(path) as held:
        assert not held.acquire() and not FileLock(path).acquire()
        with pytest.raises(TimeoutError):
            FileLock(path).blocking_acquire(timeout=0.05, poll_interval=0.01)
        with pytest.raises(RuntimeError, match="already held"):
            held.blocking_acquire()
    assert FileLock(path).acquire()
