"""TypeSchema: the type of a field, an argument or a result, as data."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Callable, ClassVar

from .. import _core
from . import schema_annotations, schema_compile, schema_text
from .schema_names import FROM_NATIVE, KEPT_KEYS, NAMES, OBJECT, STRUCTURAL, UNKNOWN, index_of, key_of


@dataclasses.dataclass(repr=False)
class TypeSchema:
    """The type of a value: a name (`origin`) and the schemas of its parts (`args`).

    A Callable has no `args`, but `named_args` with the groups ``return`` (one schema) and, when they are known,
    ``params``. `fallback` is the schema to show for an origin that no type is registered under. `type_key` is the
    native type's key where several native types have one origin. `python_class` is the class of the Python values that
    a field holds as they are: native code sees opaque objects.

    :meth:`check_value` and :meth:`convert` accept what a typed field of the schema accepts.
    """

    origin: str
    args: tuple[TypeSchema, ...] | None = None
    origin_type_index: int = dataclasses.field(default=UNKNOWN, repr=False)
    fallback: TypeSchema | None = None
    named_args: dict[str, tuple[TypeSchema, ...]] | None = None
    type_key: str | None = dataclasses.field(default=None, repr=False, compare=False)
    python_class: type | None = dataclasses.field(default=None, repr=False)

    def __post_init__(self) -> None:
        origin, args = self.origin, self.args
        if not isinstance(origin, str) or not origin:
            raise ValueError("schema type must be a nonempty string")
        if args is None:
            if origin != "tuple":  # a bare tuple has any length, tuple[()] none
                self.args = ()
        else:
            if type(args) is not tuple:
                self.args = args = tuple(args)
            for arg in args:
                if not isinstance(arg, TypeSchema):
                    raise TypeError("schema arguments must be TypeSchema instances")
        if self.named_args is not None:
            self.named_args = _checked_groups(self.named_args)
        settle = _OF_ORIGIN.get(origin)
        if settle is not None:
            settle(self)
        if self.origin_type_index == UNKNOWN:
            self.origin_type_index = index_of(origin)

    def _settle_callable(self) -> None:
        if self.args and self.named_args is None:  # the older form: the result's schema, then the parameters'
            self.named_args = {"return": self.args[:1]}
            if len(self.args) > 1:
                self.named_args["params"] = self.args[1:]
            self.args = ()
        if self.named_args is None:
            return
        if self.args or not set(self.named_args) <= {"return", "params"}:
            raise ValueError("Callable uses only named return and params groups")
        if len(self.named_args.get("return", ())) != 1:
            raise ValueError("Callable return group must contain exactly one type")

    def _settle_union(self) -> None:
        if len(self.args or ()) < 2:
            raise ValueError("Union must have at least two arguments")

    def _settle_optional(self) -> None:
        if len(self.args or ()) != 1:
            raise ValueError("Optional must have exactly one argument")

    def _settle_sequence(self) -> None:
        if not self.args:
            self.args = (TypeSchema("Any"),)
        elif len(self.args) != 1:
            raise ValueError(f"{self.origin} must have 0 or 1 argument")

    def _settle_mapping(self) -> None:
        if not self.args:
            self.args = (TypeSchema("Any"), TypeSchema("Any"))
        elif len(self.args) != 2:
            raise ValueError(f"{self.origin} must have 0 or 2 arguments")

    # ---- values ----

    _compiled: ClassVar[Any] = None  # of an instance: a plain attribute, as cached_property makes each instance slower

    @property
    def _converter(self) -> _core.Schema:
        # Compiled at the first use, when all types that it names are registered.
        if self._compiled is None:
            self._compiled = schema_compile.compile_schema(self)  # type: ignore[misc]
        return self._compiled

    def check_value(self, value: object) -> None:
        """Raise TypeError, with what is wrong and where, for a value that a field of this type does not take."""
        self._apply(self._converter.check, value, "check")

    def convert(self, value: object) -> _core.CAny:
        """Return the native value that a field of this type stores for a value. TypeError for one that it refuses."""
        return self._apply(self._converter.convert, value, "conversion")

    def _apply(self, function: Callable[[object], Any], value: object, what: str) -> Any:
        try:
            return function(value)
        except RecursionError:
            raise TypeError(f"type {what} failed for {self!r}: infinite __tvm_ffi_value__ cycle detected") from None
        except TypeError as error:
            raise TypeError(f"type {what} failed for {self!r}: {error}") from None

    def is_subtype_of(self, target_cls: type) -> bool:
        """Say whether the type is, or derives from, the native type of a class."""
        if target_cls is _core.CObject or _core.registered_class(OBJECT) is target_cls:
            return self.origin_type_index >= OBJECT
        target = vars(target_cls).get("__tvm_ffi_type_index__") if isinstance(target_cls, type) else None
        if target is None:
            return False
        return self.origin_type_index == target or target in _core.type_ancestors(self.origin_type_index)

    # ---- other forms ----

    def __repr__(self) -> str:
        return self.repr()

    def repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the type in the spelling of annotations. `ty_map` may spell each origin differently."""
        return schema_text.text_of(self, ty_map, False)

    def output_repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the annotation of a value that native code gives."""
        return schema_text.text_of(self, ty_map, False)

    def input_repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the annotation of a value that native code takes: types that convert others name those instead."""
        return schema_text.text_of(self, ty_map, True)

    def to_json(self) -> dict[str, Any]:
        """Return the schema as JSON data."""
        args = self.args
        result: dict[str, Any] = {"type": self.type_key or self.origin}
        if args:
            if self.python_class is None:
                result["args"] = [args[0].to_json()] if len(args) == 1 else [arg.to_json() for arg in args]
        elif args is not None and self.origin == "tuple":
            result["args"] = []
        if self.named_args is not None:
            result["named_args"] = {
                name: [schema.to_json() for schema in group] for name, group in self.named_args.items()
            }
        if self.fallback is not None:
            result["fallback"] = self.fallback.to_json()
        return result

    @staticmethod
    def from_json_obj(obj: dict[str, Any]) -> TypeSchema:
        """Return the schema of JSON data, as native code registers it: with `args`, or with `named_args` by group."""
        if not isinstance(obj, dict) or "type" not in obj:
            raise TypeError(f"expected schema dict with 'type' key, got {type(obj).__name__}")
        native = obj["type"]
        if not isinstance(native, str):
            raise TypeError("schema type must be a string")
        kept = native if native in _KEPT else None
        if len(obj) == 1:  # no parts
            return TypeSchema(FROM_NATIVE.get(native, native), type_key=kept)
        if obj.get("rows"):  # slices and iterators of structs in Go, which have classes of their own in Python
            native = {"ffi.Array": "go.Rows", "go.Iterator": "go.RowIterator"}.get(native, native)
        groups = _groups_from_json(obj["named_args"]) if "named_args" in obj else None
        args: tuple[TypeSchema, ...] | None = None
        raw = obj.get("args")
        if _is_old_function(native, raw):
            assert raw is not None
            groups = {
                "return": (TypeSchema.from_json_obj(raw[0]),),
                "params": tuple(TypeSchema.from_json_obj(part) for part in raw[1]),
            }
        elif "args" in obj:
            parts = raw if isinstance(raw, (list, tuple)) else ()
            args = tuple([TypeSchema.from_json_obj(part) for part in parts if isinstance(part, dict)])  # not a length
        return TypeSchema(
            FROM_NATIVE.get(native, native),
            args,
            fallback=TypeSchema.from_json_obj(obj["fallback"]) if "fallback" in obj else None,
            named_args=groups,
            type_key=kept,
        )

    @staticmethod
    def from_json_str(s: str) -> TypeSchema:
        """Return the schema of JSON text."""
        return TypeSchema.from_json_obj(json.loads(s))

    @staticmethod
    def from_type_index(type_index: int, args: tuple[TypeSchema, ...] = ()) -> TypeSchema:
        """Return the schema of a registered type."""
        origin = NAMES.get(type_index) or key_of(type_index)
        return TypeSchema(origin, args, origin_type_index=type_index, type_key=KEPT_KEYS.get(type_index))

    @staticmethod
    def from_annotation(annotation: object) -> TypeSchema:
        """Return the schema of a type annotation. TypeError for one that native code has no type for."""
        return schema_annotations.schema_of(annotation, TypeSchema)


