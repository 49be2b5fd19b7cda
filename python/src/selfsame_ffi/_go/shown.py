"""How objects of wrapped Go values are shown: by their fields, else by their text or elements."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._types.metadata import parsed

_LENGTH = 80  # of the text of a field
_DEPTH = 3  # of objects within objects

_showing = threading.local()  # the objects whose text this thread is making


def _short(text: str) -> str:
    return text if len(text) <= _LENGTH else text[: _LENGTH - 3] + "..."


def fields_of(obj: Any) -> list[tuple[str, Any]]:
    """Return the names and values of an object's fields, without those that cannot be read, as of a nil pointer."""
    found = []
    for name in type(obj)._ffi_shown_:
        try:
            found.append((name, getattr(obj, name)))
        except Exception:  # noqa: PERF203
            continue
    return found


def _repr(self: Any) -> str:
    name = type(self).__name__
    around = _showing.__dict__.setdefault("objects", [])
    if not self.__chandle__() or any(each is self for each in around) or len(around) == _DEPTH:
        return f"{name}(...)"
    around.append(self)
    try:
        if type(self)._ffi_shown_:
            return f"{name}({', '.join(f'{field}={_short(repr(value))}' for field, value in fields_of(self))})"
        own: Any = type(self).__str__
        if own is not _core.CObject.__str__:
            return f"<{name} {_short(str(self))}>"
        if isinstance(self, Sequence) and hasattr(self, "__bytes__"):
            return f"{name}({_short(repr(bytes(self)))})"
        if isinstance(self, Sequence):
            return f"{name}({_short(repr(list(self)))})"
        return f"<{type(self).__module__}.{name}>"
    finally:
        around.pop()


_OF_ALL = frozenset(name for name in dir(_core.CObject) if not name.startswith("_"))


def _listed(self: Any) -> list[str]:
    """The names of an object, without those that every object has: they are not of the Go type."""
    mro = type(self).__mro__
    own = {name for cls in mro[: mro.index(_core.CObject)] for name in vars(cls)}
    return [name for name in object.__dir__(self) if name in own or name not in _OF_ALL]


def show_fields(cls: Any, info: dict[str, Any], plain: Any) -> None:
    """Give the class of a Go type a ``__repr__`` in place of the `plain` one of all objects, and a ``__dir__``."""
    cls._ffi_shown_ = tuple(
        name
        for name, _doc, metadata, _flags, _function in info["methods"]
        if metadata and '"property"' in metadata and parsed(metadata).get("property") == name
    )
    if cls.__repr__ is plain:
        cls.__repr__ = _repr
    if cls.__dir__ is object.__dir__:
        cls.__dir__ = _listed
