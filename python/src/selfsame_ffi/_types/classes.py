"""Turning reflection data into attributes of Python classes."""

from __future__ import annotations

import functools
import keyword
import sys
from typing import TYPE_CHECKING, Any

from .. import _core
from .flags import REPR_OFF, STATIC
from .kinds import BY_KEY
from .metadata import parsed
from .special import add_special

if TYPE_CHECKING:
    from collections.abc import Iterable

_OBJECT_INDEX = BY_KEY["ffi.Object"].type_index
_ENUM_STATE = "__ffi_enum__"  # the type attribute of enums that has their members
_OLD_ENUM_ENTRIES = "__ffi_enum_entries__"  # the same by name, of libraries compiled with headers before 0.1.15
# Attributes of a class that reflection may not overwrite.
_RESERVED = frozenset({"__init__", "__new__", "__class__", "__dict__", "__slots__", "__del__"})


def can_be_field(name: str) -> bool:
    """Say whether a native field of that name is an attribute: Python would call one between double underscores by
    itself."""
    return not (name.startswith("__") and name.endswith("__"))


class Object(_core.CObject):
    """Base of every class of native objects.

    There is one Python object per native object: ``a.x is a.x``, and an object that went through native code is the
    same object when it comes back. A class with empty ``__slots__`` is lean: its instances cost little and their
    ``id`` stays the same for as long as the native object lives. A class with a ``__dict__``, further slots,
    ``__weakref__`` or ``__del__`` keeps that state for as long as the native object lives.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def __repr__(self) -> str:
        if not self.__chandle__():
            return super().__repr__()
        return _markers.get(id(self)) or self._native_repr()

    def _repr_html_(self) -> str | None:
        """How notebooks show the object: a table. None, for the text, when there is nothing to put into one."""
        from .._debug.html import html_of

        return html_of(self)

    def __replace__(self, /, **changes: Any) -> Any:
        """A shallow copy with other values for some fields, read-only ones too."""
        return _copy_methods().replace(self, changes)


@functools.cache
def _copy_methods() -> Any:
    """The module behind copies, which imports this one."""
    from .._copying import methods

    return methods


#: How the marker objects of _types/sentinels.py are shown, by their ids: they live as long as the process.
_markers: dict[int, str] = {}


def fields_of(cls: type) -> list[_core.Field]:
    """Return the reflected fields that a class's repr shows, ancestors' first."""
    seen: dict[str, _core.Field] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).copy().items():  # other threads may set attributes of the class
            if isinstance(value, _core.Field) and not value.flags & REPR_OFF:
                seen[name] = value
    return list(seen.values())


def interned(names: Iterable[str]) -> tuple[str, ...]:
    """Names of parameters, so that a call recognises its keywords by their addresses."""
    return tuple(sys.intern(name) for name in names)


def arg_names_of(metadata: str) -> tuple[str, ...] | None:
    """Return the argument names in a method's metadata, None when it does not have them."""
    if not metadata:
        return None
    try:
        known = parsed(metadata)
        names = known.get("arg_names")
    except (ValueError, AttributeError):
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    return interned(names[: positional_count(known)])


def positional_count(metadata: dict[str, Any]) -> int:
    """Return how many of the `arg_names` of a function's metadata may be passed by position and by name."""
    return len(metadata["arg_names"]) - bool(metadata.get("variadic")) - int(metadata.get("by_name") or 0)


def _has_defaults(metadata: str) -> bool:
    """Whether some arguments of a method may be left out, so that its Function needs keyword arguments as such."""
    try:
        return bool(metadata) and '"arg_defaults"' in metadata and bool(parsed(metadata).get("arg_defaults"))
    except (ValueError, AttributeError):
        return False


def _keywords_sentinel() -> Any:
    sentinel_of = _core.get_global_func("ffi.GetKwargsObject")
    return None if sentinel_of is None else sentinel_of()


