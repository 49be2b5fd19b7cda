"""``py_class``: native types declared in Python."""

from __future__ import annotations

import copy
import inspect
import typing
from typing import Any, Callable, ClassVar, TypeVar, overload

from .._types.dunder import InitVar, _install_dataclass_dunders
from .._types.schema_annotations import OfFields, schema_of
from .._types.sentinels import MISSING
from .._types.type_info import TypeInfo, dataclass_fields
from .._types.type_schema import TypeSchema
from ..registry import _add_class_attrs
from . import _hints, _methods
from ._methods import TYPE_ATTRS as _FFI_TYPE_ATTR_NAMES
from ._methods import method
from ._transform import dataclass_transform
from .field import KW_ONLY, Field, field, init_property

_T = TypeVar("_T")
_STRUCTURAL_KINDS = {None: 0, "tree": 1, "var": 2, "dag": 3, "const-tree": 4, "singleton": 5}


def _collect_py_methods(cls: type, globalns: dict[str, Any] | None = None) -> list[tuple[Any, ...]] | None:
    return _methods.collect(cls, globalns is not None) or None


#: The options that give a class methods.
_METHOD_OPTIONS = ("init", "repr", "eq", "order", "unsafe_hash", "match_args", "frozen")

# ---- fields ----


def _field_for(cls: Any, owner: type, name: str, computed: dict[str, Any]) -> Field:
    """The Field of an annotated name: the body's own, or one for its default value."""
    value = vars(owner).get(name, MISSING)
    if value is not MISSING and owner is cls:
        delattr(cls, name)
    if isinstance(value, Field):
        return value if owner is cls else copy.copy(value)
    if isinstance(value, init_property):
        computed[name] = value.func
        return field(init=False, structural_eq="ignore", repr=False, hash=False, compare=False)
    return field() if value is MISSING else field(default=value)


def _settle(made: Field, cls: type, name: str, hint: Any, options: dict[str, Any], kw_only: bool) -> None:
    """Fill in what the field takes from its annotation and from the class."""
    made.name = name
    made.type = hint
    try:
        made._ty_schema = schema_of(_typed(made, hint), OfFields(TypeSchema))
    except TypeError as error:
        raise TypeError(f"{cls.__name__}.{name}: {error}") from None
    if made.kw_only is None:
        made.kw_only = kw_only
    made.frozen = made.frozen or options["frozen"]
    if made.hash is None:
        made.hash = made.compare


def _typed(made: Field, hint: Any) -> Any:
    """The type of a field. A Final without a type has that of its default, as for type checkers."""
    if hint is not typing.Final:
        return hint
    if made.default is MISSING:
        raise TypeError("Final without a default needs a type; write Final[int] or the like")
    return type(made.default)


def _is_class_var(hint: Any) -> bool:
    return hint is ClassVar or typing.get_origin(hint) is ClassVar


def _collect_fields(cls: Any, info: TypeInfo, hints: _hints.Hints) -> list[Field]:
    options = info._decorator_args  # type: ignore[attr-defined]
    marker_types = getattr(cls, "__ffi_field_markers__", ())
    if not isinstance(marker_types, (tuple, list)) or not all(isinstance(marker, type) for marker in marker_types):
        raise TypeError("__ffi_field_markers__ must be a tuple or list of types")
    above = info.parent_type_info
    assert above is not None
    markers = list(getattr(above, "_decorator_args", {}).get("field_markers", ()))
    init_vars = list(getattr(above, "_decorator_args", {}).get("init_vars", ()))
    before = len(above.all_fields())
    kw_only = options["kw_only"]
    fields: dict[str, Field] = {}
    computed: dict[str, Any] = {}
    for owner, of_owner in hints.items():
        for name, hint in of_owner.items():
            if _is_class_var(hint):
                continue
            if hint is KW_ONLY:
                kw_only = True
                if owner is cls and name in vars(cls):
                    delattr(cls, name)
                continue
            if hint is _hints.INIT_VAR:
                default = inspect.getattr_static(owner, name, MISSING)
                init_vars = [each for each in init_vars if each.name != name]
                init_vars.append(InitVar(name, before + len(fields), default, kw_only))
                continue
            if any(hint is marker for marker in marker_types):
                markers.append((hint, owner, name, before + len(fields)))
                continue
            fields[name] = _field_for(cls, owner, name, computed)
            _settle(fields[name], owner, name, hint, options, kw_only)
    if computed:
        cls.__ffi_init_property_funcs__ = computed
    options["field_markers"] = tuple(markers)
    options["init_vars"] = tuple(init_vars)
    return list(fields.values())


def _run_hooks(cls: type, info: TypeInfo, fields: list[Field]) -> None:
    """Call the methods that are marked to see the fields before native code does, the bases' first."""
    for base in reversed(cls.__mro__):
        for hook in list(vars(base).values()):
            if callable(hook) and getattr(hook, "__ffi_on_fields_resolved__", False) is True:
                hook(info, fields)
    for each in fields:
        if each.extra_kwargs:
            options = ", ".join(sorted(each.extra_kwargs))
            raise TypeError(f"{cls.__name__}.{each.name}: unrecognized field options: {options}")


