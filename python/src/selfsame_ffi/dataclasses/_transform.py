"""The mark by which type checkers know a decorator that makes dataclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .field import _field_converter

_T = TypeVar("_T", bound=Callable[..., Any])

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**options: Any) -> Callable[[_T], _T]:
        """Mark a decorator as PEP 681 describes it: the function of CPython 3.11's typing."""

        def mark(decorator: _T) -> _T:
            decorator.__dataclass_transform__ = {
                "eq_default": True,
                "order_default": False,
                "kw_only_default": False,
                "frozen_default": False,
                "kwargs": {"converter": _field_converter},
                **options,
            }
            return decorator

        return mark
