"""Sample values of every type, by name, and which of them suit which parameter type."""

from __future__ import annotations

import ctypes
import struct
from typing import Callable

from abi import (
    BOOL,
    BYTE_ARRAY_PTR,
    DATA_TYPE,
    DEVICE,
    DLTENSOR_PTR,
    FLOAT,
    INT,
    NONE,
    OPAQUE_PTR,
    RAW_STR,
    RVALUE_REF,
    AnyValue,
    Library,
)  # fmt: skip

Maker = Callable[[Library], AnyValue]


def none() -> Maker:
    return lambda lib: AnyValue(NONE, 0, 0)


def integer(n: int) -> Maker:
    return lambda lib: AnyValue(INT, 0, n & (2**64 - 1))


def boolean(b: bool) -> Maker:
    return lambda lib: AnyValue(BOOL, 0, int(b))


def floating(x: float) -> Maker:
    return lambda lib: AnyValue(FLOAT, 0, struct.unpack("<Q", struct.pack("<d", x))[0])


def raw(text: bytes) -> Maker:
    return lambda lib: AnyValue(RAW_STR, 0, lib.bytes(text).data)


def view(data: bytes) -> Maker:
    def make(lib: Library) -> AnyValue:
        array = lib.bytes(data)
        lib.keep(array)
        return AnyValue(BYTE_ARRAY_PTR, 0, ctypes.addressof(array))

    return make


def from_bytes(function: str, data: bytes) -> Maker:
    """A value that a function of the ABI makes of bytes."""

    def make(lib: Library) -> AnyValue:
        array, out = lib.bytes(data), AnyValue()
        lib.check(getattr(lib.c, function)(ctypes.byref(array), ctypes.byref(out)))
        return out

    return make


def string(text: bytes) -> Maker:
    return from_bytes("TVMFFIStringFromByteArray", text)


def blob(data: bytes) -> Maker:
    return from_bytes("TVMFFIBytesFromByteArray", data)