def obey_metadata(function: _core.Function, metadata: str) -> None:
    """Set `release_gil` of a function as its metadata says. A call of a short one keeps the GIL, a batch does not."""
    if '"release_gil"' in metadata or '"short"' in metadata:
        said = parsed(metadata)
        wanted = said.get("release_gil")
        if isinstance(wanted, bool):
            function.release_gil = wanted
        elif said.get("short") is True:
            _core.keep_gil_in_single_calls(function)


def lend_arguments(function: _core.Function, metadata: dict[str, Any]) -> None:
    """Have the arguments lent that a Go function copies or only reads, and looked into for tensors, by its metadata."""
    keys = ("lent", "lent_numbers", "lent_bytes", "tensor_records", "written", "written_any")
    masks = [_mask_of(metadata.get(key)) for key in keys]
    if any(masks):
        _core.lend_arguments(function, *masks)


def _mask_of(indices: Any) -> int:
    if not isinstance(indices, list):
        return 0
    return sum(1 << i for i in set(indices) if isinstance(i, int) and 0 <= i < 32)


def _obey_as_member(function: _core.Function, metadata: str) -> None:
    obey_metadata(function, metadata)
    if '"lent' in metadata or '"tensor_records"' in metadata or '"written"' in metadata:
        lend_arguments(function, parsed(metadata))


def _method(info: dict[str, Any], entry: tuple[str, str | None, str, int, Any]) -> Any:
    name, doc, metadata, flags, value = entry
    if not isinstance(value, _core.Function):
        return value
    _obey_as_member(value, metadata)
    make = _core.StaticMethod if flags & STATIC else _core.Method
    sentinel = _keywords_sentinel() if _has_defaults(metadata) else None
    made = make(value, name, info["type_key"], doc, metadata, arg_names_of(metadata), -1, sentinel)
    if '"go_memory"' in metadata and isinstance(made, _core.Method):
        made.in_go_memory(parsed(metadata)["go_memory"], info["type_index"])
    return made


def _constructor(info: dict[str, Any]) -> _core.Constructor | None:
    """``__init__`` from the explicit constructor among the methods, else from the auto-made one."""
    for name, doc, metadata, _flags, value in info["methods"]:
        if name == "__ffi_init__" and isinstance(value, _core.Function):
            names = arg_names_of(metadata)
            sentinel = _keywords_sentinel() if _has_defaults(metadata) else None
            _obey_as_member(value, metadata)
            return _core.Constructor(
                value, "__init__", info["type_key"], doc, metadata, names, info["type_index"], sentinel
            )
    function = _core.type_attr(info["type_index"], "__ffi_init__")
    if not isinstance(function, _core.Function):
        return None
    return _core.Constructor(
        function, "__init__", info["type_key"], info["doc"], "", None, info["type_index"], _keywords_sentinel()
    )


def _no_constructor(type_key: str) -> Any:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(f"{type_key}: has no constructor that Python can call")

    return __init__


def _begin_when_made(cls: Any, make: Any, index: int) -> None:
    """Let objects of an interface begin when they are made: the ``__init__`` of a subclass need not call this one.

    A subclass whose objects are those of another class, which stands before the interface, begins as that one.
    """

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        made = _core.CObject.__new__(cls)
        if cls.__tvm_ffi_type_index__ == index:
            make(made)
        return made

    def __init__(self: Any) -> None:
        pass

    del __init__.__annotations__["self"]  # as the stubs have it
    for function in (__new__, __init__):
        function.__module__, function.__qualname__ = cls.__module__, f"{cls.__qualname__}.{function.__name__}"
    cls.__new__, cls.__init__ = __new__, __init__


def add_members(cls: type, info: dict[str, Any], *, init: bool = True) -> None:
    """Give a class its native type's fields, methods, constructor and doc. Names that the class defines stay."""
    own = vars(cls)
    body = dict(own)
    for field in info["fields"]:
        if field.name not in own and can_be_field(field.name):
            setattr(cls, field.name, field)
    add_methods(cls, info)
    add_special(cls, info, body, Object.__repr__)
    if init and "__init__" not in own:
        make: Any = _constructor(info) or _no_constructor(info["type_key"])
        adapt = getattr(cls, "_ffi_constructor", None)
        cls.__init__ = make if adapt is None else adapt(make)  # type: ignore[misc]
        if _core.type_attr(info["type_index"], "__ffi_interface__") is not None:
            _begin_when_made(cls, make, info["type_index"])
    if own.get("__doc__") is None and info["doc"]:
        cls.__doc__ = info["doc"]


