"""Errors between Python and native code."""

from __future__ import annotations

import builtins
import copy
import sys
from typing import Any, Callable, TypeVar

from . import _core, _runtime  # noqa: F401
from ._core import Error

_E = TypeVar("_E", bound=type)

ERROR_NAME_TO_TYPE: dict[str, type] = {}
ERROR_TYPE_TO_NAME: dict[type, str] = {}


def _wrap(cause: BaseException, message: str) -> BaseException | None:
    """Return an exception of the cause's class, with its attributes, that has another message.

    None when a call of the class with the message makes one. Where the class has a text of its own, as an
    ExceptionGroup, the message is a note.
    """
    cls = type(cause)
    if ERROR_NAME_TO_TYPE.get(ERROR_TYPE_TO_NAME.get(cls, cls.__name__)) is cls and not issubclass(
        cls, (UnicodeError, *_GROUPS)
    ):
        return None
    try:
        made = copy.copy(cause)
        if type(made) is not cls or made is cause:
            return None
        state = vars(made)
        state.pop("__tvm_ffi_error__", None)
        notes = state.get("__notes__")
        if isinstance(notes, list):
            state["__notes__"] = list(notes)
        before, made.args = made.args, (message,)
        if str(made) != message:
            made.args = before
            state.setdefault("__notes__", []).append(message)
    except Exception:  # the class cannot be copied: its kind decides
        return None
    return made


_GROUPS: tuple[type, ...] = (builtins.BaseExceptionGroup,) if sys.version_info >= (3, 11) else ()
_core.set_error_tables(ERROR_NAME_TO_TYPE, ERROR_TYPE_TO_NAME, _wrap)


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
