"""What the type of a value is called in messages."""

from __future__ import annotations

import json
import re
from typing import Any

from . import _core


def type_name(value: Any, cls: type | None = None) -> str:
    """Return the name of a value's type in messages, or of a class, with its module unless that is builtins."""
    cls = cls or type(value)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


# What a native function says of an argument that has become a native object on its way, and the place in it.
_CONVERTED = re.compile(
    r"((?:(?! its result: ).)*expected .*, got )"
    r"(Tensor|list or Array|dict or Map|a callable)"
    r"((?: at (?:\[[^]]*\])+)?)(?=;|$)",
    re.DOTALL,
)
_STEP = re.compile(r"\[([^]]*)\]")


def as_passed(message: str, args: tuple[Any, ...]) -> str:
    """Return the message of a native TypeError with the class that the caller passed: ``numpy.ndarray`` for Tensor.

    The message stays as it is where arguments of several classes can be meant.
    """
    found = _CONVERTED.match(message)
    if found is None:
        return message
    names: set[str] = set()
    for value in args:
        try:
            for step in _STEP.findall(found[3]):
                value = value[json.loads(step)]
        except (TypeError, LookupError, ValueError):
            continue
        if isinstance(value, (bool, int, float, str, bytes, type(None), _core.CObject)):
            continue
        if callable(value) == (found[2] == "a callable"):
            names.add(f"the class {type_name(value, value)}" if isinstance(value, type) else type_name(value))
    if len(names) != 1:
        return message
    return found[1] + names.pop() + found[3] + message[found.end() :]
