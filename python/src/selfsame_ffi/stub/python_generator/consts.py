"""Python names of native types."""

#: Where the annotation of an origin comes from.
TY_MAP_DEFAULTS = {
    "Any": "typing.Any",
    "Callable": "typing.Callable",
    "Array": "collections.abc.Sequence",
    "List": "collections.abc.MutableSequence",
    "Map": "collections.abc.Mapping",
    "Dict": "collections.abc.MutableMapping",
    "Object": "ffi.Object",
    "Tensor": "ffi.Tensor",
    "dtype": "ffi.dtype",
    "Device": "ffi.Device",
    "ffi.Enum": "tvm_ffi.dataclasses.Enum",
    "ffi.IntEnum": "tvm_ffi.dataclasses.IntEnum",
    "ffi.StrEnum": "tvm_ffi.dataclasses.StrEnum",
    "ffi.Error": "tvm_ffi.core.Error",
    # Values of Go that the C ABI has no type for; go_types has those that need more than a name.
    "go.Complex": "complex",
    "go.Duration": "datetime.timedelta",
    "go.File": "typing.BinaryIO",
    "go.Iterable": "collections.abc.Iterable",
    "go.Iterator": "selfsame_ffi.Iterator",
    "go.Reader": "typing.BinaryIO",
    "go.RowIterator": "selfsame_ffi.RowIterator",
    "go.Rows": "selfsame_ffi.GoRows",
    "go.Set": "set",
    "go.Time": "datetime.datetime",
    "selfsame.GoValue": "ffi.Object",
}

#: The same for arguments: native code converts any sequence and any mapping.
TY_MAP_INPUT_DEFAULTS = {
    "Array": "collections.abc.Sequence",
    "List": "collections.abc.Sequence",
    "Map": "collections.abc.Mapping",
    "Dict": "collections.abc.Mapping",
    "go.Set": "collections.abc.Set",
}

#: Modules of types whose keys have these prefixes.
MOD_MAP = {"testing": "tvm_ffi.testing", "ffi": "tvm_ffi"}
