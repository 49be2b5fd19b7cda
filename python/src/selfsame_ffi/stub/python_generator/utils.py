"""Import statements."""

from __future__ import annotations

import dataclasses
from typing import Callable

from . import consts as C


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
    """The imports that a file needs. `has_lib_load`: it loads its library, as ``LIB``."""

    items: list[ImportItem] = dataclasses.field(default_factory=list)
    has_lib_load: bool = False


class Names:
    """Spells types: the functions `output` and `given` for results and for arguments, which note the imports.

    A type with the name of a function in the same place is imported under another name (`taken`).
    """

    def __init__(self, ty_map: dict[str, str], imports: list[ImportItem], taken: set[str]) -> None:
        replaced = {
            origin: name
            for origin, name in C.TY_MAP_INPUT_DEFAULTS.items()
            if ty_map.get(origin, C.TY_MAP_DEFAULTS[origin]) == C.TY_MAP_DEFAULTS[origin]
        }
        self._imports, self._taken = imports, taken
        self.output = self._speller(ty_map)
        self.given = self._speller({**ty_map, **replaced})

    def _speller(self, ty_map: dict[str, str]) -> Callable[[str], str]:
        def spell(origin: str) -> str:
            full = ty_map.get(origin, origin)
            module, _, name = full.rpartition(".")
            if not module:
                return name
            alias = "_" + name if name in self._taken else None
            self._imports.append(ImportItem(full, type_checking_only=True, alias=alias))
            return alias or name

        return spell
