"""The data that a generator is given: functions, fields and types, without a target language."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import _core
from .._types.sentinels import MISSING
from .._types.type_info import TypeField, TypeInfo, TypeMethod
from .._types.type_schema import TypeSchema
from ..core import _lookup_type_attr


@dataclasses.dataclass
class InitConfig:
    """The names that new files are made for: a distribution, the CMake target of its library, and the prefix of its
    names."""

    pkg: str
    shared_target: str
    prefix: str


@dataclasses.dataclass
class Options:
    """The command line."""

    imports: list[str] = dataclasses.field(default_factory=list)
    dlls: list[str] = dataclasses.field(default_factory=list)
    init: InitConfig | None = None
    indent: int = 4
    files: list[str] = dataclasses.field(default_factory=list)
    verbose: bool = False
    dry_run: bool = False
    check: bool = False
    target: str = "python"
    coverage_out: str | None = None


@dataclasses.dataclass(init=False, repr=False)
class NamedTypeSchema(TypeSchema):
    """A schema with a name and, for a field of a native type, with what is known about the field.

    `doc` is the field's comment. `size`, `alignment` and `offset` (from the object's header on) are None for
    anything but a field. `default` is MISSING without one; with `default_is_factory` it is a function that makes
    the value. `frozen`: read-only.
    """

    name: str = ""
    size: int | None = None
    alignment: int | None = None
    offset: int | None = None
    default: Any = MISSING
    default_is_factory: bool = False
    structural_eq: str | None = None
    frozen: bool = False
    doc: str = dataclasses.field(default="", compare=False)

    def __init__(
        self,
        name: str,
        schema: TypeSchema,
        *,
        size: int | None = None,
        alignment: int | None = None,
        offset: int | None = None,
        default: Any = MISSING,
        default_is_factory: bool = False,
        structural_eq: str | None = None,
        frozen: bool = False,
        doc: str = "",
    ) -> None:
        parts = {part.name: getattr(schema, part.name) for part in dataclasses.fields(TypeSchema)}
        super().__init__(**parts)
        self.name = name
        self.size, self.alignment, self.offset = size, alignment, offset
        self.default, self.default_is_factory = default, default_is_factory
        self.structural_eq, self.frozen, self.doc = structural_eq, frozen, doc

    @staticmethod
    def from_type_field(field: TypeField) -> NamedTypeSchema:
        """Return the schema of a field. A field that was registered without one may hold anything."""
        has_factory = field.c_default_factory is not MISSING
        return NamedTypeSchema(
            field.name,
            field.ty or TypeSchema("Any"),
            size=field.size,
            alignment=field.alignment,
            offset=field.offset,
            default=field.c_default_factory if has_factory else field.c_default,
            default_is_factory=has_factory,
            structural_eq=field.c_structural_eq,
            frozen=field.frozen,
            doc=field.doc or "",
        )


@dataclasses.dataclass
class RecordInfo:
    """A struct of Go without methods that signatures name by its key. It crosses by value: as a dataclass, or as a
    mapping."""

    key: str
    fields: list[NamedTypeSchema]
    doc: str = ""


@dataclasses.dataclass
class FuncInfo:
    """A function, or a method: with `is_member` its first parameter is the object. `doc` is its comment.

    `records` are those that its schema names, and those in their fields. `variadic`: the last parameter's schema is
    that of an array, whose elements are any number of arguments.
    """

    schema: NamedTypeSchema
    is_member: bool
    doc: str = dataclasses.field(default="", compare=False)
    records: list[RecordInfo] = dataclasses.field(default_factory=list, compare=False)
    variadic: bool = dataclasses.field(default=False, compare=False)

    @staticmethod
    def from_schema(name: str, schema: TypeSchema, *, is_member: bool = False, doc: str = "") -> FuncInfo:
        """Return a function of that name and type."""
        return FuncInfo(NamedTypeSchema(name, schema), is_member, doc)

    @staticmethod
    def from_metadata(name: str, metadata: dict[str, Any], *, is_member: bool = False, doc: str = "") -> FuncInfo:
        """Return a function of that name with what its metadata tell. ValueError for records that are none."""
        made = FuncInfo.from_schema(name, signature_of(metadata), is_member=is_member, doc=doc)
        try:
            made.records = [_record(raw) for raw in metadata.get("records", ())]
        except (KeyError, TypeError):
            raise ValueError(f"{name}: expected records in the metadata, got {metadata['records']!r}") from None
        made.variadic = bool(metadata.get("variadic"))
        return made

    @property
    def short_name(self) -> str:
        """The name without prefix."""
        return self.schema.name.rpartition(".")[2]


def signature_of(metadata: dict[str, Any]) -> TypeSchema:
    """Return the schema in a function's metadata. A function without one takes and gives anything."""
    raw = metadata.get("type_schema")
    if raw is None:
        return TypeSchema("Callable")
    schema = TypeSchema.from_json_str(raw) if isinstance(raw, str) else TypeSchema.from_json_obj(raw)
    groups = schema.named_args
    if "go_func" in metadata and groups is not None and "params" not in groups:
        # A schema with nothing but the result leaves open whether there are parameters. A Go func's names them all.
        schema.named_args = {**groups, "params": ()}
    return schema


