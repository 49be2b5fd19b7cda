"""Enums that native code shares: each member is one object in every language."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any, Callable, ClassVar

from .. import _core
from .._types.annotations import own_annotations
from .._types.classes import Object
from .._types.sentinels import MISSING
from ..container import Dict
from .c_class import c_class
from .py_class import py_class

ENUM_STATE_ATTR = "__ffi_enum__"
_OLD_ENTRIES_ATTR = "__ffi_enum_entries__"


@c_class("ffi.EnumState")
class EnumState(Object):
    """The data of an enum's type: its members in order, members by index, and further attributes by name."""

    __slots__ = ()
    entries: Any
    indexes: Any
    attrs: Any


class _EnumEntry:
    """A member that is declared but not made yet: the values of its fields."""

    __slots__ = ("args", "kwargs")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        values = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwargs.items())]
        return f"entry({', '.join(values)})"


def entry(*args: Any, **kwargs: Any) -> Any:
    """Declare a member in an enum's body: ``red = entry(value=1)``. The arguments are the values of its fields."""
    return _EnumEntry(*args, **kwargs)


def auto() -> Any:
    """Declare a member without values; its indices come from its name and place."""
    return _EnumEntry()


def _state(cls: Any, create: bool = False) -> Any:
    """The state of an enum's type; None when it has none."""
    index = getattr(cls, "__tvm_ffi_type_index__", None)
    if index is None:
        return None
    state = _core.type_attr(index, ENUM_STATE_ATTR)
    if state is None and create:
        _core.declare_attr(index, ENUM_STATE_ATTR, EnumState())  # type: ignore[call-arg]
        state = _core.type_attr(index, ENUM_STATE_ATTR)
        # A library compiled with the headers of a release before 0.1.15 has a Dict from names to members.
        entries = _core.type_attr(index, _OLD_ENTRIES_ATTR)
        for member in sorted(entries.values() if entries is not None else (), key=lambda each: int(each._int_index)):
            _add(state, member)
    return state


def _members(cls: Any) -> list[Any]:
    state = _state(cls)
    return [] if state is None else list(state.entries)


def _checked_index(index: Any) -> int | str:
    if isinstance(index, str):
        return index
    if not isinstance(index, int):
        raise TypeError(f"enum index must be int or str, got {type(index).__name__}")
    if not -(1 << 63) <= index < 1 << 63:
        raise OverflowError(f"enum integer index {index} is outside int64")
    return int(index)


class _EnumMeta(type(Object)):  # type: ignore[misc]
    def __iter__(cls) -> Iterator[Any]:
        return iter(_members(cls))

    def __len__(cls) -> int:
        return len(_members(cls))

    def __bool__(cls) -> bool:
        return True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs:
            (value,) = args
            if isinstance(value, cls):
                return value
            if isinstance(value, (int, str)):
                try:
                    return cls.get(value)
                except KeyError:
                    raise ValueError(f"{value!r} is not a valid {cls.__name__}") from None
        return super().__call__(*args, **kwargs)


class _AttrDict:
    """``cls.attr_dict``: the further attributes of all members."""

    def __get__(self, obj: Any, owner: type) -> Any:
        state = _state(owner)
        return Dict({}) if state is None else state.attrs


