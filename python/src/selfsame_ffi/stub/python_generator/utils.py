"""Import statements."""

from __future__ import annotations

import dataclasses
from typing import Callable

from . import consts as C
from .records import Records
from .words import is_path

#: Names that need no import, unless something in the same place has the name too.
_BUILTINS = frozenset(("bool", "bytes", "complex", "dict", "float", "int", "list", "str", "tuple"))


@dataclasses.dataclass(frozen=True, init=False, repr=False)
class ImportItem:
    """The import of one name, made from its full name; a type key's prefix becomes the module of that type."""

    mod: str
    name: str
    type_checking_only: bool
    alias: str | None

    def __init__(self, full_name: str, type_checking_only: bool = False, alias: str | None = None) -> None:
        module, _, name = full_name.rpartition(".")
        first, dot, rest = module.partition(".")
        vars(self).update(
            mod=C.MOD_MAP.get(first, first) + dot + rest,
            name=name,
            type_checking_only=type_checking_only,
            alias=alias,
        )

    @property
    def name_with_alias(self) -> str:
        """The name as an import statement spells it."""
        return f"{self.name} as {self.alias}" if self.alias else self.name

    @property
    def full_name(self) -> str:
        """Module and name."""
        return f"{self.mod}.{self.name}" if self.mod else self.name

    def __str__(self) -> str:
        return (f"from {self.mod} " if self.mod else "") + f"import {self.name_with_alias}"

    __repr__ = __str__


@dataclasses.dataclass
class PythonImports:
    """The imports and records that a file needs.

    `has_lib_load`: it loads its library, as ``LIB``. `exported`: the names of the records that it declares.
    """

    items: list[ImportItem] = dataclasses.field(default_factory=list)
    has_lib_load: bool = False
    records: Records = dataclasses.field(default_factory=Records)
    exported: set[str] = dataclasses.field(default_factory=set)


class Names:
    """Spells types: the functions `output` and `given` for results and for arguments, which note the imports.

    A type with the name of a function in the same place is imported under another name (`taken`). A record has the
    name that `records` gives it, unless `ty_map` names a class for it.
    """

    def __init__(self, ty_map: dict[str, str], imports: list[ImportItem], taken: set[str], records: Records) -> None:
        replaced = {
            origin: name
            for origin, name in C.TY_MAP_INPUT_DEFAULTS.items()
            if ty_map.get(origin, C.TY_MAP_DEFAULTS[origin]) == C.TY_MAP_DEFAULTS[origin]
        }
        self.imports, self.ty_map = imports, ty_map
        self._taken, self._records = taken, records
        self.output = self._speller(ty_map)
        self.given = self._speller({**ty_map, **replaced})

    def names_record(self, origin: str) -> bool:
        """Say whether an origin is a record that the file declares."""
        return origin in self._records.known and origin not in self.ty_map

    def beside(self, taken: set[str]) -> Names:
        """Return the names in a class whose members have the names `taken`."""
        return Names(self.ty_map, self.imports, self._taken | taken, self._records)

    def _speller(self, ty_map: dict[str, str]) -> Callable[[str], str]:
        def spell(origin: str) -> str:
            if self.names_record(origin):
                return self._records.name_of(origin, self._taken)
            full = ty_map.get(origin, origin)
            if origin not in ty_map and origin != "None" and not is_path(origin):
                full = ty_map["Any"]  # no type of this name can be written
            module, _, name = full.rpartition(".")
            alias = "_" + name if name in self._taken else None
            if not module and not (alias and name in _BUILTINS):
                return name
            self.imports.append(
                ImportItem(full if module else f"builtins.{name}", type_checking_only=True, alias=alias)
            )
            return alias or name

        return spell
