"""Errors between Python and native code."""

from __future__ import annotations

import builtins
from typing import Any, Callable, TypeVar

from . import _core, _runtime  # noqa: F401
from ._core import Error

_E = TypeVar("_E", bound=type)

ERROR_NAME_TO_TYPE: dict[str, type] = {}
ERROR_TYPE_TO_NAME: dict[type, str] = {}

_core.set_error_tables(ERROR_NAME_TO_TYPE, ERROR_TYPE_TO_NAME)


def register_error(name_or_cls: Any = None, cls: _E | None = None) -> Any:
    """Register the exception class for native errors of a kind.

    ``register_error(cls)`` uses the class's name, ``register_error(kind, cls)`` another; without `cls` it is a
    decorator. Exceptions of the class travel to native code under the same kind. Raises TypeError for a class that
    is no exception.
    """

    def register(name: str, error_cls: Any) -> Any:
        if not (isinstance(error_cls, type) and issubclass(error_cls, BaseException)):
            raise TypeError(f"register_error: argument 'cls': expected an exception class, got {error_cls!r}")
        ERROR_NAME_TO_TYPE[name] = error_cls
        ERROR_TYPE_TO_NAME[error_cls] = name
        return error_cls

    if isinstance(name_or_cls, type):
        return register(name_or_cls.__name__, name_or_cls)
    if name_or_cls is not None and not isinstance(name_or_cls, str):
        raise TypeError(
            f"register_error: argument 'name_or_cls': expected a str or a class, got {type(name_or_cls).__name__}"
        )
    if cls is not None:
        return register(name_or_cls or cls.__name__, cls)
    decorate: Callable[[_E], _E] = lambda error_cls: register(name_or_cls or error_cls.__name__, error_cls)  # noqa: E731
    return decorate


for _name, _cls in vars(builtins).items():
    # Aliases such as IOError name the same class; the class's own name is its kind.
    if isinstance(_cls, type) and issubclass(_cls, BaseException):
        ERROR_NAME_TO_TYPE[_name] = _cls
        ERROR_TYPE_TO_NAME.setdefault(_cls, _cls.__name__)
ERROR_NAME_TO_TYPE["InternalError"] = RuntimeError


@register_error
class CancelledError(RuntimeError):
    """A native call was cancelled: Go's ``context.Canceled``."""


__all__ = ["CancelledError", "Error", "register_error"]
