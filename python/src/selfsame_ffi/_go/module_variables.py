"""Variables of Go packages as attributes of Python modules."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ..registry import get_global_func


def module_variables(module: str, names: Mapping[str, tuple[str, str | None, str]]) -> None:
    """Give a module attributes that native functions get and set.

    Each name has the registered names of both functions, None for the second where it cannot be set, and what a
    DeprecationWarning says of it, "" for none. Generated modules call it behind their last definition. The module's
    class changes, since a module finds properties in its class only. It raises ValueError for a function that is
    not registered.
    """

    def attribute(name: str, get: str, set_: str | None, deprecated: str) -> property:
        getter = get_global_func(get)
        setter = None if set_ is None else get_global_func(set_)

        def fget(_: ModuleType) -> Any:
            if deprecated:
                warnings.warn(f"{name}: {deprecated}", DeprecationWarning, stacklevel=2)
            return getter()

        def fset(_: ModuleType, value: Any) -> None:
            if setter is None:
                raise AttributeError(f"module {module!r}: the variable {name!r} cannot be set")
            setter(value)

        return property(fget, fset)

    def __dir__(self: ModuleType) -> list[str]:
        return sorted({*vars(self), *names})

    members: dict[str, Any] = {name: attribute(name, *of) for name, of in names.items()}
    sys.modules[module].__class__ = type("module", (type(sys.modules[module]),), {**members, "__dir__": __dir__})
