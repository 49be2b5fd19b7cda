"""Declaring classes in Python: field options, inheritance, constructors, forward references, methods."""

import functools
import gc
import inspect
import itertools
from typing import Any, Optional

import pytest
import selfsame_ffi
from selfsame_ffi import Object, method
from selfsame_ffi.dataclasses import KW_ONLY, field, fields, init_property, py_class, replace

_numbers = itertools.count()


def key():
    return f"test_py_class_declaration.T{next(_numbers)}"


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: a native type and its Functions live as long as the process."""


def test_default_containers_are_not_shared():
    @py_class(key())
    class Holder(Object):
        values: list[int] = [1]  # noqa: RUF012
        table: dict[str, int] = field(default_factory=dict)

    first, second = Holder(), Holder()
    first.values.append(2)
    first.table["a"] = 1
    assert list(second.values) == [1] and len(second.table) == 0


def test_frozen_field_and_escape():
    @py_class(key(), frozen=True)
    class Point(Object):
        x: int

    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2
    Point.x.set(point, 3)
    assert point.x == 3 and replace(point, x=4).x == 4


def test_a_frozen_class_takes_no_attributes():
    @py_class(key(), frozen=True)
    class Point(Object):
        x: int

        @property
        def double(self) -> int:
            return 2 * self.x

        @double.setter
        def double(self, value: int) -> None:
            Point.x.set(self, value // 2)

        @functools.cached_property
        def text(self) -> str:
            return f"at {self.x}"

    class Open(Point):
        pass

    point = Point(1)
    for change in (lambda: setattr(point, "y", 2), lambda: delattr(point, "y"), lambda: setattr(point, "x", 2)):
        with pytest.raises(AttributeError):
            change()
    point.double = 6
    assert (point.x, point.text, point.__dict__) == (3, "at 3", {"text": "at 3"})
    other = Open(1)
    other.y = 2  # as with dataclasses: the derived class is not frozen
    assert other.y == 2


def test_every_storage():
    @py_class(key())
    class All(Object):
        i: int
        f: float
        b: bool
        s: str
        data: bytes
        any: Any
        device: selfsame_ffi.Device
        kind: selfsame_ffi.dtype
        call: Any
        many: tuple[int, ...]

    values = (1, 2.5, True, "a longer text", b"some more bytes", [1], selfsame_ffi.device("cpu:0"), "int8", len, (1, 2))
    made = All(*values)
    assert (made.i, made.f, made.b, made.s, made.data) == values[:5]
    assert list(made.any) == [1] and made.device == values[6] and made.kind == "int8" and list(made.many) == [1, 2]
    assert made.call([1, 2, 3]) == 3
    made.b, made.s, made.any = False, "b", None
    assert (made.b, made.s, made.any) == (False, "b", None)
    layout = {each.name: (each.offset, each.size) for each in All.__tvm_ffi_type_info__.fields}
    assert layout["i"] == (24, 8) and layout["b"] == (40, 1) and layout["s"] == (48, 16)


def test_inheritance_and_keyword_only():
    @py_class(key())
    class Base(Object):
        a: int
        b: int = 2

    @py_class(key())
    class Derived(Base):
        c: int
        _: KW_ONLY
        d: int = 4

    made = Derived(1, 3)
    assert (made.a, made.b, made.c, made.d) == (1, 2, 3, 4)
    assert list(inspect.signature(Derived).parameters) == ["a", "c", "b", "d"]
    assert Derived.__match_args__ == ("a", "b", "c")
    assert isinstance(made, Base) and [each.name for each in fields(Derived)] == ["a", "b", "c", "d"]
    with pytest.raises(TypeError):
        Derived(1, 2, 3, 4)


def test_own_constructor_post_init_and_computed_field():
    @py_class(key())
    class Own(Object):
        x: int
        y: int = 0

        def __init__(self, total):
            self.x = total * 2

    assert Own(4).x == 8 and Own(4).y == 0

    @py_class(key())
    class Filled(Object):
        x: int
        y: float = 1.5
        items: list[int] = field(default_factory=list)

        def __init__(self, text, **more):
            self.__ffi_init__(len(text), **more)

    made = Filled("abc", items=[1])
    assert (made.x, made.y, list(made.items)) == (3, 1.5, [1])
    again, handle = Filled("a"), made.__chandle__()
    assert again.items is not Filled("a").items and again.y == 1.5
    for call in (lambda: made.__init__("b"), lambda: made.__ffi_init__(5), lambda: made.__ffi_init__()):
        with pytest.raises(TypeError, match="initialised already"):
            call()
    assert made.x == 3 and made.__chandle__() == handle
    with pytest.raises(TypeError, match=r"\.y: expected float, got str"):
        Filled("a", y="b")
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        Filled("a", z=1)

    @py_class(key())
    class Derived(Filled):
        z: int = 7

        def __init__(self, text):
            super().__init__(text, z=8)

    assert (Derived("abcd").x, Derived("abcd").z) == (4, 8)

    @py_class(key())
    class After(Object):
        x: int
        seen: list[int] = field(default_factory=list, init=False)

        @init_property
        def double(self) -> int:
            return self.x * 2

        def __post_init__(self):
            self.seen.append(self.double)

    assert After(3).double == 6 and list(After(3).seen) == [6]


def test_class_named_before_it_exists():
    @py_class(key())
    class Early(Object):
        other: Optional["LateInThisModule"] = None  # noqa: F821

    assert Early.__tvm_ffi_type_info__.fields is None
    with pytest.raises(TypeError, match="unresolved forward references.*LateInThisModule"):
        Early()

    @py_class(key())
    class Early2(Object):
        other: Optional["LateInThisModule2"] = None

    @py_class(key())
    class LateInThisModule2(Object):
        early: Early2

    assert LateInThisModule2(Early2()).early.other is None


def test_failed_class_leaves_its_key_free():
    name = key()
    with pytest.raises(TypeError, match="Cannot convert"):

        @py_class(name)
        class Wrong(Object):
            x: list[3]

    @py_class(name)
    class Right(Object):
        x: int

    assert Right(1).x == 1
    with pytest.raises(ValueError, match="already registered"):
        py_class(name)(type("Other", (Object,), {}))


def test_equality_order_and_hash():
    @py_class(key(), eq=True, order=True, unsafe_hash=True)
    class Version(Object):
        major: int
        minor: int = field(default=0, compare=False)

    assert Version(1, 5) == Version(1, 6) and Version(1) < Version(2) and hash(Version(3)) == hash(Version(3))
    assert Version(1) != "1"

    @py_class(key())
    class Plain(Object):
        x: int

    plain = Plain(1)
    assert plain != Plain(1) and plain == plain


def test_state_of_the_class_s_objects_survives():
    @py_class(key())
    class Kept(Object):
        next: Optional["Kept"] = None

    class Remembering(Kept):
        pass

    holder = Kept(next=Kept())
    holder.next.extra = [1]
    gc.collect()
    assert holder.next.extra == [1]
    assert isinstance(Remembering(), Kept)


def test_methods_for_native_code():
    @py_class(key())
    class Shape(Object):
        side: int

        @method
        def area(self, scale: int) -> int:
            return self.side * self.side * scale

        @method
        @staticmethod
        def unit() -> int:
            return 1

        def __ffi_repr__(self, printer) -> str:
            return f"<{self.side}>"

    methods = {each.name: each for each in Shape.__tvm_ffi_type_info__.methods}
    assert methods["area"].func(Shape(3), 2) == 18 and methods["unit"].func() == 1
    assert methods["unit"].is_static
    assert repr(Shape(4)) == "<4>"
    with pytest.raises(TypeError, match="classmethod"):
        method(classmethod(lambda cls: None))


def test_class_call_sees_what_the_class_has_become():
    @py_class(key())
    class Plain(Object):
        x: int

    class Derived(Plain):
        pass

    class OwnNew(Plain):
        def __new__(cls, *args):
            made = super().__new__(cls)
            made.seen = args
            return made

    assert Plain(x=1).x == 1 and Derived(2).x == 2 and OwnNew(3).seen == (3,)
    original = Plain.__init__

    def doubled(self, x):
        original(self, x * 2)

    Plain.__init__ = doubled
    assert Plain(4).x == 8 and Derived(5).x == 10
    Plain.__init__ = original
    Plain.__new__ = lambda cls, *args: None
    assert Plain(1) is None


def test_constructor_that_raises_at_its_end():
    @py_class(key())
    class Refusing(Object):
        x: int

        def __post_init__(self):
            raise ValueError(self.x)

    with pytest.raises(ValueError, match="3"):
        Refusing(3)
