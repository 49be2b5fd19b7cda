"""Operators, special methods and properties of classes whose native methods implement them.

A class says with the type attribute ``__ffi_operators__``, a text of words, which it has: ``eq`` and ``order``
(functions in other type attributes), ``methods`` (among its methods are special ones) and ``properties``. Classes
without the attribute are left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from typing import Any, Callable

from .. import _core  # noqa: F401
from .._go.shown import show_fields
from .._load import runtime  # noqa: F401
from .member_signatures import declare_special
from .metadata import parsed

_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_ARITHMETIC = (
    "add",
    "sub",
    "mul",
    "matmul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "xor",
    "or",
)
#: Methods of two operands, which leave an operand that they do not take to the operand's own class.
BINARY = frozenset({*_COMPARISONS, *(f"__{prefix}{name}__" for name in _ARITHMETIC for prefix in ("", "r", "i"))})

#: The static method of a wrapped type that calculates which makes a value of an int.
FROM_INT = "__go_from_int__"

#: The beginning of an error about an argument, as calls write it: the special method, then the argument.
_REFUSED_ARGUMENT = re.compile(r"[\w.]+\.__\w+__: argument '\w+': ")

_Accepts = Callable[[Any], bool]
_PLAIN: dict[str, _Accepts] = {
    "int": lambda value: hasattr(type(value), "__index__"),
    "float": lambda value: hasattr(type(value), "__float__") or hasattr(type(value), "__index__"),
    "bool": lambda value: isinstance(value, bool),
    "ffi.String": lambda value: isinstance(value, str),
    "ffi.Bytes": lambda value: isinstance(value, (bytes, bytearray, memoryview)),
    "None": lambda value: value is None,
    # Go methods read fields of the pointer or interface, or call its methods, so nil is refused.
    "go.Pointer": lambda value: value is not None,
    "go.Interface": lambda value: value is not None,
}


def _accepts(schema: dict[str, Any]) -> _Accepts:
    """Whether a value can be an argument of a type. True for types that only their conversion can judge."""
    name = schema.get("type", "Any")
    if name in _PLAIN:
        return _PLAIN[name]
    if name == "Optional":
        inner = _accepts(schema["args"][0])
        return lambda value: value is None or inner(value)
    index = _core.type_key_to_index(name) if "." in name and not name.startswith("ffi.") else None
    if index is None:
        return lambda value: True
    return lambda value: isinstance(value, _core.class_of(index))


#: The classes whose objects are certainly arguments of these types.
_EXACT: dict[str, type] = {"int": int, "float": float, "bool": bool, "ffi.String": str, "ffi.Bytes": bytes}


def _fitting(schema: dict[str, Any]) -> type | None:
    """The class whose objects a native method takes without a look at them; None where no class is certain."""
    name, inner = schema.get("type", "Any"), schema.get("args", ())
    if name in _EXACT:
        return _EXACT[name]
    if name in ("go.Pointer", "go.Named") and inner:
        return _fitting(inner[0])
    if name.startswith(("ffi.", "go.")) or "." not in name:
        return None
    index = _core.type_key_to_index(name)
    return None if index is None else _core.class_of(index)


def _arguments(metadata: str) -> list[dict[str, Any]]:
    """The schemas of a method's arguments, without its object; empty when they are not known."""
    try:
        return list(json.loads(parsed(metadata)["type_schema"])["args"][2:])
    except (ValueError, KeyError, TypeError):
        return []


def named(function: Any, cls: type, name: str, doc: str | None) -> Any:
    """Give a function the name, the doc and the declaration of a member of a class."""
    function.__name__, function.__qualname__, function.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
    function.__doc__ = doc
    declare_special(function, cls)
    return function


def _call(method: Any, accepts: _Accepts, self: Any, other: Any, refused: Any) -> Any:
    """What a method returns for a value; `refused` for one that it does not take, by its type or by its range."""
    if not accepts(other):
        return refused
    try:
        return method(self, other)
    except (TypeError, ValueError, OverflowError) as error:
        if _is_refusal(error):
            return refused
        raise


