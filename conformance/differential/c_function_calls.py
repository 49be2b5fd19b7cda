"""Calls of the C functions: good values, NULL, bad sizes and values out of range."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Callable

from sample_values import VALUES

from abi import (
    FUNCTION,
    INT,
    NONE,
    RAW_STR,
    AnyValue,
    ByteArray,
    DataType,
    FieldInfo,
    Library,
    MethodInfo,
    TypeMetadata,
)

Case = tuple[str, Callable[[], str]]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("dtype", DataType), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor),
    ]  # fmt: skip


NO_DATA = "no data"  # a byte array of size 3 and data NULL
TEXTS: dict[str, bytes | str | None] = {
    "NULL": None, "no data": NO_DATA, "empty": b"", "short": b"abc", "long": b"a text of some length",
    "zero": b"a\0b\0", "bad UTF-8": b"\xff\xfe",
}  # fmt: skip


def every_case(lib: Library) -> Iterator[Case]:
    for part in (strings, data_types, big_ints, types, fields, functions, errors, objects, tensors, environment):
        yield from part(lib)


def text(lib: Library, what: bytes | str | None) -> Any:
    """Return a pointer to a byte array."""
    if what is None:
        return None
    array = ByteArray(None, 3) if what is NO_DATA else lib.bytes(what)  # type: ignore[arg-type]
    lib.keep(array)
    return ctypes.byref(array)


def outcome(lib: Library, status: int, result: Callable[[], str] = lambda: "") -> str:
    error = lib.take_error()
    if status == 0:
        return f"{result()}{f', but raised {error}' if error else ''}"
    return f"raises {error}" if error else f"status {status} without an error"


def into_any(lib: Library, function: Any, *args: Any) -> str:
    out = AnyValue(INT, 0, 77)
    return outcome(lib, function(*args, ctypes.byref(out)), lambda: lib.describe(out))


def into_object(lib: Library, function: Any, *args: Any) -> str:
    out = ctypes.c_void_p(77)
    return outcome(lib, function(*args, ctypes.byref(out)), lambda: key_of(lib, out.value))


def key_of(lib: Library, handle: int | None) -> str:
    return lib.type_key(ctypes.c_int32.from_address(handle + 8).value) if handle else "NULL"


def strings(lib: Library) -> Iterator[Case]:
    for function in ("TVMFFIStringFromByteArray", "TVMFFIBytesFromByteArray"):
        for name, value in TEXTS.items():
            yield f"{function}({name})", lambda f=function, v=value: into_any(lib, getattr(lib.c, f), text(lib, v))
        yield f"{function}(out NULL)", lambda f=function: outcome(lib, getattr(lib.c, f)(text(lib, b"x"), None))


def data_types(lib: Library) -> Iterator[Case]:
    def parse(value: Any) -> str:
        out = DataType(9, 9, 9)
        status = lib.c.TVMFFIDataTypeFromString(text(lib, value), ctypes.byref(out))
        return outcome(lib, status, lambda: f"{out.code} {out.bits} {out.lanes}")

    words = (
        "int uint float bfloat bool handle void i u f bf fp8_e4m3fn f8_e5m2 float8_e3m4 float8_e8m0fnu fp6_e2m3fn "
        "float6_e3m2fn fp4_e2m1fn float4_e2m1fn float8_x custom[x] custom[ custom complex64 INT int8 int0 int256 int-1 "
        "i8 int8x4 int8x0 int8x int8x65535 int8x65536 int8xvscale int8xvscalex4 int8xvscalex0 float8_e4m3fnx2 "
        "float4_e2m1fn_x2 float4_e2m1fnx2 float8_e4m3fnxvscalex2 bool8 bool1x2 handle32 voidx2 int8y int8x4y xint "
        "int4294967295 int4294967296 int99999999999 int8x99999999999 float16x-1 bf16x2 e4m3fn float_8 fp8_ fp6_ fp4_"
    ).split()
    for name, value in TEXTS.items():
        yield f"TVMFFIDataTypeFromString({name})", lambda v=value: parse(v)
    for word in words:
        yield f"TVMFFIDataTypeFromString('{word}')", lambda w=word: parse(w.encode())
    yield (
        "TVMFFIDataTypeFromString(out NULL)",
        lambda: outcome(lib, lib.c.TVMFFIDataTypeFromString(text(lib, b"int8"), None)),
    )
    for code in range(0, 256):
        for bits, lanes in ((8, 1), (1, 1), (32, 4), (0, 0), (64, 65535), (16, 65532), (255, 32768)):
            yield (
                f"TVMFFIDataTypeToString({code}, {bits}, {lanes})",
                lambda c=code, b=bits, n=lanes: into_any(
                    lib, lib.c.TVMFFIDataTypeToString, ctypes.byref(DataType(c, b, n))
                ),
            )
    yield "TVMFFIDataTypeToString(NULL)", lambda: into_any(lib, lib.c.TVMFFIDataTypeToString, None)
    yield (
        "TVMFFIDataTypeToString(out NULL)",
        lambda: outcome(lib, lib.c.TVMFFIDataTypeToString(ctypes.byref(DataType(0, 8, 1)), None)),
    )


def big_ints(lib: Library) -> Iterator[Case]:
    words: dict[str, Any] = dict(TEXTS)
    words |= {
        f"{n} bytes of {b:#x}": bytes([b]) * n for n in (1, 7, 8, 9, 15, 16, 24) for b in (0, 1, 0x7F, 0x80, 0xFF)
    }
    for name, value in words.items():
        yield (
            f"TVMFFIBigIntFromByteArray({name})",
            lambda v=value: into_any(lib, lib.c.TVMFFIBigIntFromByteArray, text(lib, v)),
        )


def types(lib: Library) -> Iterator[Case]:
    def index_of(value: Any) -> str:
        out = ctypes.c_int32(77)
        return outcome(lib, lib.c.TVMFFITypeKeyToIndex(text(lib, value), ctypes.byref(out)), lambda: str(out.value))

    def allocate(key: Any, static: int, depth: int, slots: int, overflow: int, parent: int) -> str:
        index = lib.c.TVMFFITypeGetOrAllocIndex(text(lib, key), static, depth, slots, overflow, parent)
        return outcome(lib, 0, lambda: str(index) if index < 128 else "a new index")

    for name, value in TEXTS.items():
        yield f"TVMFFITypeKeyToIndex({name})", lambda v=value: index_of(v)
        yield f"TVMFFIGetTypeAttrColumn({name})", lambda v=value: str(bool(lib.c.TVMFFIGetTypeAttrColumn(text(lib, v))))
    yield "TVMFFITypeKeyToIndex(ffi.Array)", lambda: index_of(b"ffi.Array")
    yield "TVMFFITypeKeyToIndex(out NULL)", lambda: outcome(lib, lib.c.TVMFFITypeKeyToIndex(text(lib, b"int"), None))
    for index in (-(2**31), -2, -1, 14, 63, 79, 127, 100000, 2**31 - 1):
        yield f"TVMFFIGetTypeInfo({index})", lambda i=index: str(lib.c.TVMFFIGetTypeInfo(i).contents.type_index)
    for arguments in (
        (b"ffi.Array", -1, 9, 9, 0, -1), (b"probe.Query", -1, 1, 0, 1, -2), (b"probe.A", -1, 1, 0, 1, 64),
        (b"probe.NoParent", -1, 0, 0, 1, -1), (b"probe.FarParent", -1, 1, 0, 1, 100000),
        (b"probe.Depth", -1, 7, 0, 1, 64), (b"probe.Slots", -1, 1, -1, 1, 64), (b"probe.Many", -1, 1, 2**31 - 1, 1, 64),
        (b"probe.Final", -1, 2, 0, 0, 71),
        (b"probe.Static", 70, 1, 0, 0, 64), (b"probe.FarStatic", 2**30, 1, 0, 0, 64), (None, -1, 1, 0, 1, 64),
        (NO_DATA, -1, 1, 0, 1, 64), (b"", -1, 1, 0, 1, 64), (b"probe.OfInt", -1, 1, 0, 1, 1),
    ):  # fmt: skip
        yield f"TVMFFITypeGetOrAllocIndex{arguments}", lambda a=arguments: allocate(*a)


def new_type(lib: Library, key: bytes) -> int:
    return lib.c.TVMFFITypeGetOrAllocIndex(text(lib, key), -1, 1, 0, 1, 64)


def fields(lib: Library) -> Iterator[Case]:
    def register_twice() -> str:
        index = new_type(lib, b"probe.Fields")
        field = FieldInfo(name=lib.bytes(b"f"), size=8, alignment=8, offset=24, static_index=-1)
        first = outcome(lib, lib.c.TVMFFITypeRegisterField(index, ctypes.byref(field)), lambda: "once")
        return first + ", " + outcome(lib, lib.c.TVMFFITypeRegisterField(index, ctypes.byref(field)), lambda: "twice")

    def metadata_twice() -> str:
        index = new_type(lib, b"probe.Metadata")
        metadata = TypeMetadata(total_size=24)
        first = outcome(lib, lib.c.TVMFFITypeRegisterMetadata(index, ctypes.byref(metadata)), lambda: "once")
        status = lib.c.TVMFFITypeRegisterMetadata(index, ctypes.byref(metadata))
        return first + ", " + outcome(lib, status, lambda: "twice")[:80]

    def attribute(index: int, name: Any, value: AnyValue | None, times: int = 1) -> str:
        pointer = ctypes.byref(value) if value is not None else None
        for _ in range(times):
            status = lib.c.TVMFFITypeRegisterAttr(index, text(lib, name), pointer)
        return outcome(lib, status, lambda: "registered")

    field, method = FieldInfo(name=lib.bytes(b"g"), static_index=-1), MethodInfo(name=lib.bytes(b"m"))
    for index in (-1, 63, 100000, 2**31 - 1):
        yield (
            f"TVMFFITypeRegisterField({index})",
            lambda i=index: outcome(lib, lib.c.TVMFFITypeRegisterField(i, ctypes.byref(field))),
        )
        yield (
            f"TVMFFITypeRegisterMethod({index})",
            lambda i=index: outcome(lib, lib.c.TVMFFITypeRegisterMethod(i, ctypes.byref(method))),
        )
        yield (
            f"TVMFFITypeRegisterMetadata({index})",
            lambda i=index: outcome(lib, lib.c.TVMFFITypeRegisterMetadata(i, ctypes.byref(TypeMetadata()))),
        )
    yield "TVMFFITypeRegisterField(NULL)", lambda: outcome(lib, lib.c.TVMFFITypeRegisterField(64, None))
    yield "TVMFFITypeRegisterMethod(NULL)", lambda: outcome(lib, lib.c.TVMFFITypeRegisterMethod(64, None))
    yield "TVMFFITypeRegisterMetadata(NULL)", lambda: outcome(lib, lib.c.TVMFFITypeRegisterMetadata(64, None))
    yield "a field twice", register_twice
    yield "metadata twice", metadata_twice
    one = AnyValue(INT, 0, 1)
    yield "an attribute", lambda: attribute(new_type(lib, b"probe.Attr"), b"__probe__", one)
    yield "an attribute twice", lambda: attribute(new_type(lib, b"probe.Twice"), b"__probe__", one, 2)
    yield "an attribute of a plain type", lambda: attribute(1, b"__probe_int__", one)
    yield "an attribute of None", lambda: attribute(0, b"__probe_none__", one)
    yield "an attribute at -1", lambda: attribute(-1, b"__probe__", one)
    yield "an attribute far away", lambda: attribute(2**31 - 1, b"__probe__", one)
    yield "an attribute of no name", lambda: attribute(64, None, one)
    yield "an attribute of no value", lambda: attribute(64, b"__probe_null__", None)


def functions(lib: Library) -> Iterator[Case]:
    size = AnyValue(FUNCTION, 0, lib.global_function("ffi.ArraySize"))

    def get(name: Any) -> str:
        return into_object(lib, lib.c.TVMFFIFunctionGetGlobal, text(lib, name))

    def put(name: Any, function: int | None, override: int, times: int = 1) -> str:
        for _ in range(times):
            status = lib.c.TVMFFIFunctionSetGlobal(text(lib, name), ctypes.c_void_p(function), override)
        return outcome(lib, status, lambda: get(name))

    def put_method(value: AnyValue, times: int) -> str:
        method = MethodInfo(name=lib.bytes(b"probe.method%d" % times), method=value)
        for _ in range(times):
            status = lib.c.TVMFFIFunctionSetGlobalFromMethodInfo(ctypes.byref(method), 0)
        return outcome(lib, status, lambda: "registered")

    for name, value in TEXTS.items():
        yield f"TVMFFIFunctionGetGlobal({name})", lambda v=value: get(v)
        yield f"TVMFFIFunctionSetGlobal({name})", lambda v=value: put(v, size.bits, 1)
    yield (
        "TVMFFIFunctionGetGlobal(out NULL)",
        lambda: outcome(lib, lib.c.TVMFFIFunctionGetGlobal(text(lib, b"x"), None)),
    )
    yield "TVMFFIFunctionSetGlobal(function NULL)", lambda: put(b"probe.null", None, 0)
    yield "a function twice", lambda: put(b"probe.twice", size.bits, 0, 2)
    yield "a function over another", lambda: put(b"probe.over", size.bits, 1, 2)
    yield "a method", lambda: put_method(size, 1)
    yield "a method twice", lambda: put_method(size, 2)
    yield "a method that is none", lambda: put_method(AnyValue(INT, 0, 1), 3)
    yield (
        "TVMFFIFunctionSetGlobalFromMethodInfo(NULL)",
        lambda: outcome(lib, lib.c.TVMFFIFunctionSetGlobalFromMethodInfo(None, 0)),
    )
    yield "TVMFFIFunctionCreate(callback NULL)", lambda: into_object(lib, lib.c.TVMFFIFunctionCreate, None, None, None)
    yield "TVMFFIFunctionCreate(out NULL)", lambda: outcome(lib, lib.c.TVMFFIFunctionCreate(None, None, None, None))
    for name, make in VALUES.items():
        if not name.startswith("moved"):
            yield (
                f"TVMFFIAnyViewToOwnedAny({name})",
                lambda m=make: into_any(lib, lib.c.TVMFFIAnyViewToOwnedAny, ctypes.byref(m(lib))),
            )
    yield "TVMFFIAnyViewToOwnedAny(NULL)", lambda: into_any(lib, lib.c.TVMFFIAnyViewToOwnedAny, None)
    yield (
        "TVMFFIAnyViewToOwnedAny(out NULL)",
        lambda: outcome(lib, lib.c.TVMFFIAnyViewToOwnedAny(ctypes.byref(AnyValue(NONE, 0, 0)), None)),
    )
    yield (
        "TVMFFIAnyViewToOwnedAny(a C string NULL)",
        lambda: into_any(lib, lib.c.TVMFFIAnyViewToOwnedAny, ctypes.byref(AnyValue(RAW_STR, 0, 0))),
    )


def errors(lib: Library) -> Iterator[Case]:
    kept = text(lib, b"kept")

    def raised(call: Callable[[], Any]) -> str:
        call()
        return str(lib.take_error())

    parts = (ctypes.c_char_p * 3)(b"one ", None, b"three")
    yield (
        "TVMFFIErrorSetRaisedFromCStr",
        lambda: raised(lambda: lib.c.TVMFFIErrorSetRaisedFromCStr(b"KeyError", b"text")),
    )
    yield (
        "TVMFFIErrorSetRaisedFromCStr(kind NULL)",
        lambda: raised(lambda: lib.c.TVMFFIErrorSetRaisedFromCStr(None, b"x")),
    )
    yield (
        "TVMFFIErrorSetRaisedFromCStr(text NULL)",
        lambda: raised(lambda: lib.c.TVMFFIErrorSetRaisedFromCStr(b"x", None)),
    )
    for count in (3, 0, -1):
        yield (
            f"TVMFFIErrorSetRaisedFromCStrParts({count})",
            lambda n=count: raised(lambda: lib.c.TVMFFIErrorSetRaisedFromCStrParts(b"KeyError", parts, n)),
        )
    yield (
        "TVMFFIErrorSetRaisedFromCStrParts(NULL)",
        lambda: raised(lambda: lib.c.TVMFFIErrorSetRaisedFromCStrParts(b"KeyError", None, 2)),
    )
    yield "TVMFFIErrorSetRaised(NULL)", lambda: raised(lambda: lib.c.TVMFFIErrorSetRaised(None))
    for place in range(3):
        arguments = [kept, kept, kept]
        arguments[place] = None
        yield (
            f"TVMFFIErrorCreate(argument {place} NULL)",
            lambda a=arguments: into_object(lib, lib.c.TVMFFIErrorCreate, *a),
        )
    create = lib.c.TVMFFIErrorCreateWithCauseAndExtraContext
    array = VALUES["Array(1)"]
    yield "an error with no cause", lambda: into_object(lib, create, kept, kept, kept, None, None)
    yield (
        "an error with extra context",
        lambda: into_object(lib, create, kept, kept, kept, None, ctypes.c_void_p(array(lib).bits)),
    )
    yield "TVMFFIBacktrace(NULL)", lambda: str(bool(lib.c.TVMFFIBacktrace(None, 0, None, 0)))
    yield (
        "TVMFFIBacktrace",
        lambda: str(
            lib.c.TVMFFIBacktrace(b"file.cc", 3, b"Name", 1)
            .contents.get()
            .startswith(b'  File "file.cc", line 3, in Name\n')
        ),
    )


def objects(lib: Library) -> Iterator[Case]:
    for index in (74, 64, 0, -1, 128, 100000):
        yield (
            f"TVMFFIObjectCreateOpaque({index})",
            lambda i=index: into_object(lib, lib.c.TVMFFIObjectCreateOpaque, None, i, None),
        )
    yield (
        "TVMFFIObjectCreateOpaque(out NULL)",
        lambda: outcome(lib, lib.c.TVMFFIObjectCreateOpaque(None, 74, None, None)),
    )
    yield "TVMFFIObjectDecRef(NULL)", lambda: outcome(lib, lib.c.TVMFFIObjectDecRef(None), lambda: "nothing")
    yield "TVMFFIObjectIncRef(NULL)", lambda: outcome(lib, lib.c.TVMFFIObjectIncRef(None), lambda: "nothing")
    initialise = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p))

    def once(status: int, value: int | None) -> str:
        def body(out: Any) -> int:
            out[0] = value
            return status

        slot = ctypes.c_void_p()
        callback = initialise(body)
        return outcome(lib, lib.c.TVMFFIHandleInitOnce(ctypes.byref(slot), callback), lambda: f"slot {slot.value}")

    yield "TVMFFIHandleInitOnce", lambda: once(0, 8)
    yield "TVMFFIHandleInitOnce(gives NULL)", lambda: once(0, None)
    yield "TVMFFIHandleInitOnce(fails)", lambda: once(5, 8)
    yield "TVMFFIHandleInitOnce(NULL)", lambda: outcome(lib, lib.c.TVMFFIHandleInitOnce(None, None))
    yield "TVMFFIHandleDeinitOnce(NULL)", lambda: outcome(lib, lib.c.TVMFFIHandleDeinitOnce(None, None))
    yield (
        "TVMFFIHandleDeinitOnce(nothing there)",
        lambda: outcome(lib, lib.c.TVMFFIHandleDeinitOnce(ctypes.byref(ctypes.c_void_p()), None), lambda: "nothing"),
    )


def tensors(lib: Library) -> Iterator[Case]:
    data = lib.keep(ctypes.create_string_buffer(256))
    shape = lib.keep((ctypes.c_int64 * 3)(2, 3, 1))
    strides = lib.keep((ctypes.c_int64 * 3)(1, 2, 6))
    base = (ctypes.addressof(data) + 63) // 64 * 64  # type: ignore[arg-type]

    def prototype(offset: int = 0, ndim: int = 2, with_strides: bool = False, device: int = 1) -> DLTensor:
        tensor = DLTensor(base + offset, device, 0, ndim, DataType(2, 32, 1), ctypes.addressof(shape))  # type: ignore[arg-type]
        if with_strides:
            tensor.strides = ctypes.addressof(strides)  # type: ignore[arg-type]
        return tensor

    def managed(tensor: DLTensor, alignment: int, contiguous: int, versioned: bool, flags: int = 0) -> str:
        holder = lib.keep(Versioned(1, 0, None, None, flags, tensor) if versioned else Managed(tensor, None, None))
        name = "TVMFFITensorFromDLPackVersioned" if versioned else "TVMFFITensorFromDLPack"
        out = ctypes.c_void_p()
        status = getattr(lib.c, name)(ctypes.byref(holder), alignment, contiguous, ctypes.byref(out))  # type: ignore[arg-type]
        return outcome(lib, status, lambda: layout(out.value))

    def layout(handle: int | None) -> str:
        tensor = DLTensor.from_address((handle or 0) + 24)
        extents = list((ctypes.c_int64 * tensor.ndim).from_address(tensor.shape)) if tensor.ndim else []
        steps = list((ctypes.c_int64 * tensor.ndim).from_address(tensor.strides)) if tensor.ndim else []
        return f"{key_of(lib, handle)} {extents} {steps} {tensor.byte_offset} on {tensor.device_type}"

    for versioned in (False, True):
        kind = "versioned" if versioned else "legacy"
        for offset in (0, 4, 32):
            for alignment in (0, 8, 64):
                yield (
                    f"{kind} tensor at {offset}, alignment {alignment}",
                    lambda o=offset, a=alignment, v=versioned: managed(prototype(o), a, 0, v),
                )
        for ndim in (0, 1, 3):
            yield f"{kind} tensor of {ndim}", lambda n=ndim, v=versioned: managed(prototype(0, n), 0, 1, v)
        for contiguous in (0, 1):
            yield (
                f"{kind} tensor with strides, contiguous {contiguous}",
                lambda c=contiguous, v=versioned: managed(prototype(0, 2, True), 0, c, v),
            )
        yield f"{kind} tensor on another device", lambda v=versioned: managed(prototype(4, 2, False, 8), 64, 0, v)
        name = "TVMFFITensorFromDLPackVersioned" if versioned else "TVMFFITensorFromDLPack"
        yield f"{name}(NULL)", lambda n=name: into_object(lib, getattr(lib.c, n), None, 0, 0)
    for flags in (1, 2, 4):
        yield f"versioned tensor with flags {flags}", lambda f=flags: managed(prototype(), 0, 0, True, f)
    for function in ("TVMFFITensorToDLPack", "TVMFFITensorToDLPackVersioned"):
        yield (
            f"{function}(NULL)",
            lambda f=function: outcome(
                lib, getattr(lib.c, f)(None, ctypes.byref(ctypes.c_void_p())), lambda: "something"
            ),
        )
    view = lib.c.TVMFFITensorCreateUnsafeView

    def view_of(prototype: DLTensor) -> str:
        source = ctypes.c_void_p()
        holder = lib.keep(Managed(DLTensor(None, 1, 0, 0, DataType(2, 32, 1), None, None, 0), None, None))
        lib.check(lib.c.TVMFFITensorFromDLPack(ctypes.byref(holder), 0, 0, ctypes.byref(source)))  # type: ignore[arg-type]
        out = ctypes.c_void_p()
        status = view(source, ctypes.byref(prototype), ctypes.byref(out))
        return outcome(lib, status, lambda: layout(out.value))

    for ndim in (0, 2):
        yield f"a view of {ndim} without strides", lambda n=ndim: view_of(prototype(0, n))
        yield f"a view of {ndim}", lambda n=ndim: view_of(prototype(4, n, True))
    yield "a view of no source", lambda: into_object(lib, view, None, ctypes.byref(prototype(0, 2, True)))
    yield "a view of no prototype", lambda: into_object(lib, view, None, None)


def environment(lib: Library) -> Iterator[Case]:
    def stream(kind: int, index: int) -> str:
        old = ctypes.c_void_p(77)
        status = lib.c.TVMFFIEnvSetStream(kind, index, ctypes.c_void_p(8), ctypes.byref(old))
        return outcome(lib, status, lambda: f"{old.value}, then {lib.c.TVMFFIEnvGetStream(kind, index)}")

    for kind, index in ((1, 0), (2, 3), (1, 0), (-1, 0), (1, -1), (2**31 - 1, 0)):
        yield f"TVMFFIEnvSetStream({kind}, {index})", lambda k=kind, i=index: stream(k, i)
    yield (
        "TVMFFIEnvSetStream(old NULL)",
        lambda: outcome(lib, lib.c.TVMFFIEnvSetStream(2, 5, None, None), lambda: "set"),
    )
    yield "TVMFFIEnvGetStream(unset)", lambda: str(lib.c.TVMFFIEnvGetStream(9, 9))
    yield (
        "TVMFFIEnvTensorAlloc without an allocator",
        lambda: into_object(
            lib, lib.c.TVMFFIEnvTensorAlloc, ctypes.byref(DLTensor(None, 1, 0, 0, DataType(2, 32, 1), None, None, 0))
        ),
    )
    yield "TVMFFIEnvTensorAlloc(NULL)", lambda: into_object(lib, lib.c.TVMFFIEnvTensorAlloc, None)
    for name in (b"PyErr_CheckSignals_", b"", None):
        yield f"TVMFFIEnvRegisterCAPI({name!r})", lambda n=name: outcome(lib, lib.c.TVMFFIEnvRegisterCAPI(n, None))
    yield "TVMFFIEnvCheckSignals", lambda: outcome(lib, lib.c.TVMFFIEnvCheckSignals(), lambda: "no signal")
    for name in (b"__tvm_ffi_probe", None):
        for function in ("TVMFFIEnvModRegisterSystemLibSymbol", "TVMFFIEnvModRegisterContextSymbol"):
            yield (
                f"{function}({name!r})",
                lambda f=function, n=name: outcome(lib, getattr(lib.c, f)(n, ctypes.c_void_p(8)), lambda: "registered"),
            )
    yield (
        "TVMFFIEnvModLookupFromImports(NULL)",
        lambda: into_object(lib, lib.c.TVMFFIEnvModLookupFromImports, None, b"f"),
    )
