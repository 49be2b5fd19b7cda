"""The description of a native type: TypeInfo, its fields and its methods."""

from __future__ import annotations

import dataclasses
import json
import warnings
from typing import Any, Callable

from .. import _core, _device, _dtype  # noqa: F401
from .._debug.shown import shown
from .._load import runtime  # noqa: F401
from .._load.at_exit import emptied
from . import flags as _flags  # noqa: F401
from . import text as _text
from .schema_names import INDICES, OBJECT
from .sentinels import MISSING
from .type_schema import TypeSchema

_HEADER = 24


def _metadata_of(text: str) -> dict[str, Any]:
    try:
        metadata = json.loads(text) if text else {}
    except ValueError:
        return {}
    return metadata if isinstance(metadata, dict) else {}


def _schema_in(metadata: dict[str, Any]) -> TypeSchema | None:
    """The schema in a field's metadata: JSON data, or JSON text inside the JSON."""
    raw = metadata.get("type_schema")
    try:
        if isinstance(raw, str):
            return TypeSchema.from_json_str(raw)
        return None if raw is None else TypeSchema.from_json_obj(raw)
    except (TypeError, ValueError):
        return None


def _structural_eq(flags: int) -> str | None:
    if flags & _flags.EQ_IGNORE:
        return "ignore"
    if flags & _flags.DEF_PATTERN:
        return "def-pattern"
    return "def-simple" if flags & _flags.DEF_SIMPLE else None


class FieldGetter:
    """Reads a field of an object: ``getter(obj)``."""

    __slots__ = ("_field",)

    def __init__(self, field: _core.Field) -> None:
        self._field = field

    def __call__(self, obj: Any) -> Any:
        return self._field.__get__(obj)


class FieldSetter:
    """Sets a field of an object, even one that is read-only in Python: ``setter(obj, value)``."""

    __slots__ = ("_field",)

    def __init__(self, field: _core.Field) -> None:
        self._field = field

    def __call__(self, obj: Any, value: Any) -> None:
        self._field.set(obj, value)


@dataclasses.dataclass(eq=False)
class TypeField:
    """A field of a native type, without those of its ancestors.

    `c_default` and `c_default_factory` are MISSING when the field has none. `dataclass_field` is the
    :class:`~selfsame_ffi.dataclasses.Field` of a class made by ``py_class`` or ``c_class``.
    """

    name: str
    doc: str | None
    size: int
    alignment: int
    offset: int
    field_static_type_index: int
    frozen: bool
    metadata: dict[str, Any]
    getter: Callable[[Any], Any]
    setter: Callable[[Any, Any], None]
    ty: TypeSchema | None = None
    c_init: bool = True
    c_kw_only: bool = False
    c_has_default: bool = False
    c_default: Any = MISSING
    c_default_factory: Any = MISSING
    c_repr: bool = True
    c_compare: bool = True
    c_hash: bool = True
    c_structural_eq: str | None = None
    dataclass_field: Any = None
    descriptor: Any = dataclasses.field(default=None, repr=False)

    def as_property(self, cls: type) -> Any:
        """Return the descriptor for a class: settable unless the field is frozen."""
        descriptor = self.descriptor
        if self.takes_payloads() and self.ty is not None:
            descriptor = descriptor.with_schema(self.ty._converter)
        return descriptor.as_frozen() if self.frozen and not descriptor.frozen else descriptor

    def takes_payloads(self) -> bool:
        """Say whether the field's type is an enum whose members stand for a number or a text."""
        if self.ty is None or self.ty.origin_type_index < OBJECT:
            return False
        return hasattr(_core.registered_class(self.ty.origin_type_index), "__ffi_payload_type__")

    def normalize_value(self, value: Any) -> Any:
        """Return the value that the field stores for a payload of its enum; any other value as it is."""
        return self.ty.convert(value).to_py() if self.ty is not None and self.takes_payloads() else value


def field_of(field: _core.Field) -> TypeField:
    """Return the TypeField of a descriptor."""
    flags = field.flags
    metadata = _metadata_of(field.metadata)
    default = factory = MISSING
    if flags & _flags.HAS_DEFAULT:
        if flags & _flags.FROM_FACTORY:
            factory = field.default_factory
        else:
            default = field.default
    return TypeField(
        field.name,
        field.doc,
        field.size,
        field.alignment,
        field.offset,
        field.storage_index,
        field.frozen,
        metadata,
        FieldGetter(field),
        FieldSetter(field),
        _schema_in(metadata),
        not flags & _flags.INIT_OFF,
        bool(flags & _flags.KW_ONLY),
        bool(flags & _flags.HAS_DEFAULT),
        default,
        factory,
        not flags & _flags.REPR_OFF,
        not flags & _flags.COMPARE_OFF,
        not flags & _flags.HASH_OFF,
        _structural_eq(flags),
        None,
        field,
    )


@dataclasses.dataclass(eq=False)
class TypeMethod:
    """A method of a native type. `func` takes the object first unless the method is static."""

    name: str
    doc: str | None
    func: Any
    metadata: dict[str, Any]
    is_static: bool

    def as_callable(self, cls: type) -> Any:
        """Return the attribute that `cls` gets for this method: a Method, or a StaticMethod for a static one."""
        kind = _core.StaticMethod if self.is_static else _core.Method
        owner = info_of_class(cls)
        key = cls.__name__ if owner is None else owner.type_key
        return kind(self.func, self.name, key, self.doc, json.dumps(self.metadata) if self.metadata else "")


