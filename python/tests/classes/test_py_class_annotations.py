"""Annotations of a class declared in Python that are no types by themselves: NewType, Literal, Final, InitVar."""

import dataclasses
import itertools
from typing import Annotated, ClassVar, Final, Literal, NewType, Optional

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
    with pytest.raises(TypeError, match="most: Final without a default needs a type"):

        @py_class(key())
        class Limits(Object):
            most: Final


@pytest.mark.parametrize(
    "annotation",
    [dataclasses.InitVar[int], dataclasses.InitVar, "dataclasses.InitVar[int]", "InitVar[list[int]]", "InitVar"],
)
def test_an_init_var_is_refused_with_what_to_write(annotation):
    body = {"__annotations__": {"start": annotation}, "__module__": __name__}
    with pytest.raises(TypeError, match=r"Counter\.start: InitVar is no field, .* write an __init__"):
        py_class(key())(type("Counter", (Object,), body))


def test_what_the_refusal_says_to_write_works():
    @py_class(key())
    class Counter(Object):
        count: int

        def __init__(self, start: str) -> None:
            self.count = len(start)

    assert Counter("abc").count == 3