def _copy(method: Any) -> Any:
    """The native method without what other arguments lead to."""
    return _core.Method(
        method.function, method.__name__, method.type_key, method.__doc__, method.metadata, method.arg_names
    )


def _natively(
    method: Any, schema: dict[str, Any], otherwise: Any, refused: Any = None, from_start: bool = False
) -> Any:
    """Have the native method take arguments of the one class that certainly fits, and `otherwise` the others.

    `refused` gives the result, from the object and the argument, where the native method refuses that after all.
    Without such a class the result is `otherwise`, else it is the method.
    """
    fitting = _fitting(schema)
    if fitting is None:
        return otherwise

    def after_failure(self: Any, other: Any, error: Exception) -> Any:
        return refused(self, other) if _is_refusal(error) else None

    method.fits, method.from_start, method.otherwise = fitting, from_start, otherwise
    if refused is not None:
        method.refused = after_failure
    return method


def _is_refusal(error: BaseException) -> bool:
    return isinstance(error, (TypeError, ValueError, OverflowError)) and bool(_REFUSED_ARGUMENT.match(str(error)))


def _binary(method: Any, schema: dict[str, Any]) -> Any:
    native, accepts = _copy(method), _accepts(schema)

    def refused(self: Any, other: Any) -> Any:
        number = _of_int(self, other)
        return NotImplemented if number is None else native(self, number)

    def special(self: Any, other: Any) -> Any:
        made = _call(native, accepts, self, other, NotImplemented)
        return refused(self, other) if made is NotImplemented else made

    return _natively(method, schema, special, refused)


def _reflected(special: Any) -> Any:
    def reflected(self: Any, other: Any) -> Any:
        number = _of_int(self, other)
        return NotImplemented if number is None else special(number, self)

    return reflected


def _of_int(self: Any, other: Any) -> Any:
    """The value of the type for an int, None where there is none."""
    make = getattr(self, FROM_INT, None) if type(other) is int else None
    try:
        return None if make is None else make(other)
    except (TypeError, ValueError, OverflowError):  # of a large int
        return None


def _contains(method: Any, schema: dict[str, Any]) -> Any:
    native, accepts = _copy(method), _accepts(schema)

    def __contains__(self: Any, item: Any) -> bool:
        return bool(_call(native, accepts, self, item, False))

    return _natively(method, schema, __contains__, lambda self, item: False)


def _position(self: Any, index: Any) -> Any:
    """An index from the end as one from the start. One before the start stays, so that the method names it."""
    if not hasattr(type(index), "__index__"):
        return index
    given = index.__index__()
    from_start = given + len(self) if given < 0 else given
    return from_start if from_start >= 0 else given


def _getitem(method: Any, schema: dict[str, Any], cls: type) -> Any:
    native, by_number, part = _copy(method), schema.get("type") == "int", vars(cls).get("__getslice__")

    def __getitem__(self: Any, index: Any) -> Any:
        if isinstance(index, slice):
            bounds = index.indices(len(self))
            return [native(self, i) for i in range(*bounds)] if part is None else part(self, *bounds)
        return native(self, _position(self, index) if by_number else index)

    return _natively(method, schema, __getitem__, from_start=by_number)


def _at_position(method: Any, schema: dict[str, Any]) -> Any:
    """__setitem__ or __delitem__ of a sequence."""
    native = _copy(method)

    def special(self: Any, index: Any, *value: Any) -> Any:
        return native(self, _position(self, index), *value)

    return _natively(method, schema, special, from_start=True)


