"""The types that a Python function declares, for Go code that asks a func in an any for its own."""

from __future__ import annotations

from typing import Any, Callable

from .. import _core

_WORDS = {bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes", type(None): "None"}
_MOST = 50  # parameters; Go's reflection makes no func with many more


def declared_types(function: Any) -> list[str] | None:
    """Return words for the types of the parameters and, last, of the result of a Function of Python.

    The type of anything that is not in the table is "any". None stands for a function that does not declare all of
    them, or can be called with fewer or more arguments, or only by name.
    """
    declared = _core.callable_of(function)
    return None if declared is None else _declared(declared)


def _declared(function: Callable[..., Any]) -> list[str] | None:
    if not getattr(function, "__annotations__", None):
        return None  # before inspect is imported, which takes long
    import inspect
    import typing

    try:
        signature = inspect.signature(function)
        hints = typing.get_type_hints(function)
    except (TypeError, ValueError, NameError, AttributeError, SyntaxError):
        return None
    parameters = list(signature.parameters.values())
    if "return" not in hints or len(parameters) > _MOST:
        return None
    for each in parameters:
        positional = each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
        if not positional or each.default is not each.empty or each.name not in hints:
            return None
    of = [*(each.name for each in parameters), "return"]
    words = [_WORDS.get(hints[name], "any") if isinstance(hints[name], type) else "any" for name in of]
    return [word if word != "None" or name == "return" else "any" for word, name in zip(words, of)]