def _complete(info: TypeInfo, hints: _hints.Hints) -> None:
    """Register the fields and methods of a class, and give it its descriptors and methods."""
    cls: Any = info.type_cls
    options = info._decorator_args  # type: ignore[attr-defined]
    fields = _collect_fields(cls, info, hints)
    _methods.collect(cls, True)  # refuses a wrong method before the hooks see the class
    _run_hooks(cls, info, fields)
    names, taken_over = _methods.type_attr_options(cls)
    methods = _methods.collect(cls, True) + _methods.inherited(info, taken_over)
    info._register_fields(fields, _STRUCTURAL_KINDS[options["structural_eq"]])
    for native, made in zip(info.fields or (), fields):
        native.dataclass_field = made
    dataclass_fields.clear()
    info._register_py_methods(methods, names)
    _restore_init(cls)
    _add_class_attrs(cls, info, type_attr_names=names)
    chosen = {name: options[name] for name in _METHOD_OPTIONS}
    _install_dataclass_dunders(cls, py_class_mode=True, **chosen)


# ---- classes that wait ----


def _defer(cls: Any, waiting: _hints.Waiting) -> None:
    """Let the first call of the class complete it."""
    own = vars(cls).get("__init__")

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if waiting.info.fields is None:
            _hints.complete_now(waiting)
        cls.__init__(self, *args, **kwargs)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__ffi_deferred_init__ = (own,)
    cls.__init__ = __init__


def _restore_init(cls: Any) -> None:
    deferred = vars(cls).get("__ffi_deferred_init__")
    if deferred is None:
        return
    del cls.__ffi_deferred_init__
    del cls.__init__
    if deferred[0] is not None:
        cls.__init__ = deferred[0]


# ---- the decorator ----


@overload
@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def py_class(cls_or_type_key: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def py_class(
    cls_or_type_key: str | None = None,
    /,
    *,
    type_key: str | None = ...,
    frozen: bool = ...,
    init: bool = ...,
    repr: bool = ...,
    eq: bool = ...,
    order: bool = ...,
    unsafe_hash: bool = ...,
    match_args: bool = ...,
    kw_only: bool = ...,
    structural_eq: str | None = ...,
    slots: bool = ...,
) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def py_class(
    cls_or_type_key: Any = None,
    /,
    *,
    type_key: str | None = None,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
    kw_only: bool = False,
    structural_eq: str | None = "tree",
    slots: bool = True,
) -> Any:
    """Declare a native type in Python: a class derived from :class:`Object` whose annotations are its fields.

    Used as ``@py_class``, ``@py_class("my.Point")`` or ``@py_class(eq=True)``. The key is the first argument or
    `type_key`, else the class's module and name. C++, Rust and Go see the type, its fields and the methods marked with
    :func:`~selfsame_ffi.method`.

    `init`, `repr`, `eq`, `order`, `unsafe_hash`, `match_args`, `kw_only` and `frozen` are those of the standard
    library's dataclasses, with `eq` off: objects are equal when they are the same. Methods that the class body defines
    stay. `structural_eq` says how structural comparison treats the objects: ``"tree"`` by their contents, ``"var"`` as
    variables, ``"dag"`` by contents and sharing, ``"const-tree"``, ``"singleton"`` by identity, None not at all.
    `slots` has no effect.

    An annotation may name a class that is not defined yet: the class is completed when it is, at the latest by the
    first object. Raises TypeError for an annotation without a native type and for a class whose bases are no native
    type's; ValueError for a key that is taken.
    """
    if order and not eq:
        raise ValueError("order=True requires eq=True")
    if structural_eq not in _STRUCTURAL_KINDS:
        valid = sorted(kind for kind in _STRUCTURAL_KINDS if kind is not None)
        raise ValueError(f"structural_eq must be one of {valid} or None, got {structural_eq!r}")
    options = {
        "frozen": frozen,
        "init": init,
        "repr": repr,
        "eq": eq,
        "order": order,
        "unsafe_hash": unsafe_hash,
        "match_args": match_args,
        "kw_only": kw_only,
        "structural_eq": structural_eq,
    }
    key = cls_or_type_key if isinstance(cls_or_type_key, str) else type_key

    def decorate(cls: Any) -> Any:
        info = _hints.register(cls, key)
        info._decorator_args = dict(options)  # type: ignore[attr-defined]
        waiting = _hints.Waiting(cls, info, _complete)
        try:
            if not _hints.complete_or_wait(waiting):
                _defer(cls, waiting)
        except Exception:
            _hints.forget(cls, info)
            raise
        cls.__ffi_is_dataclass__ = True
        return cls

    if cls_or_type_key is None or isinstance(cls_or_type_key, str):
        return decorate
    if isinstance(cls_or_type_key, type):
        return decorate(cls_or_type_key)
    raise TypeError(f"py_class: expected str or type, got {type(cls_or_type_key)}")


__all__ = ["_FFI_TYPE_ATTR_NAMES", "method", "py_class"]