def add_methods(cls: type, info: dict[str, Any]) -> None:
    """Give a class its native type's methods, and its constructor as ``__ffi_init__``. Names that it defines stay."""
    own = vars(cls)
    added: set[str] = set()
    for entry in info["methods"]:
        name = entry[0]
        if name in _RESERVED or name in added or name in own:
            continue
        added.add(name)
        value = _constructor(info) if name == "__ffi_init__" else None
        setattr(cls, name, _method(info, entry) if value is None else value)
    if "__ffi_init__" not in own:
        constructor = _constructor(info)
        if constructor is not None:
            cls.__ffi_init__ = constructor  # type: ignore[attr-defined]


def add_ancestors_members(cls: type, info: dict[str, Any]) -> None:
    """Give a class the fields and methods of native ancestors that have no class among its Python bases."""
    for ancestor in reversed(info["ancestors"]):
        inherited = _core.type_info(ancestor)
        if inherited is None:
            continue
        for field in inherited["fields"]:
            if not hasattr(cls, field.name) and can_be_field(field.name):
                setattr(cls, field.name, field)
        for entry in inherited["methods"]:
            if entry[0] not in _RESERVED and not hasattr(cls, entry[0]):
                setattr(cls, entry[0], _method(inherited, entry))


def _enum_members(type_index: int) -> Any:
    state: Any = _core.type_attr(type_index, _ENUM_STATE)
    if state is not None:
        return state.entries
    old: Any = _core.type_attr(type_index, _OLD_ENUM_ENTRIES)
    return () if old is None else old.values()


def add_enum_members(cls: type, type_index: int) -> None:
    """Make the members of a native enum attributes of its class, if their names are identifiers and not in use."""
    for member in _enum_members(type_index):
        if member is None:  # made before its type had an index, as GCC orders the initialisation of those headers
            continue
        name = str(member._str_index)
        if name.isidentifier() and not keyword.iskeyword(name) and can_be_field(name) and not hasattr(cls, name):
            setattr(cls, name, member)


#: The bases of classes of containers of Go, by words of their ``__ffi_operators__``.
container_bases: dict[str, type] = {}


def _container_base(type_index: int) -> type | None:
    words = str(_core.type_attr(type_index, "__ffi_operators__") or "").split()
    return next((container_bases[word] for word in words if word in container_bases), None)


def _identifier(text: str) -> str:
    cleaned = "".join(c if c.isalnum() or c == "_" else "_" for c in text)
    return cleaned if cleaned.isidentifier() else f"_{cleaned}"


def make_class(type_index: int) -> type:
    """Make the class of a native type that no Python class was registered for."""
    if type_index == _OBJECT_INDEX:
        return Object
    info = _core.type_info(type_index)
    if info is None:
        raise TypeError(f"class_of: no type is registered for type index {type_index}")
    base: type = Object
    for ancestor in reversed(info["ancestors"]):
        candidate = _core.class_of(ancestor)
        if candidate is not _core.CObject:
            base = candidate
            break
    if not issubclass(base, Object) and base is not _core.Error and base is not _core.Function:
        base = Object
    module, _, name = info["type_key"].rpartition(".")
    if base is Object and (container := _container_base(type_index)) is not None:
        base, module, name = container, "selfsame_ffi", container.__name__
    namespace = {"__slots__": (), "__module__": module or "selfsame", "__doc__": info["doc"] or base.__doc__}
    cls = type(base)(_identifier(name), (base,), namespace)
    # A metaclass may return anything, even a class that is registered for another type.
    if not isinstance(cls, type) or vars(cls).get("__tvm_ffi_type_index__", type_index) != type_index:
        raise TypeError(f"{info['type_key']}: the metaclass of {base.__name__} did not make a class of its own for it")
    add_members(cls, info)
    return cls


_core.set_class_maker(make_class)
