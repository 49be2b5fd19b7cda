"""Annotations of a class declared in Python that name no native type: NewType, Final, InitVar, classes of Python."""

import collections.abc
import copy
import dataclasses
import datetime
import decimal
import enum
import inspect
import itertools
import pathlib
from typing import Annotated, ClassVar, Final, Generic, Literal, NewType, Optional, TypeVar

import pytest
from selfsame_ffi import Object, method
from selfsame_ffi.core import TypeSchema
from selfsame_ffi.dataclasses import field, fields, py_class
from selfsame_ffi.dataclasses.common import asdict

_numbers = itertools.count()

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)


def key():
    return f"test_py_class_annotations.T{next(_numbers)}"


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: a native type and its Functions live as long as the process."""


def test_a_new_type_is_the_type_that_it_is_made_of():
    @py_class(key())
    class Account(Object):
        owner: UserId
        admins: list[AdminId] = field(default_factory=list)
        parent: Optional[UserId] = None

        @method
        def next(self, step: UserId) -> AdminId:
            return AdminId(UserId(self.owner + step))

    account = Account(UserId(3), [AdminId(UserId(4))])
    assert (account.owner, list(account.admins), account.parent, account.next(UserId(1))) == (3, [4], None, 4)
    with pytest.raises(TypeError, match="owner"):
        account.owner = "three"


def test_a_literal_has_the_type_of_its_values():
    @py_class(key())
    class Job(Object):
        state: Literal["open", "done"] = "open"
        level: Literal[1, 2, "high"] = 1
        reason: Literal["late", None] = None
        urgent: Optional[Literal[True]] = None

    job = Job("done", "high", "late", True)
    assert asdict(job) == {"state": "done", "level": "high", "reason": "late", "urgent": True} and Job().reason is None
    with pytest.raises(TypeError, match="state"):
        job.state = 3
    with pytest.raises(TypeError, match="level"):
        job.level = [1]
    assert TypeSchema.from_annotation(Literal["a", "b"]) == TypeSchema.from_annotation(str)


def test_a_final_field_is_one_of_its_type():
    @py_class(key())
    class Limits(Object):
        most: Final[int]
        least: Final = 1
        name: Annotated[Final[str], "shown"] = "limits"
        KIND: ClassVar[str] = "no field"

    limits = Limits(3)
    assert (limits.most, limits.least, limits.name) == (3, 1, "limits")
    assert [one.name for one in fields(Limits)] == ["most", "least", "name"]
    with pytest.raises(TypeError, match="most"):
        Limits("3")
    with pytest.raises(TypeError, match="least"):
        Limits(3, "1")


def test_texts_of_annotations_are_the_same():
    @py_class(key())
    class Texts(Object):
        owner: "UserId"
        state: "Literal['a']"
        most: "Final[int]" = 3

    assert Texts(UserId(1), "a").most == 3
    with pytest.raises(TypeError, match="owner"):
        Texts("x", "a")


def test_a_final_without_type_and_default_is_refused():
    with pytest.raises(TypeError, match=r"Limits\.most: Final without a default needs a type"):

        @py_class(key())
        class Limits(Object):
            most: Final


@pytest.mark.parametrize(
    "annotation", [dataclasses.InitVar[int], dataclasses.InitVar, "dataclasses.InitVar[int]", "InitVar"]
)
def test_an_init_var_is_an_argument_of_the_constructor_and_no_field(annotation):
    def __post_init__(self, start, step):
        self.total = start * self.count + step

    body = {
        "__annotations__": {"count": int, "start": annotation, "total": int, "step": annotation},
        "__module__": __name__,
        "total": field(default=0, init=False),
        "step": 100,
        "__post_init__": __post_init__,
    }
    Counter = py_class(key())(type("Counter", (Object,), body))
    assert (Counter(2, 3).total, Counter(2, start=3, step=1).total, Counter.step) == (106, 7, 100)
    assert [one.name for one in fields(Counter)] == ["count", "total"]
    assert str(inspect.signature(Counter.__init__)).startswith("(self, count, start, step=")
    with pytest.raises(TypeError, match=r"__init__: missing a required argument: 'start'"):
        Counter(2)

    class Derived(Counter):
        more: int = 5

    Derived = py_class(key())(Derived)
    assert (Derived(2, 3, 1, 7).more, Derived(2, 3).total) == (7, 106)


def test_a_constructor_of_the_class_itself_knows_no_init_vars():
    @py_class(key())
    class Counter(Object):
        count: int
        start: dataclasses.InitVar[str]

        def __init__(self, start: str) -> None:
            self.count = len(start)

    assert Counter("abc").count == 3


class Color(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


NOON = datetime.datetime(2026, 1, 2, 12)
HELD = {
    "datetime": (datetime.datetime, NOON, "noon"),
    "date": (datetime.date, NOON.date(), 3),
    "timedelta": (datetime.timedelta, datetime.timedelta(days=1), 1.5),
    "Path": (pathlib.Path, pathlib.Path("/tmp/x"), object()),
    "Enum": (Color, Color.RED, 1),
    "IntEnum": (Level, Level.LOW, "LOW"),
    "set": (set, {1, 2}, [1, 2]),
    "set of str": (set[str], {"a"}, {1}),
    "frozenset": (frozenset[int], frozenset({1}), frozenset({"a"})),
    "Set": (collections.abc.Set, frozenset({1}), [1]),
    "Decimal": (decimal.Decimal, decimal.Decimal("1.5"), 1.5),
    "complex": (complex, 1j, "1j"),
}


@pytest.mark.parametrize("name", HELD)
def test_a_value_without_a_native_form_is_held_as_it_is(name):
    hint, value, other = HELD[name]
    body = {"__annotations__": {"held": hint, "many": list[hint], "maybe": Optional[hint]}, "__module__": __name__}
    Holder = py_class(key(), eq=True)(type("Holder", (Object,), {**body, "maybe": value}))
    holder = Holder(value, [value])
    assert holder.held is value and holder.many[0] is value and holder.maybe is value
    assert Holder(value, [], None).maybe is None and repr(value) in repr(holder)
    assert holder == Holder(copy.copy(value), [copy.copy(value)]) and holder != Holder(value, [])
    with pytest.raises(TypeError, match=r"held.*expected"):
        holder.held = other
    with pytest.raises(TypeError, match="many"):
        Holder(value, [other])
    assert holder.held is value
    with pytest.raises(TypeError, match="Cannot convert"):
        TypeSchema.from_annotation(hint)


def test_abstract_containers_are_the_native_ones():
    @py_class(key())
    class Holder(Object):
        names: collections.abc.Sequence[str]
        sizes: collections.abc.Mapping[str, int]
        more: collections.abc.MutableSequence[int]
        table: collections.abc.MutableMapping[str, int]
        anything: collections.abc.Iterable = ()

    holder = Holder(("a", "b"), {"a": 1}, [1], {"b": 2}, [1, "x"])
    assert (list(holder.names), dict(holder.sizes), list(holder.anything)) == (["a", "b"], {"a": 1}, [1, "x"])
    holder.more.append(2)
    holder.table["c"] = 3
    assert (list(holder.more), dict(holder.table)) == ([1, 2], {"b": 2, "c": 3})
    with pytest.raises(TypeError, match="names"):
        holder.names = [1]


T = TypeVar("T")
N = TypeVar("N", int, str)
B = TypeVar("B", bound=int)


def test_a_type_variable_is_what_it_may_stand_for():
    @py_class(key())
    class Box(Object, Generic[T, N, B]):
        value: T
        number: N
        bound: list[B]

    box = Box([1], "a", [2])
    assert (list(box.value), box.number, list(box.bound)) == ([1], "a", [2])
    with pytest.raises(TypeError, match="number"):
        Box(1, 1.5, [])
    with pytest.raises(TypeError, match="bound"):
        Box(1, 1, ["a"])

    @py_class(key())
    class Crate(Object):
        box: Box[int, str, int]

    assert Crate(box).box.same_as(box)


def test_a_refused_annotation_names_class_and_field():
    with pytest.raises(TypeError, match=r"^Holder\.wrong: Cannot convert 3"):

        @py_class(key())
        class Holder(Object):
            wrong: Optional[list[3]]
