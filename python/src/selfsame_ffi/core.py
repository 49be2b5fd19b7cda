"""The names of ``tvm_ffi.core``: classes and functions that packages and tests built on the object system use."""

from __future__ import annotations

from typing import Any, Callable

from . import _convert, _core, _device, _tensor  # noqa: F401
from ._core import CAny, CObject, DLTensorTestWrapper, Error, Function, ObjectRValueRef, TensorView
from ._core import Field as FFIProperty
from ._device import Device, DLDeviceType
from ._dtype import dtype
from ._tensor import Tensor, from_dlpack
from ._types.classes import Object
from ._types.declare import register_py_class, rollback_py_class
from ._types.object_convertible import ObjectConvertible
from ._types.opaque import OpaquePyObject
from ._types.schema_names import INDICES
from ._types.sentinels import KWARGS, MISSING
from ._types.text import Bytes, PyNativeObject, String
from ._types.type_info import FieldGetter, FieldSetter, TypeField, TypeInfo, TypeMethod, info_of_class, info_of_index
from ._types.type_schema import TypeSchema
from .error import ERROR_NAME_TO_TYPE, ERROR_TYPE_TO_NAME

DataType = dtype
_register_py_class = register_py_class
_rollback_py_class = rollback_py_class
CContainerBase = CObject


def object_repr(obj: CObject) -> str:
    """Say how native code prints an object."""
    return obj._native_repr()


def _to_py_class_value(value: CAny) -> Any:
    """The Python value; text and bytes as instances of their native types' classes."""
    made = value.to_py()
    if type(made) is str:
        return String(made)
    return Bytes(made) if type(made) is bytes else made


#: Functions that give the address of a class's instances, by class: such an instance is an opaque pointer for native
#: code. For classes that cannot be given a method ``__tvm_ffi_opaque_ptr__``.
_OPAQUE_PTR_HANDLERS: dict[type, Callable[[Any], int]] = {}
_core.set_pointer_handlers(_OPAQUE_PTR_HANDLERS)

_CLASS_DEVICE: type = Device
_CLASS_TENSOR: type = Tensor


def _set_class_device(cls: type) -> None:
    """Make devices from native code instances of a class derived from Device."""
    global _CLASS_DEVICE
    _device.set_class(cls)
    _CLASS_DEVICE = cls


def _set_class_tensor(cls: type) -> None:
    """Make tensors from native code instances of a class derived from Tensor."""
    global _CLASS_TENSOR
    _core.register_class(INDICES["Tensor"], cls)
    _CLASS_TENSOR = cls


def _object_type_key_to_index(type_key: str) -> int | None:
    return _core.type_key_to_index(type_key)


def _type_index_to_key(type_index: int) -> str:
    key = _core.type_key_of(type_index)
    if key is None:
        raise ValueError(f"no type is registered for the index {type_index}")
    return key


def _lookup_type_attr(type_index: int, attr_key: str, ancestor: bool = False) -> Any:
    """A type attribute, of the nearest ancestor that has it with `ancestor`; None when there is none."""
    value = _core.type_attr(type_index, attr_key)
    if value is None and ancestor:
        for index in reversed(_core.type_ancestors(type_index)):
            value = _core.type_attr(index, attr_key)
            if value is not None:
                break
    return value


def _register_type_attr(type_index: int, attr_key: str, value: object) -> None:
    """Set a type attribute. RuntimeError when the type has it already."""
    _core.declare_attr(type_index, attr_key, value)


def _type_cls_to_type_info(type_cls: type) -> TypeInfo | None:
    return info_of_class(type_cls)


def _type_index_to_type_info(type_index: int) -> TypeInfo | None:
    return info_of_index(type_index)


def _lookup_or_register_type_info_from_type_key(type_key: str) -> TypeInfo:
    index = _core.type_key_to_index(type_key)
    info = None if index is None else info_of_index(index)
    if info is None:
        raise ValueError(f"no native type has the key {type_key!r}")
    return info


def _env_set_current_stream(device_type: int, device_id: int, stream: Any) -> int:
    number = stream if isinstance(stream, int) else stream.value or 0
    return _core.set_stream(device_type, device_id, number)


def _env_get_current_stream(device_type: int, device_id: int) -> int:
    return _core.get_stream(device_type, device_id)


__all__ = [
    "ERROR_NAME_TO_TYPE",
    "ERROR_TYPE_TO_NAME",
    "KWARGS",
    "MISSING",
    "Bytes",
    "CAny",
    "CContainerBase",
    "CObject",
    "DLDeviceType",
    "DLTensorTestWrapper",
    "DataType",
    "Device",
    "Error",
    "FFIProperty",
    "FieldGetter",
    "FieldSetter",
    "Function",
    "Object",
    "ObjectConvertible",
    "ObjectRValueRef",
    "OpaquePyObject",
    "PyNativeObject",
    "String",
    "Tensor",
    "TensorView",
    "TypeField",
    "TypeInfo",
    "TypeMethod",
    "TypeSchema",
    "from_dlpack",
    "object_repr",
]
