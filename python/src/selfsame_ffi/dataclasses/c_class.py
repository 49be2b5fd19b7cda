"""``c_class``: the Python class of a native type, with the methods of a dataclass."""

from __future__ import annotations

import typing
from typing import Any, Callable, TypeVar

from .._types.dunder import _install_dataclass_dunders
from .._types.type_info import dataclass_fields
from ..registry import _add_type_attr_class_attrs, _warn_missing_field_annotations, register_object
from ._transform import dataclass_transform
from .field import Field, field
from .py_class import _FFI_TYPE_ATTR_NAMES

_T = TypeVar("_T", bound=type)


def _attach_field_objects(cls: type, type_info: Any, *, frozen: bool = False) -> None:
    """Give each own field of a native type its Field, as ``fields()`` returns it."""
    try:
        hints = typing.get_type_hints(cls)
    except Exception:  # annotations that only a type checker understands
        hints = {}
    for native in type_info.fields:
        if frozen:
            native.frozen = True
        made = Field(
            native.name,
            native.ty,
            default=native.c_default,
            default_factory=native.c_default_factory,
            frozen=native.frozen,
            init=native.c_init,
            repr=native.c_repr,
            hash=native.c_hash,
            compare=native.c_compare,
            kw_only=native.c_kw_only,
            structural_eq=native.c_structural_eq,
            doc=native.doc,
        )
        made.type = hints.get(native.name)
        native.dataclass_field = made
    dataclass_fields.clear()


@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def c_class(
    type_key: str,
    *,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
) -> Callable[[_T], _T]:
    """Make the decorated class the Python class of a native type, and give it the methods of a dataclass.

    `init` makes ``__init__`` from the native fields; `repr` as native code prints; `eq`, `order` and `unsafe_hash` by
    the fields, recursively; `match_args` sets ``__match_args__``; `frozen` makes the type's own fields read-only
    (``type(obj).x.set(obj, value)`` sets them still). Methods that the class body defines stay. Raises ValueError for
    an unknown key; warns of native fields that the body does not annotate.
    """

    def decorate(cls: Any) -> Any:
        for name, value in list(vars(cls).items()):
            if isinstance(value, Field):
                delattr(cls, name)
        shadowing = set(vars(cls))
        register_object(type_key, init=False)(cls)
        info = cls.__tvm_ffi_type_info__
        _warn_missing_field_annotations(cls, info, stacklevel=2)
        _attach_field_objects(cls, info, frozen=frozen)
        for native in info.fields:
            if native.name not in shadowing:
                setattr(cls, native.name, native.as_property(cls))
        _add_type_attr_class_attrs(cls, info, _FFI_TYPE_ATTR_NAMES)
        _install_dataclass_dunders(
            cls,
            init=init,
            repr=repr,
            eq=eq,
            order=order,
            unsafe_hash=unsafe_hash,
            match_args=match_args,
            frozen=frozen,
        )
        cls.__ffi_is_dataclass__ = True
        return cls

    return decorate


__all__ = ["c_class"]
