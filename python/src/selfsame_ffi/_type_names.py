"""What the type of a value is called in messages."""

from __future__ import annotations

from typing import Any


def type_name(value: Any) -> str:
    """Return the name of a value's type in messages, with its module unless that is builtins."""
    cls = type(value)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
