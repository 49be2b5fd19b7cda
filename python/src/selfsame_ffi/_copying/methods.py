"""The functions behind CObject's methods for copies and pickles, and behind ``copy.replace``."""

from __future__ import annotations

import copy as _copy
from typing import Any, Callable

from .. import _core
from .._calls.messages import did_you_mean
from . import COPY, DUMP, go_copy, go_state, go_value, implementation, implementation_state, set_state
from .plans import plan_of, reducers
from .state import ATOMS, fields_of, python_state, set_python_state


def replace(obj: Any, changes: dict[str, Any]) -> Any:
    """Return a shallow copy of an object with other values for some fields. TypeError for a name that is no field."""
    known = fields_of(_core.native_type(obj))
    made = obj.__copy__()
    for name, value in changes.items():
        field = known.get(name)
        if field is None:
            hint = did_you_mean(name, known)
            raise TypeError(f"{type(obj).__name__}.__replace__: no field has the name {name!r}{hint}")
        _core.restore_field(field, made, value)
    return made


def _has_own_reduce(cls: type) -> bool:
    return (
        cls.__reduce__ is not _core.CObject.__reduce__  # type: ignore[comparison-overlap]
        or cls.__reduce_ex__ is not _core.CObject.__reduce_ex__  # type: ignore[comparison-overlap]
    )


def _reduce(obj: Any, protocol: int, own: bool, stateful: bool) -> Any:
    """What pickle gets. `own`: whether the class may say it itself; `stateful`: whether it may have Python state."""
    if not own:
        return plan_of(_core.native_type(obj)).reduce(obj, protocol, stateful)
    cls = type(obj)
    if cls.__reduce__ is not _core.CObject.__reduce__:
        reduced = obj.__reduce__()
        if (
            isinstance(reduced, tuple)
            and 3 <= len(reduced) < 6
            and reduced[2] is not None
            and cls.__setstate__ is _core.CObject.__setstate__
        ):
            return (*reduced, *[None] * (5 - len(reduced)), set_state)  # CObject's own __setstate__ raises
        return reduced
    if hasattr(cls, DUMP):
        form, data = getattr(obj, DUMP)()
        if not form:  # the class implements an interface
            return implementation, (cls,), python_state(obj), None, None, implementation_state
        return go_value, (cls, form, data), getattr(obj, "__dict__", None) or None, None, None, go_state
    return plan_of(_core.native_type(obj)).reduce(obj, protocol, stateful)


def _copied(obj: Any) -> Any:
    cls = type(obj)
    if _has_own_reduce(cls):
        return _from_reduced(obj, obj.__reduce_ex__(4), None)
    if hasattr(cls, DUMP):
        try:
            reduced = obj.__reduce_ex__(4)
        except TypeError as error:
            # The value refers to what nobody may have twice: its copy refers to the same, as Go's does.
            if not hasattr(cls, COPY):
                return _from_reduced(obj, _sharing(obj, error), None)
            reduced = go_copy, (obj,), getattr(obj, "__dict__", None) or None, None, None, go_state
        return _from_reduced(obj, reduced, None)
    return plan_of(_core.native_type(obj)).copy(obj)


def _deepcopied(obj: Any, memo: dict[int, Any]) -> Any:
    if _has_own_reduce(type(obj)):
        return _from_reduced(obj, obj.__reduce_ex__(4), memo)
    if hasattr(type(obj), DUMP):
        try:
            reduced = obj.__reduce_ex__(4)
        except TypeError as error:
            reduced = _sharing(obj, error)
        return _from_reduced(obj, reduced, memo)
    return plan_of(_core.native_type(obj)).deepcopy(obj, memo)


def _sharing(obj: Any, error: TypeError) -> Any:
    """Return how to copy a Go value that no pickle holds, with the same funcs. Raises the error without such a copy."""
    try:
        form, data = getattr(obj, DUMP)(True)
    except TypeError:
        raise error from None
    return go_value, (type(obj), form, data), getattr(obj, "__dict__", None) or None, None, None, go_state


def _from_reduced(obj: Any, reduced: Any, memo: dict[int, Any] | None) -> Any:
    """The copy that a class's own __reduce__ describes; a deep copy if `memo` is given."""
    if isinstance(reduced, str):
        return obj
    if not isinstance(reduced, tuple) or not 2 <= len(reduced) <= 6:
        raise TypeError(f"{type(obj).__name__}.__reduce__: expected a str or a tuple of 2 to 6 items as its result")
    parts: list[Any] = [*reduced, None, None, None, None]
    make, arguments, state, items, pairs, setter = parts[:6]
    part: Callable[[Any], Any] = (lambda value: value) if memo is None else (lambda value: _copy.deepcopy(value, memo))
    made = make(*(part(argument) for argument in arguments))
    if memo is not None:
        memo[id(obj)] = made
    if state is not None:
        if setter is not None:
            setter(made, part(state))
        elif hasattr(type(made), "__setstate__") and not isinstance(made, _core.CObject):
            made.__setstate__(part(state))
        else:
            set_python_state(made, (part(state),))
    for item in items or ():
        made.append(part(item))
    for key, value in pairs or ():
        made[part(key)] = part(value)
    return made


_core.set_copying(_reduce, _copied, _deepcopied, ATOMS, reducers)
