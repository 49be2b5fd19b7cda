"""The tvm-ffi C ABI with ctypes, for any library that implements it."""

from __future__ import annotations

import ctypes
from typing import Callable

NONE, INT, BOOL, FLOAT, OPAQUE_PTR, DATA_TYPE, DEVICE, DLTENSOR_PTR, RAW_STR, BYTE_ARRAY_PTR, RVALUE_REF = range(11)
SMALL_STR, SMALL_BYTES, OBJECT, STR, BYTES, ERROR, FUNCTION = 11, 12, 64, 65, 66, 67, 68


class ByteArray(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def get(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""


class AnyValue(ctypes.Structure):
    _fields_ = [("type_index", ctypes.c_int32), ("small_len", ctypes.c_uint32), ("bits", ctypes.c_uint64)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class FieldInfo(ctypes.Structure):
    _fields_ = [
        ("name", ByteArray), ("doc", ByteArray), ("metadata", ByteArray), ("flags", ctypes.c_int64),
        ("size", ctypes.c_int64), ("alignment", ctypes.c_int64), ("offset", ctypes.c_int64),
        ("getter", ctypes.c_void_p), ("setter", ctypes.c_void_p), ("default", AnyValue),
        ("static_index", ctypes.c_int32),
    ]  # fmt: skip


class MethodInfo(ctypes.Structure):
    _fields_ = [
        ("name", ByteArray), ("doc", ByteArray), ("metadata", ByteArray), ("flags", ctypes.c_int64),
        ("method", AnyValue),
    ]  # fmt: skip


class TypeMetadata(ctypes.Structure):
    _fields_ = [
        ("doc", ByteArray), ("creator", ctypes.c_void_p), ("total_size", ctypes.c_int32),
        ("structural_kind", ctypes.c_int32),
    ]  # fmt: skip


class TypeInfo(ctypes.Structure):
    _fields_ = [
        ("type_index", ctypes.c_int32), ("type_depth", ctypes.c_int32), ("type_key", ByteArray),
        ("ancestors", ctypes.c_void_p), ("key_hash", ctypes.c_uint64), ("num_fields", ctypes.c_int32),
        ("num_methods", ctypes.c_int32), ("fields", ctypes.POINTER(FieldInfo)),
        ("methods", ctypes.POINTER(MethodInfo)), ("metadata", ctypes.POINTER(TypeMetadata)),
    ]  # fmt: skip


class AttrColumn(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(AnyValue)), ("size", ctypes.c_int32), ("begin", ctypes.c_int32)]


SafeCall = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(AnyValue), ctypes.c_int32, ctypes.POINTER(AnyValue)
)


class Raised(Exception):
    """The error that a call raised: kind and message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message = kind, message


class Library:
    """A loaded library. It never frees the memory and the objects that values refer to: the process is short."""

    def __init__(self, path: str) -> None:
        self.c = ctypes.CDLL(path)
        self.c.TVMFFIGetTypeInfo.restype = ctypes.POINTER(TypeInfo)
        self.c.TVMFFIGetTypeAttrColumn.restype = ctypes.POINTER(AttrColumn)
        self.c.TVMFFIBacktrace.restype = ctypes.POINTER(ByteArray)
        self.c.TVMFFIEnvGetStream.restype = ctypes.c_void_p
        self.kept: list[object] = []
        self._globals: dict[str, int] = {}

    def keep(self, thing: object) -> object:
        self.kept.append(thing)
        return thing

    def bytes(self, data: bytes) -> ByteArray:
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        self.keep(buffer)
        return ByteArray(ctypes.addressof(buffer), len(data))

    def take_error(self) -> Raised | None:
        handle = ctypes.c_void_p()
        self.c.TVMFFIErrorMoveFromRaised(ctypes.byref(handle))
        if not handle.value:
            return None
        kind, message = (ByteArray * 2).from_address(handle.value + 24)
        return Raised(kind.get().decode("utf-8", "replace"), message.get().decode("utf-8", "replace"))

    def check(self, status: int) -> None:
        raised = self.take_error()
        if status != 0:
            raise raised if raised is not None else Raised("(nothing)", f"status {status}")
        if raised is not None:
            raise AssertionError(f"succeeded and raised {raised}")

    def global_function(self, name: str) -> int:
        if name not in self._globals:
            key, handle = self.bytes(name.encode()), ctypes.c_void_p()
            self.check(self.c.TVMFFIFunctionGetGlobal(ctypes.byref(key), ctypes.byref(handle)))
            if not handle.value:
                raise KeyError(name)
            self._globals[name] = handle.value
        return self._globals[name]

    def call(self, function: int | str, *args: AnyValue) -> AnyValue:
        handle = self.global_function(function) if isinstance(function, str) else function
        array, result = (AnyValue * max(len(args), 1))(*args), AnyValue()
        self.check(self.c.TVMFFIFunctionCall(ctypes.c_void_p(handle), array, len(args), ctypes.byref(result)))
        return result

    def text_of(self, value: AnyValue) -> bytes:
        if value.type_index in (SMALL_STR, SMALL_BYTES):
            return int(value.bits).to_bytes(8, "little")[: value.small_len]
        return ByteArray.from_address(value.bits + 24).get()

    def type_key(self, index: int) -> str:
        return self.c.TVMFFIGetTypeInfo(index).contents.type_key.get().decode()

    def describe(self, value: AnyValue) -> str:
        """Return the type and the text of a value; they are the same for every library."""
        if value.type_index in (FUNCTION, OPAQUE_PTR, DLTENSOR_PTR, RVALUE_REF, ERROR):
            return self.type_key(value.type_index)
        if value.type_index == FLOAT:  # to the bit
            return f"float {value.bits:#x}"
        printed = self.text_of(self.call("ffi.ReprPrint", value)).decode("utf-8", "replace")
        return f"{self.type_key(value.type_index)} {printed}"

    def function(self, body: Callable[[list[AnyValue], AnyValue], int]) -> AnyValue:
        """Make a Function of a Python callable, which gets the arguments and the value where it stores the result."""

        def call(_handle: int, args: object, count: int, result: object) -> int:
            return body([args[i] for i in range(count)], result[0])  # type: ignore[index]

        callback = SafeCall(call)
        self.keep(callback)
        handle = ctypes.c_void_p()
        self.check(self.c.TVMFFIFunctionCreate(None, callback, None, ctypes.byref(handle)))
        return AnyValue(FUNCTION, 0, handle.value)
