"""Errors between Python and native code."""

from __future__ import annotations

import builtins
import copy
import functools
import sys
import types
from typing import Any, Callable, TypeVar

from . import _core  # noqa: F401
from ._core import Error
from ._load import runtime  # noqa: F401

_E = TypeVar("_E", bound=type)

ERROR_NAME_TO_TYPE: dict[str, type] = {}
ERROR_TYPE_TO_NAME: dict[type, str] = {}


def _wrap(cause: BaseException, kind: str, message: str) -> BaseException | None:
    """Return an exception with the cause's class and attributes, for an Error around it of that kind and message.

    None when the kind alone makes one, or is another one than the cause's. The cause's kind is the last of several.
    Where the class has a text of its own, as an ExceptionGroup, the message is a note.
    """
    cls = type(cause)
    own = ERROR_TYPE_TO_NAME.get(cls, cls.__name__)
    if kind != own and not kind.endswith("," + own):
        return None
    if ERROR_NAME_TO_TYPE.get(own) is cls and not issubclass(cls, (UnicodeError, *_GROUPS)):
        return None
    try:
        made = copy.copy(cause) if kind == own else _of_both(combined(kind, cls), cause)
        if not isinstance(made, cls) or made is cause:
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


def _of_both(cls: Any, cause: BaseException) -> Any:
    """Return an exception of a class that derives from the cause's, with the cause's attributes."""
    made = cls.__new__(cls, *cause.args)
    init = type(cause).__init__
    if not isinstance(init, types.FunctionType):  # that of the program need not take the arguments
        init(made, *cause.args)
    vars(made).update(vars(cause))
    return made


_GROUPS: tuple[type, ...] = (builtins.BaseExceptionGroup,) if sys.version_info >= (3, 11) else ()


def combined(kind: str, own: type | None = None) -> type:
    """Return the class of a kind that is several, separated by commas. It derives from the classes of all.

    `own` is the class of the last one, if its kind does not tell.
    """
    kinds = kind.split(",")
    classes = [ERROR_NAME_TO_TYPE.get(name) for name in kinds[: len(kinds) - (own is not None)]]
    found: list[Any] = []
    for cls in [*classes, own]:
        if cls is not None and not any(issubclass(other, cls) for other in found):
            found = [other for other in found if not issubclass(cls, other)] + [cls]
    if len(found) < 2:
        return found[0] if found else RuntimeError
    made = _derived(kind, found, own)
    if own is None and None not in classes:  # the module of another may not be loaded yet
        made = ERROR_NAME_TO_TYPE.setdefault(kind, made)
        ERROR_TYPE_TO_NAME[made] = kind
    return made


def _derived(kind: str, bases: list[Any], own: type | None) -> type:
    first = bases[0]
    remake = combined_error if own is None else functools.partial(combined_error, own=own)

    def __reduce__(self: Any) -> Any:
        cls, args, *state = super(made, self).__reduce__()
        return (remake, (kind, *args), *state) if cls is made else (cls, args, *state)

    space = {"__module__": first.__module__, "__qualname__": first.__qualname__, "__doc__": first.__doc__}
    made = first
    while made is first and len(bases) > 1:
        try:
            made = type(first.__name__, tuple(bases), {**space, "__reduce__": __reduce__})
        except TypeError:  # Python has no class of both: of two layouts, or of two orders of their bases
            bases = bases[:-1]
    return made  # type: ignore[no-any-return]


def combined_error(kind: str, *args: Any, own: type | None = None) -> Any:
    """Return an exception of a kind that is several. `own` is the class of the last one, if its kind does not tell."""
    return (ERROR_NAME_TO_TYPE.get(kind) or combined(kind, own))(*args)


_core.set_error_tables(ERROR_NAME_TO_TYPE, ERROR_TYPE_TO_NAME, _wrap, combined)


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
