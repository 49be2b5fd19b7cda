"""Types of Go in signatures that are more than another name in Python."""

from __future__ import annotations

from collections.abc import Collection

from ..._types.type_schema import TypeSchema

#: Python's own containers, which a function with the option Plain gives.
_PLAIN = {"Array": "list", "List": "list", "Map": "dict", "Dict": "dict"}


def python_schema(schema: TypeSchema, takes: bool, records: Collection[str], plain: bool = False) -> TypeSchema:
    """Return the schema with what stands for Go's types in Python; with `takes`, of a value for native code.

    `go.Plain` becomes what is in it, with Python's containers (`plain`), or Any. Native code takes any iterable for
    an iterator, and a mapping for each of `records`. A function takes what its caller gives: in the parameters of a
    Callable it is the other way round.
    """
    args = schema.args
    if schema.origin == "go.Plain":
        return python_schema(args[0], takes, records, plain=True) if args else TypeSchema("Any")
    if takes and schema.origin in records:
        return TypeSchema("Union", (schema, TypeSchema("Map", (TypeSchema("str"), TypeSchema("Any")))))
    origin = schema.origin
    if takes and origin in ("go.Iterator", "go.RowIterator"):
        origin = "go.Iterable"
    if plain:
        origin = _PLAIN.get(origin, origin)
    groups = schema.named_args
    if args is not None:
        args = tuple(python_schema(arg, takes, records, plain) for arg in args)
    if groups is not None:
        groups = {
            name: tuple(python_schema(part, takes != (name == "params"), records, plain) for part in group)
            for name, group in groups.items()
        }
    return TypeSchema(origin, args, schema.origin_type_index, schema.fallback, groups, schema.type_key)
