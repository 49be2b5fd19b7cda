"""The methods that ``py_class`` and ``c_class`` give a class."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, NamedTuple

from .. import _core, _ffi_api
from .sentinels import KWARGS, MISSING
from .type_info import TypeField, TypeInfo


def _install_dataclass_dunders(
    cls: Any,
    *,
    init: bool,
    repr: bool,
    eq: bool,
    order: bool,
    unsafe_hash: bool,
    match_args: bool = True,
    frozen: bool = False,
    py_class_mode: bool = False,
) -> None:
    """Give a registered class the methods that its options ask for. Methods that its body defines stay.

    `frozen`: the fields are read-only, and instances take no further attributes.
    `py_class_mode`: the class was declared in Python, so its native objects can be made without its constructor.
    """
    info: TypeInfo = cls.__tvm_ffi_type_info__
    own = set(vars(cls))
    if "__init__" not in own:
        _install_init(cls, info, init, py_class_mode)
    elif py_class_mode:
        _make_object_first(cls, info)
    if repr and "__repr__" not in own:
        cls.__repr__ = _core.CObject._native_repr
    if eq and not own & {"__eq__", "__ne__"}:
        cls.__eq__ = _comparison("__eq__", _ffi_api.RecursiveEq)
        cls.__ne__ = _comparison("__ne__", _ffi_api.RecursiveEq, negated=True)
        if "__hash__" not in own and not unsafe_hash:
            cls.__hash__ = _core.CObject.__hash__
    if order and not own & {"__lt__", "__le__", "__gt__", "__ge__"}:
        for name, function in (("lt", "Lt"), ("le", "Le"), ("gt", "Gt"), ("ge", "Ge")):
            setattr(cls, f"__{name}__", _comparison(f"__{name}__", getattr(_ffi_api, f"Recursive{function}")))
    if unsafe_hash and "__hash__" not in own:
        cls.__hash__ = _hash
    if frozen:
        for name in {"__setattr__", "__delattr__"} - own:
            setattr(cls, name, _refusing(cls, name))
    if match_args and "__match_args__" not in own:
        taking = (each.dataclass_field for each in info.all_fields())
        names = tuple(each.name for each in taking if each and each.init and not each.kw_only)
        type.__setattr__(cls, "__match_args__", names)


def _refusing(cls: Any, method: str) -> Any:
    """Make ``__setattr__`` or ``__delattr__`` of a frozen class: only what the class defines may be set, if at all."""
    plain = getattr(cls, method)

    def refuse(self: Any, name: str, *value: Any) -> None:
        if type(self) is cls and not hasattr(type(inspect.getattr_static(cls, name, None)), "__set__"):
            raise AttributeError(f"{cls.__name__}.{name}: the class is frozen")
        plain(self, name, *value)

    refuse.__name__ = method
    refuse.__qualname__ = f"{cls.__qualname__}.{method}"
    return refuse


def _hash(self: Any) -> int:
    return _ffi_api.RecursiveHash(self)


def _comparison(name: str, function: Callable[..., Any], negated: bool = False) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if not (isinstance(other, type(self)) or isinstance(self, type(other))):
            return NotImplemented
        return bool(function(self, other)) is not negated

    compare.__name__ = compare.__qualname__ = name
    return compare


# ---- constructors ----


def native_constructor(info: TypeInfo) -> Any:
    """Return the Function that makes a type's objects: a given constructor, else one made from the fields; or None."""
    for method in info.methods:
        if method.name == "__ffi_init__" and isinstance(method.func, _core.Function):
            return method.func
    return _core.type_attr(info.type_index, "__ffi_init__")


def _refuse(cls: type) -> Callable[..., None]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(
            f"`{cls.__name__}` cannot be constructed directly. Define a custom __init__ or use a factory method."
        )

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


def _install_init(cls: Any, info: TypeInfo, init: bool, py_class_mode: bool) -> None:
    if not init:
        cls.__init__ = _refuse(cls)
        return
    after = _after_init(cls)
    if py_class_mode:
        init_vars = info._decorator_args["init_vars"]  # type: ignore[attr-defined]
        cls.__init__ = _with_init_vars(cls, info, init_vars, after) if init_vars else record_init(info, after)
        return
    function = native_constructor(info)
    if function is None:
        return
    make = _core.Constructor(function, "__init__", info.type_key, None, "", None, info.type_index, KWARGS)
    make.given_signature = init_signature(info)
    normalizers = {each.name: each for each in info.all_fields() if each.takes_payloads()}
    cls.__init__ = make if after is None and not normalizers else _wrapped(cls, info, make, normalizers, after)


def _wrapped(cls: type, info: TypeInfo, make: Any, normalizers: dict[str, TypeField], after: Any) -> Any:
    """A constructor of a native class with payload enums among its fields, or with something to do afterwards."""
    order = [each.name for each in positional_fields(info)]

    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        values = [normalizers[name].normalize_value(value) if name in normalizers else value
                  for name, value in zip(order, args)] + list(args[len(order) :])  # fmt: skip
        named = {name: normalizers[name].normalize_value(value) if name in normalizers else value
                 for name, value in kwargs.items() if value is not MISSING}  # fmt: skip
        make(self, *values, **named)
        if after is not None:
            after(self)

    __init__.__signature__ = init_signature(info)  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    return __init__


def record_init(info: TypeInfo, after: Callable[[Any], None] | None) -> Any:
    """Return the constructor of a class declared in Python: the core's, which does everything in one call."""
    slots = tuple(
        (
            each.descriptor,
            each.c_default,
            each.c_default_factory,
            each.c_init,
            each.c_kw_only,
        )
        for each in info.all_fields()
    )
    return _core.RecordInit(info.type_index, info.type_key, slots, MISSING, after, init_signature(info))


