"""Warnings for the use of names that a Go package calls deprecated."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from .._calls.messages import no_attribute

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Warns:
    """A member of a class that warns when it is looked up."""

    def __init__(self, member: Any, text: str) -> None:
        self.member, self.text = member, text
        self.__doc__ = getattr(member, "__doc__", None)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        warnings.warn(self.text, DeprecationWarning, stacklevel=2)
        return self.member.__get__(instance, owner)


def deprecated(module: str, names: Mapping[str, str]) -> None:
    """Have deprecated names of a module, and methods `Class.method`, warn with a text each when they are looked up.

    For generated modules, which call it behind their last definition. It raises KeyError for a name that is not there.
    """
    namespace = vars(sys.modules[module])
    functions: dict[str, tuple[Any, str]] = {}
    for name, text in names.items():
        owner, _, member = name.rpartition(".")
        if owner:
            setattr(namespace[owner], member, _Warns(vars(namespace[owner])[member], f"{name}: {text}"))
        else:
            functions[name] = namespace.pop(name), f"{name}: {text}"

    def __getattr__(name: str) -> Any:
        if name not in functions:
            raise no_attribute(sys.modules[module], name)
        found, text = functions[name]
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return found

    if functions:
        namespace["__getattr__"] = __getattr__
