"""Annotations of classes and functions, on every supported Python."""

from __future__ import annotations

import sys
from typing import Any, Callable

if sys.version_info >= (3, 14):
    import annotationlib

    def _forward(obj: Any) -> dict[str, Any]:
        return annotationlib.get_annotations(obj, format=annotationlib.Format.FORWARDREF)
else:

    def _forward(obj: Any) -> dict[str, Any]:
        return dict(vars(obj).get("__annotations__", {})) if isinstance(obj, type) else dict(obj.__annotations__)


def own_annotations(cls: type) -> dict[str, Any]:
    """Return the annotations in a class's own body, in a new dict. Names that are not defined yet stay references."""
    return _forward(cls)


def return_annotation(function: Callable[..., Any]) -> Any:
    """Return the annotation of a function's result; Any without one."""
    return _forward(function).get("return", Any)


def add_own_annotation(cls: type, name: str, annotation: Any) -> None:
    """Add an annotation to a class's own."""
    annotations = own_annotations(cls)
    annotations[name] = annotation
    cls.__annotations__ = annotations
