"""Rust names of native types, and Rust's words."""

from ..._types.kinds import KINDS, RUST_KEYWORDS

RUST_DIRECTIVE_KINDS = frozenset({"import-object", "field", "nullable", "enum", "opaque", "upcast", "custom-new"})

#: Names of native types, by origin and by type key. A path with ``::`` is imported.
RUST_TY_MAP_DEFAULTS = {
    **{kind.key: kind.rust for kind in KINDS if kind.rust},
    **{kind.origin: kind.rust for kind in KINDS if kind.rust and kind.is_main},
    "Shape": "tvm_ffi::Shape",
    "ffi.reflection.AccessPath": "tvm_ffi::reflection::AccessPath",
    "ffi.reflection.AccessStep": "tvm_ffi::reflection::AccessStep",
}

#: Types that the crate does not have: such a field is read as Any.
RUST_UNSUPPORTED_ORIGINS = frozenset({"Dict", "Union", "tuple"})

#: Widths of numbers. A schema does not tell them; the size of the field does.
RUST_SCALAR_WIDTHS = {
    "bool": 1,
    **{f"{sign}{8 * width}": width for width in (1, 2, 4, 8) for sign in "iu"},
    "f32": 4,
    "f64": 8,
}
RUST_SCALAR_BY_SIZE = {
    **{("int", width): f"i{8 * width}" for width in (1, 2, 4, 8)},
    ("float", 4): "f32",
    ("float", 8): "f64",
}
#: Types that allocators take as they are, since a literal has only its own type. Others are ``impl Into``.
RUST_EXACT_PARAMS = frozenset({*RUST_SCALAR_WIDTHS, "isize", "usize"})

POINTER_SIZE = 8
#: An Optional of one of these is stored as an Any; of an object, as a pointer that may be null.
CELL_SIZE = 16
CELL_PAYLOADS = frozenset({"int", "float", "bool", "Device", "dtype", "DataType", "str", "bytes", "Optional"})

#: The crate, by the first part of the type keys that it has.
RUST_MOD_MAP = {"ffi": "tvm_ffi"}
RUST_ROOT_TYPE_KEY = "ffi.Object"

#: Keywords that cannot be written as r#keyword.
RUST_NOT_RAW_IDENTIFIERS = frozenset({"self", "Self", "super", "crate"})
#: The name of the parent in every struct that is generated.
RUST_RESERVED_MEMBERS = frozenset({"base"})

RUST_MAX_WIDTH = 100

__all__ = [
    "CELL_PAYLOADS",
    "CELL_SIZE",
    "POINTER_SIZE",
    "RUST_DIRECTIVE_KINDS",
    "RUST_EXACT_PARAMS",
    "RUST_KEYWORDS",
    "RUST_MAX_WIDTH",
    "RUST_MOD_MAP",
    "RUST_NOT_RAW_IDENTIFIERS",
    "RUST_RESERVED_MEMBERS",
    "RUST_ROOT_TYPE_KEY",
    "RUST_SCALAR_BY_SIZE",
    "RUST_SCALAR_WIDTHS",
    "RUST_TY_MAP_DEFAULTS",
    "RUST_UNSUPPORTED_ORIGINS",
]
