"""Ways to use a wrapper, for tests of wrappers without a handle: all attributes of its class, and builtin functions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Callable

# These are not tried: they do not use the native object.
_SKIPPED = frozenset(
    {"__init__", "__ffi_init__", "__new__", "__class__", "__dict__", "__init_subclass__", "__subclasshook__", "__del__"}
)

_ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (0,), (0, 1), ("x",), (None,))


def _call(name: str, arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    def use(obj: Any) -> Any:
        attribute = getattr(obj, name)
        result = attribute(*arguments) if callable(attribute) else attribute
        if inspect.iscoroutine(result):
            result.close()  # the warning that nothing awaits it would keep the object
        return result

    return use


def uses(obj: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """(name, function of an object) for reads, calls, stores and deletes of each attribute of the object's class."""
    for name in dir(type(obj)):
        if name in _SKIPPED:
            continue
        for arguments in _ARGUMENTS:
            yield f"{name}{arguments}", _call(name, arguments)
        yield f"{name} = 1", lambda o, name=name: setattr(o, name, 1)
        yield f"del {name}", lambda o, name=name: delattr(o, name)
    for operation in (len, hash, repr, str, bool, iter, list, tuple, dir, vars, abs, int, float, bytes):
        yield operation.__name__, operation
