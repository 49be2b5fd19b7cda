"""The classes of the test library."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .. import _core, _ffi_api
from .._calls.messages import no_attribute
from .._device import Device
from .._dtype import dtype
from ..core import Object
from ..dataclasses import IntEnum, StrEnum, c_class, entry
from ..registry import get_global_func


def _requires(*version: int) -> Any:
    import pytest  # type: ignore[import-not-found]

    text = ".".join(map(str, version))
    return pytest.mark.skipif(sys.version_info < version, reason=f"requires Python {text}+")


def __getattr__(name: str) -> Any:  # pytest is imported only by tests that use its marks
    marks = {"requires_py310": (3, 10), "requires_py312": (3, 12), "requires_py313": (3, 13)}
    if name not in marks:
        raise no_attribute(sys.modules[__name__], name)
    return _requires(*marks[name])


class _NotATest:
    """pytest collects classes whose names begin with Test unless they say this."""

    __slots__ = ()
    __test__: ClassVar[bool] = False


@c_class("testing.TestObjectBase")
class TestObjectBase(_NotATest, Object):
    """Numbers and text with defaults."""

    __slots__ = ()

    v_i64: int
    v_f64: float
    v_str: str


@c_class("testing.TestObjectDerived")
class TestObjectDerived(TestObjectBase):
    """With containers."""

    __slots__ = ()

    v_map: Mapping[Any, Any]
    v_array: Sequence[Any]


@c_class("testing.TestIntPair")
class TestIntPair(_NotATest, Object):
    """Two numbers."""

    __slots__ = ()

    a: int
    b: int


@c_class("testing.TestFrozenCxx", frozen=True)
class TestFrozenCxx(_NotATest, Object):
    """Fields that are writable for C++ and read-only in Python."""

    value: int
    tag: str


@c_class("testing.TestObjectPtrHolder")
class TestObjectPtrHolder(_NotATest, Object):
    """Pointers to objects, one of which may be None."""

    value: TestObjectBase
    optional_value: TestObjectBase | None


@c_class("testing.TestNonCopyable")
class TestNonCopyable(_NotATest, Object):
    """A C++ class without a copy constructor."""

    value: int


@c_class("testing.SchemaAllTypes")
class _SchemaAllTypes(Object):
    v_bool: bool
    v_int: int
    v_float: float
    v_device: Device
    v_dtype: dtype
    v_string: str
    v_bytes: bytes
    v_opt_int: int | None
    v_opt_str: str | None
    v_arr_int: Sequence[int]
    v_arr_str: Sequence[str]
    v_map_str_int: Mapping[str, int]
    v_map_str_arr_int: Mapping[str, Sequence[int]]
    v_variant: str | Sequence[int] | Mapping[str, int]
    v_opt_arr_variant: Sequence[int | str] | None


@c_class("testing.TestCompare")
class TestCompare(_NotATest, Object):
    """A field that comparisons leave out."""

    key: int
    name: str
    ignored_field: int


@c_class("testing.TestHash")
class TestHash(_NotATest, Object):
    """A field that hashes leave out."""

    key: int
    name: str
    hash_ignored: int


@c_class("testing.TestCustomHash")
class TestCustomHash(_NotATest, Object):
    """A hash of its own, by the key."""

    key: int
    label: str


@c_class("testing.TestCustomCompare")
class TestCustomCompare(_NotATest, Object):
    """A comparison of its own, by the key."""

    key: int
    label: str


@c_class("testing.TestEqWithoutHash")
class TestEqWithoutHash(_NotATest, Object):
    """Equality of its own without a hash."""

    key: int
    label: str


@c_class("testing.TestCxxClassBase")
class _TestCxxClassBase(Object):
    v_i64: int
    v_i32: int
    not_field_1 = 1
    not_field_2: ClassVar[int] = 2

    def __init__(self, v_i64: int, v_i32: int) -> None:
        index = type(self).__tvm_ffi_type_index__
        self.__init_handle_by_constructor__(_core.type_attr(index, "__ffi_init__"), v_i64 + 1, v_i32 + 2)


@c_class("testing.TestCxxClassDerived", eq=True, order=True, unsafe_hash=True)
class _TestCxxClassDerived(_TestCxxClassBase):
    v_f64: float
    v_f32: float


@c_class("testing.TestCxxClassDerivedDerived")
class _TestCxxClassDerivedDerived(_TestCxxClassDerived):
    v_str: str
    v_bool: bool


class _TestCxxIntEnum(IntEnum, type_key="testing.TestCxxIntEnum"):
    low = entry(value=10)
    high = entry(value=20)


class _TestCxxStrEnum(StrEnum, type_key="testing.TestCxxStrEnum"):
    add = entry(value="+")
    mul = entry(value="*")


@c_class("testing.TestCxxEnumHolder")
class _TestCxxEnumHolder(_NotATest, Object):
    priority: _TestCxxIntEnum
    opcode: _TestCxxStrEnum


@c_class("testing.TestCxxInitSubset")
class _TestCxxInitSubset(Object):
    required_field: int
    optional_field: int
    note: str


@c_class("testing.TestCxxKwOnly")
class _TestCxxKwOnly(Object):
    x: int
    y: int
    z: int
    w: int


@c_class("testing.TestCxxAutoInit")
class _TestCxxAutoInit(_NotATest, Object):
    a: int
    b: int
    c: int
    d: int


@c_class("testing.TestCxxAutoInitSimple")
class _TestCxxAutoInitSimple(_NotATest, Object):
    x: int
    y: int


@c_class("testing.TestCxxAutoInitAllInitOff")
class _TestCxxAutoInitAllInitOff(_NotATest, Object):
    x: int
    y: int
    z: int


@c_class("testing.TestCxxAutoInitKwOnlyDefaults")
class _TestCxxAutoInitKwOnlyDefaults(_NotATest, Object):
    p_required: int
    p_default: int
    k_required: int
    k_default: int
    hidden: int


@c_class("testing.TestCxxNoAutoInit", init=False)
class _TestCxxNoAutoInit(_NotATest, Object):
    x: int
    y: int


@c_class("testing.TestCxxAutoInitParent")
class _TestCxxAutoInitParent(_NotATest, Object):
    parent_required: int
    parent_default: int


@c_class("testing.TestCxxAutoInitChild")
class _TestCxxAutoInitChild(_TestCxxAutoInitParent):
    child_required: int
    child_kw_only: int


def create_object(type_key: str, **kwargs: Any) -> Any:
    """Return an object of a native type, made by reflection from its fields' values."""
    flat = [part for pair in kwargs.items() for part in pair]
    return _ffi_api.MakeObjectFromPackedArgs(type_key, *flat)


def make_unregistered_object() -> Any:
    """Return an object of a type that no Python class is registered for."""
    return get_global_func("testing.make_unregistered_object")()


def add_one(x: int) -> int:
    """One more than a number."""
    return get_global_func("testing.add_one")(x)


__all__ = [_name for _name, _value in list(globals().items()) if _name.lstrip("_").startswith("Test")]
__all__ += ["_SchemaAllTypes", "add_one", "create_object", "make_unregistered_object"]