_KEPT = frozenset(KEPT_KEYS.values())
#: What a schema's arguments must be, by its origin.
_OF_ORIGIN: dict[str, Callable[[TypeSchema], None]] = {
    "Callable": TypeSchema._settle_callable,
    "Union": TypeSchema._settle_union,
    "Optional": TypeSchema._settle_optional,
    **dict.fromkeys(("list", "Array", "List"), TypeSchema._settle_sequence),
    **dict.fromkeys(("dict", "Map", "Dict"), TypeSchema._settle_mapping),
}


def _checked_groups(groups: Any) -> dict[str, tuple[TypeSchema, ...]]:
    if not isinstance(groups, dict):
        raise TypeError("named_args must be a map of names to type lists")
    for name, group in groups.items():
        if not isinstance(name, str) or not name:
            raise ValueError("named_args keys must be nonempty strings")
        if not isinstance(group, (list, tuple)):
            raise TypeError("named_args values must be lists of type schemas")
        if not all(isinstance(schema, TypeSchema) for schema in group):
            raise TypeError("named_args values must contain type schemas")
    return {name: tuple(group) for name, group in groups.items()}


def _groups_from_json(raw: Any) -> dict[str, tuple[TypeSchema, ...]]:
    if not isinstance(raw, dict):
        raise TypeError("named_args must be a map of names to type lists")
    for name, group in raw.items():
        if not isinstance(name, str) or not name or not isinstance(group, list):
            raise TypeError("named_args must map names to type lists")
        if not all(isinstance(part, dict) for part in group):
            raise TypeError("named_args lists must contain type schemas")
    return {name: tuple(TypeSchema.from_json_obj(part) for part in group) for name, group in raw.items()}


def _is_old_function(native: str, raw: Any) -> bool:
    """Whether the arguments of a std::function have the older form [result, [parameters]]."""
    sequence = (list, tuple)
    return native == "std::function" and isinstance(raw, sequence) and len(raw) == 2 and isinstance(raw[1], sequence)


__all__ = ["STRUCTURAL", "UNKNOWN", "TypeSchema"]