@dataclasses.dataclass(eq=False, repr=False)
class TypeInfo:
    """A native type: key, index, ancestors (ffi.Object first), own fields, methods and the parent's TypeInfo.

    `fields` is None for a class whose annotations cannot be resolved yet. :func:`info_of_index` gives the one TypeInfo
    of a type; ``cls.__tvm_ffi_type_info__`` is that of a class.
    """

    type_cls: type | None
    type_index: int
    type_key: str
    type_ancestors: list[int]
    fields: list[TypeField] | None
    methods: list[TypeMethod]
    parent_type_info: TypeInfo | None
    _before: TypeInfo | None = dataclasses.field(default=None)  # of the class that this one, declared again, replaces

    def __post_init__(self) -> None:
        names = [field.name for field in self.fields or ()]
        for name in names:
            assert names.count(name) == 1, (
                f"duplicate field name {name!r} in TypeInfo for {self.type_key!r}; "
                "TypeInfo.fields must only contain the type's own fields"
            )
        if self.type_ancestors:
            self.parent_type_info = info_of_index(self.type_ancestors[-1])
        self._warn_of_shadows(names)

    def _warn_of_shadows(self, names: list[str]) -> None:
        above = self.parent_type_info
        inherited: set[str] = set()
        while names and above is not None:
            inherited.update(field.name for field in above.fields or ())
            above = above.parent_type_info
        for name in names:
            if name in inherited:
                warnings.warn(
                    f"Field {shown(repr(name))} in {shown(repr(self.type_key))} duplicates an ancestor field. "
                    "Child types should not re-register inherited fields.",
                    stacklevel=4,
                )

    def __repr__(self) -> str:
        return f"TypeInfo({self.type_key!r}, type_index={self.type_index})"

    @property
    def total_size(self) -> int:
        """Size of the type's objects in bytes, header included."""
        size = _core.type_size(self.type_key)
        if size:
            return size
        if self.parent_type_info is None:
            raise ValueError(f"Cannot find parent type of {self.type_key}")
        ends = [field.offset + field.size for field in self.fields or ()]
        return (max([self.parent_type_info.total_size, *ends]) + 7) & ~7

    @property
    def _has_type_metadata(self) -> bool:
        return bool(_core.type_size(self.type_key))

    def all_fields(self) -> list[TypeField]:
        """Return the fields of the ancestors and then the own ones."""
        above = [] if self.parent_type_info is None else self.parent_type_info.all_fields()
        return above + (self.fields or [])

    def _register_fields(self, fields: list[Any], structure_kind: int | None = None) -> None:
        from .declare import declare_fields

        assert self.fields is None, f"_register_fields already called for {self.type_key!r}"
        declare_fields(self, fields, structure_kind)

    def _register_py_methods(self, py_methods: Any = None, type_attr_names: Any = frozenset()) -> None:
        from .declare import declare_methods

        declare_methods(self, py_methods or (), type_attr_names)

    def read_back(self) -> None:
        """Read fields and methods from the type table again."""
        raw = _core.type_info(self.type_index)
        assert raw is not None
        self.methods = _methods_of(raw)


def _methods_of(raw: dict[str, Any]) -> list[TypeMethod]:
    return [
        TypeMethod(name, doc, value, _metadata_of(metadata), bool(flags & _flags.STATIC))
        for name, doc, metadata, flags, value in raw["methods"]
    ]


_infos: dict[int, TypeInfo] = emptied({})

#: What dataclasses.fields has found since a class was declared last, by type index.
dataclass_fields: dict[int, tuple[Any, ...]] = emptied({})


def info_of_index(type_index: int) -> TypeInfo | None:
    """Return the TypeInfo of a registered type, the same one at each call; None for an index that no type has."""
    info = _infos.get(type_index)
    if info is None:
        raw = _core.type_info(type_index)
        if raw is None:
            return None
        fields = [field_of(field) for field in raw["fields"]]
        made = TypeInfo(None, type_index, raw["type_key"], raw["ancestors"], fields, _methods_of(raw), None)
        info = _infos.setdefault(type_index, made)
    if info.type_cls is None:
        info.type_cls = _core.registered_class(type_index)
    return info


#: Classes of values that have no wrapper, with their types' indices.
VALUE_CLASSES: dict[type, int] = {
    _dtype.dtype: INDICES["dtype"],
    _device.Device: INDICES["Device"],
    _text.String: INDICES["str"],
    _text.Bytes: INDICES["bytes"],
    _core.Shape: INDICES["ffi.Shape"],
}


def info_of_class(cls: type) -> TypeInfo | None:
    """Return the TypeInfo of the native type that a class, and not one of its bases, is registered for."""
    index = vars(cls).get("__tvm_ffi_type_index__") if isinstance(cls, type) else None
    if index is not None and cls is not _core.Shape:
        return info_of_index(index)
    index = VALUE_CLASSES.get(cls)
    info = None if index is None else info_of_index(index)
    if info is not None:
        info.type_cls = cls
    return info


class _TypeInfoOfClass:
    """``cls.__tvm_ffi_type_info__``, of a class or of its nearest registered base."""

    def __get__(self, obj: Any, owner: type) -> TypeInfo:
        index = getattr(owner, "__tvm_ffi_type_index__", None)
        info = None if index is None else info_of_index(index)
        if info is None:
            raise AttributeError(f"{owner.__name__}: the class is not registered for a native type")
        if info.type_cls is not owner and _core.registered_class(info.type_index) is owner:
            info.type_cls = owner
        return info


_core.set_static_attribute(_core.CObject, "__tvm_ffi_type_info__", _TypeInfoOfClass())
_core.set_static_attribute(_core.Shape, "__tvm_ffi_type_index__", INDICES["ffi.Shape"])
_core.set_static_attribute(_core.Shape, "__tvm_ffi_type_info__", _TypeInfoOfClass())

__all__ = ["OBJECT", "TypeField", "TypeInfo", "TypeMethod", "field_of", "info_of_class", "info_of_index"]
