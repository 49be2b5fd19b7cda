"""A deep copy is the same whether the runtime or Python makes it: what is shared, what has state, what says no."""

# Requirement: C11

from __future__ import annotations

import copy
from typing import Any, Optional

import pytest
import selfsame_ffi
from selfsame_ffi.dataclasses import field, py_class


@py_class("testing.deep.Point")
class Point(selfsame_ffi.Object):
    x: int
    rest: Any = None
    __slots__ = ()


@py_class("testing.deep.Open")
class Open(selfsame_ffi.Object):
    x: int
    rest: Any = None


@py_class("testing.deep.Fixed", frozen=True)
class Fixed(selfsame_ffi.Object):
    x: int
    rest: Any = None


@py_class("testing.deep.Chain")
class Chain(selfsame_ffi.Object):
    before: Optional[Chain] = None  # noqa: UP045  # for 3.9
    items: list[Any] = field(default_factory=list)


@py_class("testing.deep.Counted")
class Counted(selfsame_ffi.Object):
    x: int

    def __deepcopy__(self, memo: Any) -> Any:
        return Counted(self.x + 1)


@py_class("testing.deep.Stated")
class Stated(selfsame_ffi.Object):
    x: int

    def __getstate__(self) -> Any:
        return {"from": self.x}

    def __setstate__(self, state: Any) -> None:
        self.state = state


@py_class("testing.deep.Refusing")
class Refusing(selfsame_ffi.Object):
    x: int

    def __deepcopy__(self, memo: Any) -> Any:
        raise ValueError("not this one")


CLASSES = [Point, Open, Fixed]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("held", [True, False])
def test_objects_in_containers_are_copied(cls, held):
    for _ in range(2):  # the second time the runtime knows the class
        kept = [cls(i, selfsame_ffi.List([i])) for i in range(3)]
        made = selfsame_ffi.Array([*kept, selfsame_ffi.Map({"a": kept[0]}), cls(9)])
        if not held:
            kept.clear()
        copied = copy.deepcopy(made)
        assert [type(each) for each in copied] == [cls, cls, cls, selfsame_ffi.Map, cls]
        assert [copied[i].x for i in (0, 1, 2, 4)] == [0, 1, 2, 9] and copied[3]["a"] is copied[0]
        copied[0].rest.append(5)
        assert copied[0] is not made[0] and (made[0].rest, copied[0].rest) == ([0], [0, 5])


@pytest.mark.parametrize("cls", CLASSES)
def test_what_objects_share_is_shared_in_one_deep_copy(cls):
    for _ in range(2):
        inner = cls(1)
        first, second = cls(2, inner), selfsame_ffi.Array([inner, inner])
        pair = copy.deepcopy((first, second, inner))
        assert pair[0].rest is pair[1][0] is pair[1][1] is pair[2] is not inner
        memo: dict[int, Any] = {}
        again = copy.deepcopy(second, memo)
        assert copy.deepcopy(first, memo).rest is again[0] and copy.deepcopy(inner, memo) is again[0]
        chosen = cls(7)
        assert copy.deepcopy(second, {id(inner): chosen})[1] is chosen


def test_objects_without_wrappers_are_shared_in_one_deep_copy():
    for _ in range(2):
        inner = Point(1)
        first, second = selfsame_ffi.Array([inner]), selfsame_ffi.Array([inner])
        del inner
        a, b = copy.deepcopy((first, second))
        assert a[0] is b[0] is not first[0]


def test_attributes_of_objects_inside_are_copied():
    for _ in range(2):
        tagged = Open(1)
        tagged.tag = [1]
        copied = copy.deepcopy(selfsame_ffi.Array([Open(0, tagged), tagged]))
        assert copied[1].tag == [1] and copied[1].tag is not tagged.tag and copied[0].rest is copied[1]


def test_classes_inside_that_say_how_they_are_copied_are_asked():
    for _ in range(2):
        copied = copy.deepcopy(selfsame_ffi.Array([Point(1, Counted(1)), Counted(5), Stated(3)]))
        assert (copied[0].rest.x, copied[1].x, copied[2].x, copied[2].state) == (2, 6, 3, {"from": 3})


def test_subclasses_inside_are_copied_as_such():
    class Lean(Point):
        __slots__ = ()

    for _ in range(2):
        lean = Lean(4)
        assert type(copy.deepcopy(selfsame_ffi.Array([lean]))[0]) is Lean
        assert type(copy.deepcopy(Point(1, lean)).rest) is Lean


def test_functions_tensors_and_opaque_values_inside_are_copied():
    function = selfsame_ffi.get_global_func("ffi.Map")
    tensor = selfsame_ffi.from_dlpack(memory := selfsame_ffi._core.tensor_from_bytes((0, 8, 1), (2,), b"ab"))
    for _ in range(2):
        copied = copy.deepcopy(selfsame_ffi.Array([Point(1, function), Point(2, tensor), Point(3, {1, 2})]))
        assert copied[0].rest is function and bytes(copied[1].rest) == b"ab" and copied[1].rest is not tensor
        assert copied[2].rest == {1, 2}
    assert bytes(memory) == b"ab"


def test_cycles_and_long_chains_are_copied():
    for _ in range(2):
        one = Chain()
        one.items.append(one)
        one.items.append(selfsame_ffi.Array([one]))
        copied = copy.deepcopy(one)
        assert copied is not one and copied.items[0] is copied and copied.items[1][0] is copied
        one.items.clear()
        copied.items.clear()
    last: Any = None
    for _ in range(150):  # where the runtime does not copy, Python takes several frames for each
        last = Chain(last)
    copied = copy.deepcopy(last)
    depth = 0
    while copied is not None:
        copied, depth = copied.before, depth + 1
    assert depth == 150


def test_what_fails_in_a_deep_copy_changes_no_memo():
    memo: dict[int, Any] = {}
    with pytest.raises(ValueError, match="not this one"):
        copy.deepcopy(selfsame_ffi.Array([Refusing(1)]), memo)
    assert not any(isinstance(value, selfsame_ffi.Array) for value in memo.values())
