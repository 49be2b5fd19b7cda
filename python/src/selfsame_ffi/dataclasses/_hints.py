"""Resolving the annotations of classes declared in Python, now or when their names are defined.

A class is registered as a native type before its annotations are resolved, so that they may name the class itself and
classes declared later. A class with unresolved names waits: each class that is completed lets the waiting ones try
again, and so does the first use of a waiting class.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import threading
import typing
from collections.abc import Iterator
from typing import Any, Callable

from .._load.at_exit import emptied
from .._types import declare
from .._types.annotations import own_annotations
from .._types.type_info import TypeInfo, info_of_class
from .field import KW_ONLY

#: Resolved annotations by the class whose body has them: the class itself and unregistered bases.
Hints = dict[type, dict[str, Any]]


class _KwOnlyMark:
    """Stands for KW_ONLY, which is no type, while annotations are resolved."""


class INIT_VAR:
    """Stands for an InitVar: an argument of the constructor that is no field."""


_declared: dict[str, dict[str, type]] = emptied({})  # classes by module and name
_lock = threading.RLock()


@dataclasses.dataclass
class Waiting:
    """A class whose annotations name something that is not defined yet."""

    cls: Any
    info: TypeInfo
    complete: Callable[[TypeInfo, Hints], None]


_waiting: list[Waiting] = []


def register(cls: Any, type_key: str | None) -> TypeInfo:
    """Register a class as a native type without fields. TypeError when no base is the class of a native type."""
    parent = next((info for info in map(info_of_class, cls.__mro__[1:]) if info is not None), None)
    if parent is None:
        raise TypeError(f"{cls.__name__} must inherit from a registered FFI Object type (e.g. tvm_ffi.Object)")
    info = declare.register_py_class(parent, type_key or f"{cls.__module__}.{cls.__qualname__}", cls)
    _waiting[:] = [
        each for each in _waiting if each.info.type_index != info.type_index
    ]  # declared again before it was complete
    _declared.setdefault(cls.__module__, {})[cls.__name__] = cls
    return info


def forget(cls: Any, info: TypeInfo) -> None:
    """Undo `register` for a class that could not be completed."""
    declare.rollback_py_class(info)
    if _declared.get(cls.__module__, {}).get(cls.__name__) is cls:
        del _declared[cls.__module__][cls.__name__]
        if info._before is not None and info._before.type_cls is not None:
            _declared[cls.__module__][cls.__name__] = info._before.type_cls
    if "__ffi_is_dataclass__" in vars(cls):
        del cls.__ffi_is_dataclass__


# ---- resolving ----


def _owners(cls: type) -> list[type]:
    """The classes whose annotations are the fields of a class: its own, and bases that are no native type's."""
    registered = next((base for base in cls.__mro__[1:] if info_of_class(base) is not None), object)
    return [base for base in reversed(cls.__mro__) if base not in registered.__mro__ and own_annotations(base)]


def names_for(cls: type, every_module: bool = False) -> dict[str, Any]:
    """Names for annotations beside those of the class's module: classes declared in it, or in every module."""
    names: dict[str, Any] = {}
    if every_module:
        for module in list(_declared.values()):
            names.update(module)
    names.update(_declared.get(cls.__module__, {}))
    names.update({owner.__name__: owner for owner in _owners(cls)})
    names.update({one.__name__: one for one in getattr(cls, "__type_params__", ())})
    names[cls.__name__] = cls
    return names


def globals_of(cls: type) -> dict[str, Any]:
    """Return the namespace of a class's module."""
    return getattr(sys.modules.get(cls.__module__), "__dict__", {})


def _is_kw_only(annotation: Any) -> bool:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", "")
    return annotation is KW_ONLY or text == "KW_ONLY" or text.endswith(".KW_ONLY")


def _is_init_var(annotation: Any) -> bool:
    if isinstance(annotation, str):  # looked at as a text, since Python 3.9 and 3.10 cannot resolve it
        return re.match(r"([\w.]+\.)?InitVar(\[|$)", annotation) is not None
    return annotation is dataclasses.InitVar or isinstance(annotation, dataclasses.InitVar)


def _hints_of(owner: type, names: dict[str, Any]) -> dict[str, Any]:
    """The resolved annotations of one class's own body."""
    annotations = {
        name: _KwOnlyMark if _is_kw_only(annotation) else INIT_VAR if _is_init_var(annotation) else annotation
        for name, annotation in own_annotations(owner).items()
    }
    holder = type(owner.__name__, (), {"__annotations__": annotations, "__module__": owner.__module__})
    hints = typing.get_type_hints(holder, globals_of(owner), names, include_extras=True)
    return {name: KW_ONLY if hint is _KwOnlyMark else hint for name, hint in hints.items()}


def _resolve(cls: type) -> Hints | None:
    """The annotations, or None while a name is not defined."""
    for every_module in (False, True):
        names = names_for(cls, every_module)
        try:
            return {owner: _hints_of(owner, names) for owner in _owners(cls)}
        except (NameError, AttributeError):
            continue
    return None


def _try(each: Waiting) -> bool:
    """Complete a class if its annotations, and its parent, can be completed. Whether it is complete."""
    if each.info.fields is not None:
        return True
    parent = each.info.parent_type_info
    if parent is not None and parent.fields is None:
        above = next((other for other in _waiting if other.info is parent), None)
        if above is None or not _try(above):
            return False
    hints = _resolve(each.cls)
    if hints is None:
        return False
    each.complete(each.info, hints)
    if each in _waiting:
        _waiting.remove(each)
    return True


def complete_or_wait(each: Waiting) -> bool:
    """Complete a class now and then every class that waits for it; otherwise let it wait. Whether it is complete."""
    with _lock:
        if not _try(each):
            _waiting.append(each)
            return False
        while any([_try(other) for other in list(_waiting)]):
            pass
        return True


def complete_now(each: Waiting) -> None:
    """Complete a waiting class before its first use. TypeError, with the names, when it still cannot be."""
    with _lock:
        try:
            if not _try(each):
                unresolved = list(_unresolved(each.cls))
                raise TypeError(f"Cannot instantiate {each.cls.__name__}: unresolved forward references: {unresolved}")
        except Exception:
            if each in _waiting:
                _waiting.remove(each)
            forget(each.cls, each.info)
            raise
        while any([_try(other) for other in list(_waiting)]):
            pass


def _unresolved(cls: type) -> Iterator[str]:
    names = names_for(cls, True)
    for owner in _owners(cls):
        for name, annotation in own_annotations(owner).items():
            one = type(owner.__name__, (), {"__annotations__": {name: annotation}, "__module__": owner.__module__})
            try:
                if not _is_kw_only(annotation):
                    typing.get_type_hints(one, globals_of(owner), names)
            except Exception as error:
                yield f"{name}: {annotation} ({error})"