@c_class("ffi.Enum", init=False)
class Enum(Object, metaclass=_EnumMeta):
    """Base of enums: ``class Color(Enum, type_key="my.Color")`` with members made by :func:`entry` and :func:`auto`.

    Annotated names in the body are fields of each member; an annotation ``ClassVar`` without a value names a member
    that the native type has. ``Color("red")`` and ``Color(0)`` give a member; the class is iterable.
    """

    __slots__ = ()
    _int_index: int
    _str_index: str
    attr_dict: ClassVar[Any] = _AttrDict()

    def __init_subclass__(
        cls, *, type_key: str | None = None, frozen: bool = True, init: bool = True, repr: bool = True, **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        if type_key is None:
            return
        payload = getattr(cls, "__ffi_payload_type__", None)
        own_repr = "__repr__" in vars(cls)
        names, declared = _declarations(cls, payload)
        native = _core.type_key_to_index(type_key) is not None
        if native:
            c_class(type_key, init=init, repr=repr)(cls)
        else:
            py_class(type_key, frozen=frozen, structural_eq="singleton")(cls)
        if payload is not None:
            _add_payload_methods(cls, payload, own_repr)
        _make_members(cls, names, declared, type_key, native, payload)

    @classmethod
    def get(cls, index: int | str) -> Any:
        """Return the member with an index, a number or a text. KeyError when there is none."""
        index = _checked_index(index)
        state = _state(cls)
        if state is None or index not in state.indexes:
            raise KeyError(index)
        return state.indexes[index]

    @classmethod
    def all_entries(cls) -> Iterator[Any]:
        """Return the members, in the order of their registration."""
        return iter(_members(cls))

    @classmethod
    def def_attr(cls, name: str, *, default: Any = MISSING) -> EnumAttrMap:
        """Return a view of one further attribute of the members; `default` is the value of members without one."""
        return EnumAttrMap(cls, name, default=default)


class EnumAttrMap:
    """One further attribute of an enum's members, as a mapping from member to value."""

    __slots__ = ("_cls", "_default", "_name")

    def __init__(self, enum_cls: type, name: str, *, default: Any = MISSING) -> None:
        self._cls, self._name, self._default = enum_cls, name, default

    @property
    def name(self) -> str:
        """The attribute's name."""
        return self._name

    def _values(self, create: bool = False) -> Any:
        state = _state(self._cls, create)
        if state is None:
            return None
        if create and self._name not in state.attrs:
            state.attrs[self._name] = Dict({})
        return state.attrs.get(self._name)

    def _check(self, member: object) -> None:
        if not isinstance(member, self._cls):
            raise TypeError(f"expected {self._cls.__name__}, got {type(member).__name__}")

    def __setitem__(self, variant: object, value: Any) -> None:
        self._check(variant)
        self._values(True)[variant] = value

    def __getitem__(self, variant: object) -> Any:
        self._check(variant)
        if variant in self:
            return self._values()[variant]
        if self._default is MISSING:
            raise KeyError(f"{variant!r} has no extensible attribute {self._name!r}")
        return self._default

    def __contains__(self, variant: object) -> bool:
        values = self._values() if isinstance(variant, self._cls) else None
        return values is not None and variant in values

    def get(self, variant: object, default: Any = None) -> Any:
        """Return the value of a member, or `default`."""
        return self._values()[variant] if variant in self else default


@c_class("ffi.IntEnum", init=False)
class IntEnum(Enum):
    """An enum whose members have a number: ``value`` is their number as an index, and they are equal to it."""

    __slots__ = ()
    __ffi_payload_type__ = int
    value: int

    def __init_subclass__(cls, **kwargs: Any) -> None:
        _refuse_value(cls, "IntEnum")
        super().__init_subclass__(**kwargs)


@c_class("ffi.StrEnum", init=False)
class StrEnum(Enum):
    """An enum whose members have a text: ``value`` is their text as an index, and they are equal to it."""

    __slots__ = ()
    __ffi_payload_type__ = str
    value: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        _refuse_value(cls, "StrEnum")
        super().__init_subclass__(**kwargs)


# ---- making members ----


def _refuse_value(cls: type, base: str) -> None:
    if "value" in vars(cls) or "value" in own_annotations(cls):
        raise TypeError(f"{base} reserves `value` as its canonical index alias")


def _is_class_var(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.replace(" ", "").startswith(("ClassVar", "typing.ClassVar"))
    return annotation is ClassVar or typing.get_origin(annotation) is ClassVar


def _declarations(cls: Any, payload: type | None) -> tuple[list[str], dict[str, _EnumEntry]]:
    """The members that a body names, and those that it declares with values. The latter are taken out of the class."""
    annotations = own_annotations(cls)
    named = [
        name
        for name, annotation in annotations.items()
        if _is_class_var(annotation) and not name.startswith("_") and name not in vars(cls)
    ]
    declared: dict[str, _EnumEntry] = {}
    for name, value in list(vars(cls).items()):
        is_field = name in annotations and not _is_class_var(annotations[name])
        if name.startswith("_") or is_field:
            continue
        if isinstance(value, _EnumEntry):
            declared[name] = value
        elif (
            payload is not None and not callable(value) and not isinstance(value, (staticmethod, classmethod, property))
        ):
            declared[name] = _EnumEntry(value=value)
        else:
            continue
        delattr(cls, name)
    return named, declared


def _make_members(
    cls: Any, named: list[str], declared: dict[str, _EnumEntry], type_key: str, native: bool, payload: type | None
) -> None:
    state = _state(cls, create=True)
    for name in named:
        member = state.indexes.get(name)
        if member is None:
            if native:
                raise RuntimeError(f"{type_key!r} has no enum at string index {name!r}")
            if payload is int:
                raise TypeError(f"{cls.__name__}.{name} requires an integer value")
            member = _add(state, _make(cls, len(state.entries), name, _EnumEntry(), native))
        setattr(cls, name, member)
    for name, values in declared.items():
        number, text, rest = _indices(cls, name, len(state.entries), values, payload)
        member = state.indexes.get(number if payload is int else text)
        if member is None:
            if number in state.indexes or text in state.indexes:
                raise ValueError(f"duplicate enum index in {cls.__name__}.{name}")
            member = _add(state, _make(cls, number, text, rest, native))
        setattr(cls, name, member)


def _indices(
    cls: type, name: str, place: int, declared: _EnumEntry, payload: type | None
) -> tuple[int, str, _EnumEntry]:
    """A member's number, text and other values: its place and name, but for the payload."""
    values = dict(declared.kwargs)
    if "_int_index" in values or "_str_index" in values:
        raise TypeError(f"{cls.__name__}.{name}: enum indices are inferred")
    if payload is None:
        return place, name, declared
    if "value" not in values:
        raise TypeError(f"{cls.__name__}.{name} requires a {payload.__name__} value")
    value = values.pop("value")
    if type(value) is not payload:
        raise TypeError(f"{cls.__name__}.{name} value must be {payload.__name__}")
    rest = _EnumEntry(*declared.args, **values)
    index: Any = _checked_index(value)
    return (index, name, rest) if payload is int else (place, index, rest)


def _make(cls: Any, number: int, text: str, values: _EnumEntry, native: bool) -> Any:
    try:
        if not native:
            return cls(*values.args, _int_index=number, _str_index=text, **values.kwargs)
        if values.args:
            raise TypeError("C++-backed enum entries require keyword fields")
        make: Any = _core.type_attr(cls.__tvm_ffi_type_index__, "__ffi_new__")
        if make is None:
            raise TypeError("enum type has no allocator")
        member = make()
        for name, value in {"_int_index": number, "_str_index": text, **values.kwargs}.items():
            descriptor = getattr(cls, name, None)
            if not hasattr(descriptor, "set"):
                raise TypeError(f"field {name!r} has no reflected setter")
            descriptor.set(member, value)  # type: ignore[union-attr]
        return member
    except Exception as error:
        raise TypeError(f"{cls.__name__}.{text}: invalid enum entry: {error}") from None


def _add(state: Any, member: Any) -> Any:
    state.entries.append(member)
    state.indexes[member._int_index] = member
    state.indexes[member._str_index] = member
    return member


def _add_payload_methods(cls: Any, payload: type, own_repr: bool) -> None:
    def equal(self: Any, other: object) -> Any:
        if isinstance(other, type(self)):
            return self.value == other.value  # type: ignore[attr-defined]
        return self.value == other if isinstance(other, payload) else NotImplemented

    def not_equal(self: Any, other: object) -> Any:
        result = equal(self, other)
        return result if result is NotImplemented else not result

    methods: dict[str, Callable[..., Any] | property] = {
        "__eq__": equal,
        "__ne__": not_equal,
        "__str__": lambda self: str(self.value),
        "__hash__": lambda self: hash(self.value),
        "name": property(lambda self: str(self._str_index)),
    }
    for name, value in methods.items():
        if name not in vars(cls):
            setattr(cls, name, value)
    if not own_repr:
        cls.__repr__ = lambda self: f"{type(self).__name__}.{self.name}"


__all__ = ["ENUM_STATE_ATTR", "Enum", "EnumAttrMap", "EnumState", "IntEnum", "StrEnum", "auto", "entry"]
