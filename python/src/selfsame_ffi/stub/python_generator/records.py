"""Records: structs of Go without methods that cross by value, declared as dataclasses."""

from __future__ import annotations

import dataclasses
import keyword
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..._types.type_schema import TypeSchema
from ..utils import FuncInfo, RecordInfo
from . import consts as C
from .go_types import python_schema
from .words import docstring, is_member, is_name, left_out, literal

if TYPE_CHECKING:
    from .utils import Names

#: What a file with records imports under names of its own, which no field has.
IMPORTS = (
    ("dataclasses", "_FFI_DATACLASSES"),
    ("datetime", "_FFI_DATETIME"),
    ("selfsame_ffi.record", "_FFI_RECORD"),
)

#: Names that annotations may import.
_IMPORTED = frozenset(full.rpartition(".")[2] for full in C.TY_MAP_DEFAULTS.values())

#: Go's zero values, by origin.
_ZEROS = {
    "int": "0",
    "float": "0.0",
    "bool": "False",
    "str": '""',
    "bytes": 'b""',
    "Any": "None",
    "Optional": "None",
    "go.Complex": "0j",
    "go.Duration": "_FFI_DATETIME.timedelta()",
    "go.Time": "_FFI_DATETIME.datetime.min.replace(tzinfo=_FFI_DATETIME.timezone.utc)",
    "go.Set": "_FFI_DATACLASSES.field(default_factory=set)",
    "Array": "_FFI_DATACLASSES.field(default_factory=list)",
    "List": "_FFI_DATACLASSES.field(default_factory=list)",
    "Map": "_FFI_DATACLASSES.field(default_factory=dict)",
    "Dict": "_FFI_DATACLASSES.field(default_factory=dict)",
}


@dataclasses.dataclass
class Records:
    """The records that a file needs: those that signatures know of, and the names of those that annotations use.

    `lines` declares the latter, as far as :meth:`declare` was called.
    """

    known: dict[str, RecordInfo] = dataclasses.field(default_factory=dict)
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    lines: list[str] = dataclasses.field(default_factory=list)
    _declared: int = 0

    def learn(self, functions: Iterable[FuncInfo]) -> None:
        """Know the records of functions."""
        for function in functions:
            for record in function.records:
                self.known.setdefault(record.key, record)

    def name_of(self, key: str, taken: set[str]) -> str:
        """Return the name of a record's class: without its package, unless that is taken."""
        if key not in self.names:
            short = key.rpartition(".")[2]
            free = short not in taken and short not in _IMPORTED and short not in self.names.values()
            name = short if free and is_name(short) else re.sub(r"\W", "_", key, flags=re.ASCII)
            while not is_name(name) or name in self.names.values():
                name = f"_{name}"
            self.names[key] = name
        return self.names[key]

    def declare(self, names: Names, indent: int) -> None:
        """Write the classes of the records that annotations use, and of those in their fields."""
        while self._declared < len(self.names):  # a field's annotation may add another
            key = list(self.names)[self._declared]
            self._declared += 1
            self.lines += _dataclass(self.known[key], self.names[key], names, indent)


def _dataclass(record: RecordInfo, name: str, names: Names, indent: int) -> list[str]:
    space = " " * indent
    lines = [f"@_FFI_RECORD({literal(record.key)})", "@_FFI_DATACLASSES.dataclass", f"class {name}:"]
    standard = f"The Go struct {record.key}, which is passed by value."
    lines += docstring(record.doc, indent) or docstring(standard, indent)
    names = names.beside({field.name for field in record.fields})
    for field in record.fields:
        # As in selfsame_ffi/_go/records.py: `from_` is the attribute of a field `from`.
        attribute = field.name + "_" if keyword.iskeyword(field.name) else field.name
        if not is_member(attribute):
            lines.append(space + left_out("field", field.name))
            continue
        # Code may assign what Go accepts, but reads a record's fields as attributes, so that no mapping will do.
        schema = python_schema(field, takes=True, records=())
        lines.append(f"{space}{attribute}: {schema.input_repr(names.given)} = {_zero(schema, names)}")
        lines += docstring(field.doc, indent)
    return lines


def _zero(schema: TypeSchema, names: Names) -> str:
    if names.names_record(schema.origin):
        return f"_FFI_DATACLASSES.field(default_factory=lambda: {names.given(schema.origin)}())"
    return _ZEROS.get(schema.origin, "None  # type: ignore[assignment]")
