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
KEY = 60  # longest text of a key
FEW = 32  # objects that gc.get_referrers compares with each reference of the process
CHUNK = 256  # objects whose references are looked through together


def _key_text(key: Any) -> str:
    if isinstance(key, str):
        text = key if len(key) <= KEY else key[: KEY - 1] + "…"
        return f".{text}" if text.isidentifier() else f"[{text!r}]"
    if isinstance(key, (int, float, bytes, bool, type(None))):
        text = repr(key)
        return f"[{text}]" if len(text) <= KEY else f"[{text[: KEY - 1]}…]"
    return f"[a {type(key).__qualname__}]"  # a repr may take any time


def _names_of_keys(mapping: dict[Any, Any], wanted: set[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for key, value in list(mapping.items()):
        if id(value) in wanted:
            found.setdefault(id(value), _key_text(key))
        if id(key) in wanted:
            found.setdefault(id(key), " (a key)")
    return found


def _labels(referrer: Any, wanted: set[int]) -> dict[int, str]:
    """How ``referrer`` refers to each of the objects with these ids: an attribute, a key, an index."""
    try:
        if isinstance(referrer, dict):
            return _names_of_keys(referrer, wanted)
        if isinstance(referrer, (list, tuple)):
            found: dict[int, str] = {}
            for index, value in enumerate(referrer):
                if id(value) in wanted:
                    found.setdefault(id(value), f"[{index}]")
            return found
        if isinstance(referrer, types.FunctionType):
            return dict.fromkeys(wanted, " (closure)")
        attributes = getattr(referrer, "__dict__", None)
        if isinstance(attributes, dict):
            return _names_of_keys(attributes, wanted)
    except Exception:  # an object with methods of its own, which a report must survive
        pass
    return {}


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


def _referrers(things: tuple[Any, ...]) -> list[Any]:
    """As gc.get_referrers, in time that does not grow with the number of objects times that of references."""
    if len(things) <= FEW:
        return gc.get_referrers(*things)
    wanted = set(map(id, things))
    found: list[Any] = []
    objects = gc.get_objects()
    own = {id(objects), id(things), id(found)}
    for start in range(0, len(objects), CHUNK):
        chunk = objects[start : start + CHUNK]
        if wanted.isdisjoint(map(id, gc.get_referents(*chunk))):
            continue
        for thing in chunk:
            if id(thing) not in own and not wanted.isdisjoint(map(id, gc.get_referents(thing))):
                found.append(thing)
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
        for referrer in _referrers(arguments):
            if id(referrer) in hidden or id(referrer) in modules or isinstance(referrer, types.FrameType):
                continue
            if id(referrer) in seen:
                continue
            seen.add(id(referrer))
            children = {id(child) for child in gc.get_referents(referrer)} & ids - parents.keys() - {id(referrer)}
            if children:
                labels = _labels(referrer, children)
                parents.update((child, (id(referrer), labels.get(child, ""))) for child in children)
                objects[id(referrer)] = referrer
                following.append(referrer)
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
