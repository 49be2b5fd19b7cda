"""Which Python objects hold wrappers: chains of referrers up to a module, a local variable or a class."""

from __future__ import annotations

import gc
import sys
import threading
import types
from collections.abc import Iterable
from typing import Any

DEPTH = 6  # levels of referrers
WIDTH = 2000  # referrers that one level follows


def _name_of_key(mapping: dict[Any, Any], child: Any) -> str:
    for key, value in list(mapping.items()):
        if value is child:
            return f"[{key!r}]" if not isinstance(key, str) or not key.isidentifier() else f".{key}"
    return " (a key)"


def _label(referrer: Any, child: Any) -> str:
    """How ``referrer`` refers to ``child``: an attribute, a key, an index."""
    try:
        if isinstance(referrer, dict):
            return _name_of_key(referrer, child)
        if isinstance(referrer, (list, tuple)):
            return next(f"[{index}]" for index, value in enumerate(referrer) if value is child)
        attributes = getattr(referrer, "__dict__", None)
        if isinstance(attributes, dict) and any(value is child for value in attributes.values()):
            return _name_of_key(attributes, child)
        if isinstance(referrer, types.FunctionType):
            return " (closure)"
    except Exception:  # an object with methods of its own, which a report must survive
        pass
    return ""


def _text(thing: Any) -> str:
    kind = type(thing)
    if isinstance(thing, type):
        return f"class {thing.__module__}.{thing.__qualname__}"
    if isinstance(thing, (types.FunctionType, types.BuiltinFunctionType)):
        return f"function {thing.__module__}.{thing.__qualname__}"
    if isinstance(thing, (dict, list, tuple, set, frozenset)) and kind.__module__ == "builtins":
        return f"{kind.__name__} of {len(thing)}"
    return f"{kind.__module__}.{kind.__qualname__} object" if kind.__module__ != "builtins" else f"{kind.__name__}"


def _variables(wanted: set[int], ignored: set[str]) -> dict[int, str]:
    """Local variables that refer to objects with these ids, but of functions in the files ``ignored``."""
    found: dict[int, str] = {}
    frames = sys._current_frames()
    frames[threading.get_ident()] = sys._getframe(1)  # not this one: a frame that refers to itself stays
    for frame in frames.values():
        at: types.FrameType | None = frame
        while at is not None:
            if at.f_code.co_filename not in ignored and at.f_code.co_name != "<module>":
                for name, value in list(at.f_locals.items()):
                    if id(value) in wanted:
                        found.setdefault(id(value), f"variable {name} of {at.f_code.co_name}(), line {at.f_lineno}")
            at = at.f_back
    return found


def _globals(wanted: set[int]) -> dict[int, str]:
    """Variables of modules that refer to objects with these ids. Not from gc: gc.freeze() hides modules from it."""
    found: dict[int, str] = {}
    for module_name, module in list(sys.modules.items()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in wanted:
                found.setdefault(id(value), f"module {module_name}.{name}")
    return found


def holders(wrappers: Iterable[Any], ignored: Iterable[Any], files: Iterable[str]) -> dict[int, list[str]]:
    """For the id of each wrapper the chain of Python objects that keeps it, outermost first; [] when none was found.

    The objects ``ignored`` and the frames of functions in ``files`` do not count. Reads references of all objects of
    the process that CPython's collector knows: some tens of milliseconds for a million.
    """
    level = list(wrappers)
    first = [id(thing) for thing in level]
    parents: dict[int, tuple[int, str]] = {}  # from an id to that of its referrer, and the label
    ends: dict[int, str] = {}
    modules = {id(module.__dict__) for module in list(sys.modules.values()) if hasattr(module, "__dict__")}
    objects: dict[int, Any] = {}  # keeps the referrers alive, so that no id is used again
    seen = set(first)
    hidden = {id(thing) for thing in ignored} | {id(objects), id(wrappers)}
    ignored_files = {__file__, *files}
    for _ in range(DEPTH):
        if not level:
            break
        ids = set(map(id, level))
        ends.update({**_variables(ids, ignored_files), **_globals(ids)})
        following: list[Any] = []
        arguments = tuple(level)  # CPython 3.14 lists the call's own tuple among the referrers
        hidden |= {id(level), id(following), id(arguments)}
        for referrer in gc.get_referrers(*arguments):
            if id(referrer) in hidden or id(referrer) in modules or isinstance(referrer, types.FrameType):
                continue
            for child in gc.get_referents(referrer):
                if id(child) not in ids or child is referrer or id(child) in parents:
                    continue
                if id(referrer) not in seen:
                    parents[id(child)] = (id(referrer), _label(referrer, child))
                    objects[id(referrer)] = referrer
                    following.append(referrer)
            seen.add(id(referrer))
        level = following[:WIDTH]
    chains: dict[int, list[str]] = {}
    for start in first:
        chain: list[str] = []
        at = start
        while at not in ends and at in parents:
            at, label = parents[at]
            chain.append(_text(objects[at]) + label)
        if at in ends:
            chain.append(ends[at])
        chains[start] = chain[::-1]
    return chains