def _record(raw: dict[str, Any]) -> RecordInfo:
    fields = [
        NamedTypeSchema(field["name"], TypeSchema.from_json_str(field["type_schema"]), doc=field.get("doc", ""))
        for field in raw["fields"]
    ]
    return RecordInfo(raw["key"], fields, raw.get("doc", ""))


def _method(method: TypeMethod) -> FuncInfo:
    return FuncInfo.from_metadata(method.name, method.metadata, is_member=not method.is_static, doc=method.doc or "")


@dataclasses.dataclass
class InitFieldInfo:
    """A parameter of the constructor that is made from fields."""

    name: str
    schema: NamedTypeSchema
    kw_only: bool
    has_default: bool


@dataclasses.dataclass
class ObjectInfo:
    """A native type: its own fields and methods, its ancestors (ffi.Object first), and its constructor's parameters.

    `total_size` is the size of its objects, header included; None for a type that did not register its own. `is_final`
    tells whether it can have subtypes; None when that was not registered.
    """

    fields: list[NamedTypeSchema]
    methods: list[FuncInfo]
    type_key: str | None = None
    parent_type_key: str | None = None
    init_fields: list[InitFieldInfo] = dataclasses.field(default_factory=list)
    has_init: bool = False
    ancestors: list[str] = dataclasses.field(default_factory=list)
    total_size: int | None = None
    is_final: bool | None = None
    doc: str = dataclasses.field(default="", compare=False)

    def has_overloaded_methods(self) -> bool:
        """Say whether two methods have the same name."""
        names = [(method.schema.name, method.is_member) for method in self.methods]
        return len(set(names)) < len(names)

    @staticmethod
    def from_type_info(type_info: TypeInfo) -> ObjectInfo:
        """Return the data of a registered type."""
        line = [type_info]
        while line[0].parent_type_info is not None:
            line.insert(0, line[0].parent_type_info)
        ancestors = [info.type_key for info in line[:-1]]
        index = type_info.type_index
        has_init = any(method.name == "__ffi_init__" for method in type_info.methods)
        has_init = has_init or _lookup_type_attr(index, "__ffi_init__") is not None
        parameters = [field for info in line for field in info.fields or () if field.c_init] if has_init else []
        return ObjectInfo(
            fields=[NamedTypeSchema.from_type_field(field) for field in type_info.fields or ()],
            methods=[_method(method) for method in type_info.methods],
            type_key=type_info.type_key,
            parent_type_key=ancestors[-1] if ancestors else None,
            init_fields=[
                InitFieldInfo(field.name, NamedTypeSchema.from_type_field(field), field.c_kw_only, field.c_has_default)
                for field in parameters
            ],
            has_init=has_init,
            ancestors=ancestors,
            total_size=type_info.total_size if type_info._has_type_metadata else None,
            is_final=_lookup_type_attr(index, "__ffi_type_final__"),
            doc=(_core.type_info(index) or {}).get("doc") or "",
        )