def _not_equal() -> Any:
    def __ne__(self: Any, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    return __ne__


def _iter(method: Any) -> Any:
    def __iter__(self: Any) -> Any:
        return iter(method(self))

    return __iter__


def _step() -> Any:
    def __next__(self: Any) -> Any:
        values = iter(self)
        try:
            return next(values)
        finally:
            values.close()

    return __next__


def _step_later() -> Any:
    async def __anext__(self: Any) -> Any:
        return await type(self).__aiter__(self).__anext__()

    return __anext__


def _complete_iteration(cls: Any, info: dict[str, Any]) -> None:
    """Gives an iterator its step, and every class with a loop of Go the asynchronous one."""
    own = vars(cls)
    by_key = any(
        name == "__getitem__" and [each.get("type") for each in _arguments(metadata)] not in ([], ["int"])
        for name, _doc, metadata, _flags, _function in info["methods"]
    )
    if by_key and not hasattr(cls, "__iter__"):
        cls.__iter__ = None  # Python would try the keys 0, 1, 2 ...
    if "__iter__" not in own or own["__iter__"] is None:
        return
    if issubclass(cls, Iterator):
        cls.__next__ = named(_step(), cls, "__next__", "The next value. Raises StopIteration at the end.")
        cls.__anext__ = named(_step_later(), cls, "__anext__", None)
        cls.__aiter__ = named(lambda self: iter(self), cls, "__aiter__", None)
    if issubclass(cls, Set) and "_from_iterable" not in own:
        cls._from_iterable = classmethod(lambda cls, values: set(values))


def _exit(method: Any, taken: int) -> Any:
    def __exit__(self: Any, *exception: Any) -> Any:
        return method(self, *exception[:taken])

    return __exit__


def _adapt(cls: type, name: str, doc: str | None, metadata: str, method: Any) -> None:
    arguments = _arguments(metadata)
    made: Any = None
    if name in BINARY and len(arguments) == 1:
        made = _binary(method, arguments[0])
    elif name == "__contains__" and len(arguments) == 1:
        made = _contains(method, arguments[0])
    elif name == "__getitem__" and len(arguments) == 1 and hasattr(cls, "__len__"):
        made = _getitem(method, arguments[0], cls)
    elif name in ("__setitem__", "__delitem__") and hasattr(cls, "__len__"):
        if arguments and arguments[0].get("type") == "int":
            made = _at_position(method, arguments[0])
    elif name == "__iter__":
        made = _iter(method)
    elif name == "__exit__":
        made = _exit(method, len(arguments))
        if not hasattr(cls, "__enter__"):
            cls.__enter__ = named(lambda self: self, cls, "__enter__", None)  # type: ignore[attr-defined]
    if made is not None and made is not method:
        setattr(cls, name, named(made, cls, name, doc))


def _complete_equality(cls: Any, body: dict[str, Any]) -> None:
    """Gives a class whose methods include ``__eq__`` what Python gives to one that defines it."""
    own = vars(cls)
    if "__eq__" not in own or "__eq__" in body:
        return
    if "__hash__" not in own:
        cls.__hash__ = None  # equal objects must have equal hashes
    if "__ne__" not in own:
        cls.__ne__ = named(_not_equal(), cls, "__ne__", None)


def _complete_number(cls: Any, body: dict[str, Any]) -> None:
    """Gives a type that calculates with methods the operators with an int in front, and the hash of a number."""
    own = vars(cls)
    for name in _ARITHMETIC if FROM_INT in own else ():
        special, reflected = own.get(f"__{name}__"), f"__r{name}__"
        if special is not None and reflected not in own:
            setattr(cls, reflected, named(_reflected(special), cls, reflected, special.__doc__))

    def __hash__(self: Any) -> int:
        value = float(self)
        if abs(value) > 2**53 and "__int__" in own and self == int(self):
            return hash(int(self))
        return hash(value)

    if "__float__" in own and "__add__" in own and own.get("__hash__") is None and "__hash__" not in body:
        cls.__hash__ = named(__hash__, cls, "__hash__", "The hash of the number.")


def _exact(self: Any) -> Any:
    """The number that a value is, for a format specification."""
    import decimal

    try:
        return decimal.Decimal(str(self))
    except decimal.InvalidOperation:
        return float(self)


def _complete_format(cls: Any, body: dict[str, Any]) -> None:
    """Makes a number's format specification, such as ``{level:03d}``, that of its plain value."""
    own = vars(cls)
    plain: Any = int if "__index__" in own else float if "__float__" in own else None
    if plain is float and "__str__" in own:
        plain = _exact
    if plain is None or "__format__" in own or "__format__" in body:
        return

    def __format__(self: Any, specification: str) -> str:
        return format(plain(self), specification) if specification else str(self)

    cls.__format__ = named(__format__, cls, "__format__", "The plain value as the format specification says.")


def _add_equality(cls: Any, index: int, own: dict[str, Any]) -> None:
    equal, hashed = _core.type_attr(index, "__any_equal__"), _core.type_attr(index, "__any_hash__")

    def __eq__(self: Any, other: Any) -> Any:
        return equal(self, other) if self is other or isinstance(other, cls) else NotImplemented

    def __hash__(self: Any) -> int:
        return int(hashed(self))

    if "__eq__" not in own:
        cls.__eq__ = named(__eq__, cls, "__eq__", "Whether the class's Equality finds both equal.")
        if own.get("__hash__") is None:
            cls.__hash__ = named(__hash__, cls, "__hash__", "The hash of the class's Equality.")


def _add_order(cls: Any, index: int, own: dict[str, Any]) -> None:
    compare = _core.type_attr(index, "__ffi_compare__")

    def comparison(holds: Callable[[int], bool]) -> Any:
        def special(self: Any, other: Any) -> Any:
            return holds(compare(self, other)) if isinstance(other, cls) else NotImplemented

        return special

    for name, holds in (
        ("__lt__", lambda sign: sign < 0),
        ("__le__", lambda sign: sign <= 0),
        ("__gt__", lambda sign: sign > 0),
        ("__ge__", lambda sign: sign >= 0),
    ):
        if name not in own:
            setattr(cls, name, named(comparison(holds), cls, name, "As the class's Order has it."))


def _add_properties(cls: Any, info: dict[str, Any], body: dict[str, Any]) -> None:
    found: dict[str, dict[str, Any]] = {}
    for name, doc, metadata, _flags, _function in info["methods"]:
        try:
            about = parsed(metadata).get("property") if metadata and '"property"' in metadata else None
        except ValueError:
            about = None
        if isinstance(about, str) and about not in body and name in vars(cls):
            role = "get" if name == about else "set"
            found.setdefault(about, {})[role] = (vars(cls)[name], doc)
    for name, parts in found.items():
        if "get" in parts:
            getter, doc = parts["get"]
            setter = parts["set"][0] if "set" in parts else None
            setattr(cls, name, property(getter, setter, None, doc))
        if "set" in parts:
            delattr(cls, f"set_{name}")


def add_special(cls: type, info: dict[str, Any], body: dict[str, Any], plain_repr: Any) -> None:
    """Give a class the operators, special methods and properties of its type.

    `body` is what it defines itself, and `plain_repr` the ``__repr__`` of all objects.
    """
    index = info["type_index"]
    words = str(_core.type_attr(index, "__ffi_operators__") or "").split()
    complete_container = getattr(cls, "_ffi_container", None)
    of_container = frozenset() if complete_container is None else complete_container()
    if "methods" in words:
        for name, doc, metadata, _flags, _function in info["methods"]:
            if name in of_container:
                continue
            if name.startswith("__") and name not in body and isinstance(vars(cls).get(name), _core.Method):
                _adapt(cls, name, doc, metadata, vars(cls)[name])
        _complete_equality(cls, body)
        _complete_number(cls, body)
        _complete_iteration(cls, info)
        _complete_format(cls, body)
    left: Any = getattr(cls, "__abstractmethods__", None)
    if left:  # of a sequence, whose methods came after the class was made
        still = frozenset(name for name in left if getattr(getattr(cls, name), "__isabstractmethod__", False))
        cls.__abstractmethods__ = still  # type: ignore[attr-defined]
    if "eq" in words:
        _add_equality(cls, index, body)
    if "order" in words:
        _add_order(cls, index, body)
    if "properties" in words:
        _add_properties(cls, info, body)
    if "wrapped" in words:
        show_fields(cls, info, plain_repr)
