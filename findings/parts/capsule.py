"""Reads the fields of a DLPack capsule without taking it over."""

from __future__ import annotations

import ctypes


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    ]  # fmt: skip


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]  # fmt: skip


_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def fields(exporter: object, **options: object) -> dict[str, object]:
    """Returns the fields of the capsule that ``exporter.__dlpack__(**options)`` gives, by their names."""
    capsule = exporter.__dlpack__(**options)
    name = _name(capsule)
    address = _pointer(capsule, name)
    got: dict[str, object] = {"name": name.decode(), "capsule": capsule}
    if name == b"dltensor_versioned":
        versioned = _Versioned.from_address(address)
        got |= {"version": tuple(versioned.version), "flags": versioned.flags}
        tensor = versioned.tensor
    else:
        tensor = _Tensor.from_address(address)
    return got | {
        "data": tensor.data,
        "dtype": (tensor.code, tensor.bits, tensor.lanes),
        "shape": tensor.shape[: tensor.ndim],
        "strides": tensor.strides[: tensor.ndim] if tensor.strides else None,
        "offset": tensor.offset,
    }
