"""The mark by which type checkers know a decorator that makes dataclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .field import Field, _field_converter, field

_T = TypeVar("_T", bound=Callable[..., Any])

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    transform = dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
else:

    def transform(decorator: _T) -> _T:
        """Mark a decorator as PEP 681 describes it."""
        decorator.__dataclass_transform__ = {
            "eq_default": False,
            "order_default": False,
            "kw_only_default": False,
            "frozen_default": False,
            "field_specifiers": (Field, field),
            "kwargs": {"converter": _field_converter},
        }
        return decorator
