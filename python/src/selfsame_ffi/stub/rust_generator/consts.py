"""Rust names of native types, and Rust's words."""

RUST_DIRECTIVE_KINDS = frozenset({"import-object", "field", "nullable", "enum", "opaque", "upcast", "custom-new"})

_CRATE = {
    "str": "String",
    "bytes": "Bytes",
    "Any": "Any",
    "Callable": "Function",
    "Array": "Array",
    "List": "List",
    "Map": "Map",
    "Object": "object::ObjectRef",
    "Tensor": "Tensor",
    "Shape": "Shape",
    "Device": "DLDevice",
    "dtype": "DLDataType",
    "DataType": "DLDataType",
    "ffi.Object": "object::ObjectRef",
    "ffi.reflection.AccessPath": "reflection::AccessPath",
    "ffi.reflection.AccessStep": "reflection::AccessStep",
    **{f"ffi.{name}": name for name in ("String", "Bytes", "BigInt", "Module", "Error", "Tensor", "Shape", "Function")},
}
#: Names of native types. A path with ``::`` is imported.
RUST_TY_MAP_DEFAULTS = {
    "int": "i64",
    "float": "f64",
    "bool": "bool",
    "None": "()",
    **{origin: f"tvm_ffi::{name}" for origin, name in _CRATE.items()},
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

_STRICT = """as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
move mut pub ref return self Self static struct super trait true type unsafe use where while"""
_RESERVED = "abstract become box do final gen macro override priv try typeof unsized virtual yield"
RUST_KEYWORDS = frozenset(f"{_STRICT} {_RESERVED}".split())
#: Keywords that cannot be written as r#keyword.
RUST_NOT_RAW_IDENTIFIERS = frozenset({"self", "Self", "super", "crate"})
#: The name of the parent in every struct that is generated.
RUST_RESERVED_MEMBERS = frozenset({"base"})

RUST_MAX_WIDTH = 100