def big(n: int) -> Maker:
    size = (n.bit_length() // 64 + 1) * 8
    return from_bytes("TVMFFIBigIntFromByteArray", n.to_bytes(size, "little", signed=True))


def made(constructor: str, *items: Maker) -> Maker:
    return lambda lib: lib.call(constructor, *(item(lib) for item in items))


def array(*items: Maker) -> Maker:
    return made("ffi.Array", *items)


def dtype(code: int, bits: int, lanes: int) -> Maker:
    return lambda lib: AnyValue(DATA_TYPE, 0, code | bits << 8 | lanes << 16)


def device(kind: int, index: int) -> Maker:
    return lambda lib: AnyValue(DEVICE, 0, kind | index << 32)


def moved(item: Maker) -> Maker:
    def make(lib: Library) -> AnyValue:
        source = ctypes.c_void_p(item(lib).bits)
        lib.keep(source)
        return AnyValue(RVALUE_REF, 0, ctypes.addressof(source))

    return make


def answers(result: Maker | None) -> Maker:
    """Make a Function that returns a value, or its first argument if the value is None."""

    def make(lib: Library) -> AnyValue:
        def body(args: list[AnyValue], out: AnyValue) -> int:
            value = result(lib) if result is not None else args[0]
            owned = AnyValue()
            lib.check(lib.c.TVMFFIAnyViewToOwnedAny(ctypes.byref(value), ctypes.byref(owned)))
            ctypes.memmove(ctypes.addressof(out), ctypes.addressof(owned), ctypes.sizeof(AnyValue))
            return 0

        return lib.function(body)

    return make


def fails() -> Maker:
    def make(lib: Library) -> AnyValue:
        def body(args: list[AnyValue], out: AnyValue) -> int:
            lib.c.TVMFFIErrorSetRaisedFromCStr(b"KeyError", b"from the callback")
            return -1

        return lib.function(body)

    return make


def attribute(type_key: str, name: str, *args: Maker) -> Maker:
    """Make a value with a static method of a type."""

    def make(lib: Library) -> AnyValue:
        key, index = lib.bytes(type_key.encode()), ctypes.c_int32()
        lib.check(lib.c.TVMFFITypeKeyToIndex(ctypes.byref(key), ctypes.byref(index)))
        info = lib.c.TVMFFIGetTypeInfo(index.value).contents
        for i in range(info.num_methods):
            if info.methods[i].name.get() == name.encode():
                return lib.call(info.methods[i].method.bits, *(a(lib) for a in args))
        raise KeyError(f"{type_key}.{name}")

    return make


SMALL, LONG = b"seven77", b"a text of some length"
ROOT = attribute("ffi.reflection.AccessPath", "_root")

VALUES: dict[str, Maker] = {
    "None": none(), "True": boolean(True), "False": boolean(False),
    "0": integer(0), "1": integer(1), "2": integer(2), "-1": integer(-1), "100": integer(100),
    "int64.max": integer(2**63 - 1), "int64.min": integer(-(2**63)),
    "0.0": floating(0.0), "-0.0": floating(-0.0), "1.0": floating(1.0), "1.5": floating(1.5),
    "nan": floating(float("nan")), "inf": floating(float("inf")), "1e300": floating(1e300), "2**53": floating(2.0**53),
    "void*": lambda lib: AnyValue(OPAQUE_PTR, 0, 4096), "void*(NULL)": lambda lib: AnyValue(OPAQUE_PTR, 0, 0),
    "float32": dtype(2, 32, 1), "int8x4": dtype(0, 8, 4), "cpu": device(1, 0), "cuda:1": device(2, 1),
    "DLTensor*(NULL)": lambda lib: AnyValue(DLTENSOR_PTR, 0, 0),
    "raw a": raw(b"a"), "raw empty": raw(b""), "raw long": raw(LONG), "raw bad UTF-8": raw(b"\xff\xfe..."),
    "view a": view(b"a"), "view long": view(LONG), "view zero": view(b"a\0b"),
    "small str": string(SMALL), "str": string(LONG), "str quotes": string(b"\"'\\\n\t\x7f\xc3\xa9\xf0\x9f\x98\x80\xff"),
    "small bytes": blob(SMALL), "bytes": blob(LONG + b"\0\xff"),
    "json": string(b'{"a": [1, 2.5, null, true, "x\\u00e9"], "b": {}}'),
    "graph": string(b'{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"ffi.Array","data":[0,0]}]}'),
    "name": string(b"ffi.ArraySize"), "dtype text": string(b"float32x4"), "device text": string(b"cuda:1"),
    "Array()": array(), "Array(1)": array(integer(1)), "Array(1, 2)": array(integer(1), integer(2)),
    "Array('a', Array(2.5))": array(raw(b"a"), array(floating(2.5))),
    "Array of pairs": array(array(integer(1), answers(None))),
    "Array of triples": array(array(integer(1), answers(None), boolean(False))),
    "List()": made("ffi.List"), "List(1, 'b', None)": made("ffi.List", integer(1), raw(b"b"), none()),
    "List(3, 2, 1)": made("ffi.List", integer(3), integer(2), integer(1)),
    "Map()": made("ffi.Map"), "Map(a: 1)": made("ffi.Map", raw(b"a"), integer(1)),
    "Map(1: 'x', None: 2)": made("ffi.Map", integer(1), raw(b"x"), none(), integer(2)),
    "Map of 6": made("ffi.Map", *(integer(i // 2) for i in range(12))),
    "Map graph": made("ffi.json.Parse", string(b'{"root_index":0,"nodes":[{"type":"float","data":1}]}')),
    "Dict()": made("ffi.Dict"), "Dict(a: 1)": made("ffi.Dict", raw(b"a"), integer(1)),
    "Dict(1: 2, 'k': List)": made("ffi.Dict", integer(1), integer(2), raw(b"k"), made("ffi.List", integer(9))),
    "Dict of 6": made("ffi.Dict", *(integer(i // 2) for i in range(12))),
    "Shape()": made("ffi.Shape"), "Shape(2, 3)": made("ffi.Shape", integer(2), integer(3)),
    "Function": lambda lib: AnyValue(68, 0, lib.global_function("ffi.ArraySize")),
    "echo": answers(None), "gives 1": answers(integer(1)), "fails": fails(),
    "big": big(2**100), "-big": big(-(2**64)), "big other": big(2**100 + 1),
    "missing": made("ffi.GetInvalidObject"), "kwargs": made("ffi.GetKwargsObject"),
    "path": attribute("ffi.reflection.AccessPath", "_attr", ROOT, raw(b"x")), "root path": ROOT,
    "key": made("ffi.StructuralKey", array(integer(1))), "key 2": made("ffi.StructuralKey", raw(b"x")),
    "interrupt": made("ffi.VisitInterrupt", integer(7)),
    "system library": made("ffi.SystemLib"),
    "moved Array": moved(array(integer(4), integer(5))), "moved str": moved(string(LONG)),
}  # fmt: skip

# By parameter type in a function's schema: the sample values that suit it.
SUITABLE: dict[str, list[str]] = {
    "Any": ["1", "str", "Array(1, 2)", "Map(a: 1)"],
    "int": ["0", "1"], "bool": ["False", "True"], "float": ["1.5"],
    "ffi.String": ["raw a", "json", "graph", "name", "str"], "ffi.Bytes": ["bytes"],
    "ffi.Array": ["Array(1, 2)"], "ffi.List": ["List(3, 2, 1)"], "ffi.Map": ["Map(a: 1)"], "ffi.Dict": ["Dict(a: 1)"],
    "ffi.Function": ["echo"], "ffi.Object": ["Array(1, 2)"], "ffi.Module": ["system library"],
    "ffi.StructuralKey": ["key"], "ffi.reflection.AccessPath": ["path"], "void*": ["void*(NULL)"],
    "Optional": ["None", "2"],
    "pairs": ["Array of pairs"], "triples": ["Array of triples"],
}  # fmt: skip
