"""Types in a Rust file: who provides them, how the file names them, and how fields are stored."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ..utils import NamedTypeSchema
from . import consts as C
from .utils import RustImports, is_crate_type_key, render_rust_type


@dataclasses.dataclass
class Types:
    """Types as the module `module` names them. `declared`: modules of the types with a block in this run.

    `missing` collects the types that nothing provides.
    """

    imports: RustImports
    ty_map: dict[str, str]
    module: tuple[str, ...]
    declared: Mapping[str, tuple[str, ...]]
    missing: set[str] = dataclasses.field(default_factory=set)

    def provider(self, type_key: str) -> str | None:
        """``crate``, ``mapped`` (hand-written, named by a ty-map), ``generated``, or None."""
        if is_crate_type_key(type_key):
            return "crate"
        if type_key in self.ty_map:
            return "mapped"
        if type_key in self.declared:
            return "generated"
        self.missing.add(type_key)
        return None

    def class_name(self, type_key: str, suffix: str = "", imports: RustImports | None = None) -> str:
        """Return the name of a type outside the crate, or with a suffix of its struct; imported from another module."""
        mapped = self.ty_map.get(type_key)
        if mapped is not None:
            path = mapped + suffix
        else:
            place = self.declared[type_key] if type_key in self.declared else self.module
            path = "::".join((*place, type_key.rpartition(".")[2] + suffix))
        module, _, name = path.rpartition("::")
        return name if module == "::".join(self.module) else (imports or self.imports).record(path)

    def written(self, rust_type: str, imports: RustImports | None = None) -> str:
        """Return a type that a directive names: a path is imported."""
        return (imports or self.imports).record(rust_type) if "::" in rust_type else rust_type

    def name(self, origin: str, type_key: str | None, imports: RustImports | None = None) -> str | None:
        """Return the name of a schema's type; None when Rust has none."""
        key = type_key if type_key in self.ty_map else origin
        assert key is not None
        if key not in self.ty_map:
            if "." not in key or key.startswith("ctypes.") or self.provider(key) == "crate":
                return None
        return self.class_name(key, imports=imports)

    def value(self, schema: NamedTypeSchema, imports: RustImports | None = None) -> str | None:
        """Return the type of a field's value."""
        return render_rust_type(schema, lambda origin, key: self.name(origin, key, imports))

    def storage(self, owner: str, field: NamedTypeSchema, imports: RustImports | None = None) -> str | None:
        """Return the type with a field's bytes; None when Rust has none. ValueError for a directive that cannot be."""
        directives = self.imports.directives
        target = f"{owner}.{field.name}"
        if target in directives.enums:
            spec = directives.enums[target]
            _check_width(target, field, spec.repr)
            return spec.name
        found: str | None
        if target in directives.field_types:
            found = directives.field_types[target]
            _check_width(target, field, found)
            found = self.written(found, imports)
        elif field.origin == "Optional":
            found = self._optional(field, imports)
        elif (field.origin, field.size) in C.RUST_SCALAR_BY_SIZE:
            found = C.RUST_SCALAR_BY_SIZE[field.origin, field.size or 0]
        else:
            found = self.value(field, imports)
        if found is None or target not in directives.nullable or found.startswith("Option<"):
            return found
        if field.size not in (None, C.POINTER_SIZE):
            raise ValueError(
                f"`nullable` directive on `{target}`: the field is {field.size} bytes, "
                "not a pointer-sized object reference"
            )
        return f"Option<{found}>"

    def _optional(self, field: NamedTypeSchema, imports: RustImports | None) -> str | None:
        (payload,) = field.args or ()
        value = self.value(field, imports)
        if value is None or payload.origin == "Any":
            return None
        in_cell = payload.origin in C.CELL_PAYLOADS
        if field.size not in (None, C.CELL_SIZE if in_cell else C.POINTER_SIZE):
            return None
        if not in_cell:
            return value
        return (imports or self.imports).record("tvm_ffi::Optional") + value[len("Option") :]


def _check_width(target: str, field: NamedTypeSchema, rust_type: str) -> None:
    width = C.RUST_SCALAR_WIDTHS.get(rust_type)
    if width is not None and field.size not in (None, width):
        raise ValueError(f"Directive on `{target}` maps a {field.size}-byte field to `{rust_type}` ({width} bytes)")
