"""Functions with keyword arguments and defaults around functions that take positional arguments only."""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Iterable
from typing import Any, Callable

from .._types.sentinels import MISSING
from .unpack_dataclass import unpack_dataclass_to_tuple

_RESERVED = {"__i_target_func", "__i_MISSING", "__i_arg_defaults", "__i_unpack"}


def make_kwargs_wrapper(
    target_func: Callable[..., Any],
    arg_names: list[str],
    arg_defaults: tuple[Any, ...] = (),
    kwonly_names: list[str] | None = None,
    kwonly_defaults: dict[str, Any] | None = None,
    prototype: Callable[..., Any] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """Return a function with the given arguments that calls `target_func` with all of them by position.

    `arg_defaults` are the defaults of the last of `arg_names`; `kwonly_defaults` those of arguments that are passed by
    name. The arguments in `map_dataclass_to_tuple` go through
    :func:`~selfsame_ffi.utils.unpack_dataclass.unpack_dataclass_to_tuple`. Name, doc and annotations are `prototype`'s.
    """
    kwonly_names, kwonly_defaults = kwonly_names or [], kwonly_defaults or {}
    _check_names(arg_names, "Argument")
    if not isinstance(arg_defaults, tuple):
        raise TypeError(f"arg_defaults must be a tuple, got {type(arg_defaults).__name__}")
    if len(arg_defaults) > len(arg_names):
        raise ValueError(f"arg_defaults has {len(arg_defaults)} values but only {len(arg_names)} positional arguments")
    _check_names(kwonly_names, "Keyword-only argument")
    for name in kwonly_defaults:
        if name not in kwonly_names:
            raise ValueError(f"Default provided for '{name}' which is not in kwonly_names: {kwonly_names}")
    both = set(arg_names) & set(kwonly_names)
    if both:
        raise ValueError(f"Arguments cannot be both positional and keyword-only: {both}")
    taken = _RESERVED.intersection(arg_names) | _RESERVED.intersection(kwonly_names)
    if taken:
        raise ValueError(f"Argument names conflict with internal names: {taken}")
    first = len(arg_names) - len(arg_defaults)
    defaults = {**dict(zip(arg_names[first:], arg_defaults)), **kwonly_defaults}
    wrapper = _compile(target_func, arg_names, kwonly_names, defaults, set(map_dataclass_to_tuple or ()))
    if prototype is not None:
        functools.update_wrapper(wrapper, prototype, updated=())
    return wrapper


def _check_names(names: list[str], what: str) -> None:
    if len(set(names)) != len(names):
        raise ValueError(f"Duplicate {what.lower()} names found in: {names}")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} name must be a string, got {type(name).__name__}: {name!r}")
        if keyword.iskeyword(name):
            raise ValueError(
                f"Invalid {what.lower()} name: {name!r} is a Python keyword and cannot be used as a parameter name"
            )
        if not name.isidentifier():
            raise ValueError(f"Invalid {what.lower()} name: {name!r} is not a valid Python identifier")


def _compile(
    target: Callable[..., Any], names: list[str], kwonly: list[str], defaults: dict[str, Any], unpacked: set[str]
) -> Callable[..., Any]:
    """The wrapper. Its source has only checked names: a default other than None, True and False is looked up when the
    argument is missing."""
    kept: dict[str, Any] = {}
    parameters: list[str] = []
    arguments: list[str] = []
    for name in (*names, *(["*"] if kwonly else []), *kwonly):
        if name == "*":
            parameters.append(name)
            continue
        argument = name
        if name not in defaults:
            parameters.append(name)
        elif defaults[name] is None or type(defaults[name]) is bool:
            parameters.append(f"{name}={defaults[name]}")
        else:
            parameters.append(f"{name}=__i_MISSING")
            kept[name] = defaults[name]
            argument = f"__i_arg_defaults[{name!r}] if {name} is __i_MISSING else {name}"
        arguments.append(f"__i_unpack({argument})" if name in unpacked else argument)
    source = f"def wrapper({', '.join(parameters)}):\n    return __i_target_func({', '.join(arguments)})\n"
    scope: dict[str, Any] = {
        "__i_target_func": target,
        "__i_MISSING": MISSING,
        "__i_arg_defaults": kept,
        "__i_unpack": unpack_dataclass_to_tuple,
    }
    exec(source, scope)
    return scope["wrapper"]


def make_kwargs_wrapper_from_signature(
    target_func: Callable[..., Any],
    signature: inspect.Signature,
    prototype: Callable[..., Any] | None = None,
    exclude_arg_names: Iterable[str] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """:func:`make_kwargs_wrapper` with the arguments of a signature, without those in `exclude_arg_names`.

    Raises ValueError for a signature with ``*args`` or ``**kwargs``, or with a required argument behind one that has a
    default.
    """
    excluded = set(exclude_arg_names or ())
    names: list[str] = []
    defaults: list[Any] = []
    kwonly: list[str] = []
    kwonly_defaults: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        has_default = parameter.default is not parameter.empty
        if name in excluded:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise ValueError("*args not supported in wrapper generation")
        if parameter.kind is parameter.VAR_KEYWORD:
            raise ValueError("**kwargs not supported in wrapper generation")
        if parameter.kind is parameter.KEYWORD_ONLY:
            kwonly.append(name)
            if has_default:
                kwonly_defaults[name] = parameter.default
            continue
        if defaults and not has_default:
            raise ValueError(f"Required positional parameter '{name}' cannot follow parameters with defaults")
        names.append(name)
        if has_default:
            defaults.append(parameter.default)
    return make_kwargs_wrapper(
        target_func, names, tuple(defaults), kwonly, kwonly_defaults, prototype, map_dataclass_to_tuple
    )