class InitVar(NamedTuple):
    """An argument of a constructor that goes to __post_init__ and is no field."""

    name: str
    place: int  # so many fields come before it
    default: Any  # MISSING without one
    kw_only: bool


def _with_init_vars(cls: type, info: TypeInfo, init_vars: tuple[InitVar, ...], after: Any) -> Any:
    """The constructor of a class that has such arguments."""
    record = record_init(info, None)
    signature = init_signature(info, init_vars)

    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind(self, *args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{info.type_key}.__init__: {error}") from None
        del given["self"]
        values = [given.pop(each.name, each.default) for each in init_vars]
        record(self, **given)
        if after is not None:
            after(self, *values)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    return __init__


#: Ids of the objects whose own constructor runs, of _make_object_first.
_in_constructor: set[int] = set()


def _make_object_first(cls: Any, info: TypeInfo) -> None:
    """A constructor that the class defines gets an object with a native one.

    It sets the fields one by one, or all of them by ``self.__ffi_init__(...)``, which takes them as the constructor
    made from the fields would. Both constructors refuse an object that is complete: TypeError.
    """
    user_init = vars(cls)["__init__"]
    make = _core.type_attr(info.type_index, "__ffi_new__")
    if make is None:
        return

    @functools.wraps(user_init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if id(self) in _in_constructor:  # called by the one of a derived class
            user_init(self, *args, **kwargs)
            return
        if self.__chandle__():
            raise TypeError(f"{info.type_key}.__init__: the object is initialised already")
        self.__init_handle_by_constructor__(make)
        _in_constructor.add(id(self))
        try:
            user_init(self, *args, **kwargs)
        finally:
            _in_constructor.discard(id(self))

    record = record_init(info, None)

    def __ffi_init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if id(self) not in _in_constructor:
            raise TypeError(f"{info.type_key}.__ffi_init__: the object is initialised already")
        record.fill(self, *args, **kwargs)

    cls.__init__ = __init__
    cls.__ffi_init__ = __ffi_init__
    cls.__ffi_made_first__ = True  # the core lets super().__init__() do nothing


def _after_init(cls: type) -> Callable[..., None] | None:
    """Ends a constructor: sets the values of init_property, then calls __post_init__. None for nothing."""
    computed: dict[str, Callable[[Any], Any]] = {}
    for base in reversed(cls.__mro__):
        computed.update(vars(base).get("__ffi_init_property_funcs__", {}))
    if not computed:
        return _call_post_init if hasattr(cls, "__post_init__") else None

    def after(self: Any, *init_vars: Any) -> None:
        for name, function in computed.items():
            getattr(type(self), name).set(self, function(self))
        if hasattr(self, "__post_init__"):
            self.__post_init__(*init_vars)

    return after


def _call_post_init(self: Any, *init_vars: Any) -> None:
    self.__post_init__(*init_vars)


# ---- signatures ----


def positional_fields(info: TypeInfo) -> list[TypeField]:
    """Return the fields that positional arguments set, in their order: required ones first."""
    fields = [each for each in info.all_fields() if each.c_init and not each.c_kw_only]
    return sorted(fields, key=lambda each: each.c_has_default)


def init_signature(info: TypeInfo, init_vars: tuple[InitVar, ...] = ()) -> inspect.Signature:
    """Return the signature of the constructor that is made from a type's fields and `init_vars`."""
    fields = [each for each in enumerate(info.all_fields()) if each[1].c_init]
    taken = [(each.c_kw_only, each.c_has_default, 2 * i + 1, each.name) for i, each in fields]
    taken += [(each.kw_only, each.default is not MISSING, 2 * each.place, each.name) for each in init_vars]
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for kw_only, has_default, _, name in sorted(taken, key=lambda each: each[:3]):
        kind = inspect.Parameter.KEYWORD_ONLY if kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = MISSING if has_default else inspect.Parameter.empty
        parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def _make_constructor(
    cls: Any,
    *,
    positional_fields: list[str] | None = None,
    field_normalizers: dict[str, Callable[[Any], Any]] | None = None,
) -> Callable[..., Any]:
    """A function that makes objects of a class from all their fields, without the class's own __init__ and hooks.

    The fields take positional arguments in their order, or only those in `positional_fields`, in that order. A missing
    argument is the field's default. `field_normalizers` are called with the arguments of their fields.
    """
    from ..dataclasses.common import fields as fields_of

    fields = {each.name: each for each in fields_of(cls)}
    names = list(fields) if positional_fields is None else positional_fields
    by_name = [name for name in fields if name not in names]
    normalizers = {
        each.name: each.normalize_value for each in cls.__tvm_ffi_type_info__.all_fields() if each.takes_payloads()
    }
    normalizers.update(field_normalizers or {})
    parameters = [
        inspect.Parameter(name, kind, default=fields[name].default)
        for group, kind in ((names, inspect.Parameter.POSITIONAL_OR_KEYWORD), (by_name, inspect.Parameter.KEYWORD_ONLY))
        for name in group
    ]
    signature = inspect.Signature(parameters)

    def construct(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = {name: value for name, value in bound.arguments.items() if value is not MISSING}
        for name, normalize in normalizers.items():
            if name in given:
                given[name] = normalize(given[name])
        made = cls.__new__(cls)
        cls.__ffi_init__(made, **given)
        return made

    construct.__signature__ = signature  # type: ignore[attr-defined]
    construct.__name__, construct.__qualname__, construct.__module__ = cls.__name__, cls.__qualname__, cls.__module__
    return construct
