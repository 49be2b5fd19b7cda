"""Words of error messages: what the type of a value is called, and which known name was perhaps meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from .. import _core


def type_name(value: Any, cls: type | None = None) -> str:
    """Return the name of a value's type in messages, or of a class, with its module unless that is builtins."""
    cls = cls or type(value)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return what the message of an unknown name ends with: the known one that is most like it, or nothing."""
    import difflib  # only once something is wrong

    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def unexpected_keyword(name: str, known: Sequence[str]) -> str:
    """Return the message of a keyword that is no argument's name. ``known`` has the names that are."""
    listed = [f"'{one}'" for one in known]
    takes = " and ".join([*([", ".join(listed[:-1])] if listed[1:] else []), *listed[-1:]]) or "none"
    return f"got an unexpected keyword argument '{name}'; it takes {takes}{did_you_mean(name, known)}"


def no_attribute(owner: Any, name: str) -> AttributeError:
    """Return the error of an unknown attribute, for which Python shows the one that was perhaps meant."""
    what = f"module {owner.__name__!r}" if isinstance(owner, ModuleType) else f"{type(owner).__name__!r} object"
    error = AttributeError(f"{what} has no attribute {name!r}")
    error.name, error.obj = name, owner  # type: ignore[attr-defined]
    return error


# What a native function calls an argument that has become a native object on its way.
_CONVERTED = ("Tensor", "list or Array", "dict or Map", "a callable")


def name_as_passed(error: TypeError, args: tuple[Any, ...]) -> None:
    """Have the error of a native function name the class that the caller passed: ``numpy.ndarray`` for Tensor.

    The Error of a Go function says in ``extra_context`` what its message calls the class, and where in an argument the
    value is. The message stays as it is where arguments of several classes can be meant.
    """
    context = getattr(getattr(error, "__tvm_ffi_error__", None), "extra_context", None)
    if not isinstance(context, str):
        return
    try:
        said = json.loads(context)
        got, path, behind = said["got"], said["path"] or (), said["behind"]
    except (ValueError, LookupError, TypeError):  # of another library
        return
    message = str(error)
    if got not in _CONVERTED or not message.endswith(got + behind):
        return
    names: set[str] = set()
    for value in args:
        try:
            for step in map(json.loads, path):
                value = value[step] if hasattr(value, "__getitem__") else getattr(value, step)
        except (TypeError, LookupError, ValueError, AttributeError):
            continue
        if isinstance(value, (bool, int, float, str, bytes, type(None), _core.CObject)):
            continue
        if callable(value) == (got == "a callable"):
            names.add(f"the class {type_name(value, value)}" if isinstance(value, type) else type_name(value))
    if len(names) == 1:
        error.args = (message[: -len(got + behind)] + names.pop() + behind,)
