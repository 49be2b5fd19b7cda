"""Devices: the place of a tensor's memory."""

from __future__ import annotations

import operator
from enum import IntEnum
from typing import Any

from . import _core  # noqa: F401
from ._dtype import dtype
from ._load import runtime  # noqa: F401
from ._types.kinds import DEVICES


class DLDeviceType(IntEnum):
    """Kinds of devices, as DLPack numbers them."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18


_NAMES = {number: name for number, name, _ in DEVICES}
_TYPE_TO_NAME = {DLDeviceType(number): name for number, name, _ in DEVICES}
_NAME_TO_TYPE = {text: DLDeviceType(number) for number, _, texts in DEVICES for text in texts}


def _parse(text: str, index: int | None) -> tuple[int, int | None]:
    name, colon, number = text.partition(":")
    if colon:
        try:
            told = int(number)
        except ValueError:
            raise ValueError(f"Invalid device index: {number!r} in {text!r}") from None
        if index is not None and index != told:
            raise ValueError(f"Device: argument 'index': {text!r} and the index {index} contradict each other")
        index = told
    if name not in _NAME_TO_TYPE:
        raise ValueError(f"Unknown device: {text}")
    return int(_NAME_TO_TYPE[name]), index


class Device(_core.DeviceBase):
    """A device: a type such as ``"cpu"`` or ``"cuda"``, and an index.

    ``Device("cuda:1")``, ``Device("cuda", 1)`` and ``Device(DLDeviceType.kDLCUDA, 1)`` are the same. Raises ValueError
    for an unknown type, TypeError for an index that is no int, OverflowError for one of more than 32 bits.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    _DEVICE_TYPE_TO_NAME = _TYPE_TO_NAME
    _DEVICE_NAME_TO_TYPE = _NAME_TO_TYPE

    def __init__(self, device_type: str | int, index: int | None = None) -> None:
        if index is not None:
            try:
                index = operator.index(index)
            except TypeError:
                raise TypeError(f"Invalid device index: {index}") from None
        if isinstance(device_type, str):
            number, index = _parse(device_type, index)
        else:
            try:
                number = operator.index(device_type)  # an int of NumPy too
            except TypeError:
                raise TypeError(f"Invalid device type: {device_type!r}") from None
            if number not in _NAMES:
                raise ValueError(f"Unknown device: {device_type}")
        index = index or 0
        if not -(1 << 31) <= index < 1 << 31:
            raise OverflowError(f"Device: argument 'index': expected an int of 32 bits, got {index}")
        self._set(number, index)

    @classmethod
    def _from_parts(cls, device_type: int, index: int) -> Device:
        self = cls.__new__(cls)
        self._set(device_type, index)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        number = self.dlpack_device_type()
        return Device if number in _NAMES else Device._from_parts, (number, self.index)

    def __copy__(self) -> Device:
        return self if type(self) is Device else Device._from_parts(self.dlpack_device_type(), self.index)

    def __deepcopy__(self, memo: dict[int, Any]) -> Device:
        return self.__copy__()


_core.own_descriptors(Device)


def device(device_type: str | int | DLDeviceType, index: int | None = None) -> Device:
    """Return a :class:`Device` of a type and an index. A str may contain the index after a colon."""
    key = (device_type, index)
    is_exact = type(device_type) in _EXACT and type(index) in _EXACT
    if is_exact and key in _made:
        return _made[key]
    made = _made_class(device_type, index)
    if is_exact and len(_made) < _MOST_MADE:  # a program can name devices without end
        _made[key] = made
    return made


_made_class = Device
_made: dict[tuple[str | int, int | None], Device] = {}  # those of device, by its arguments
_MOST_MADE = 256
_EXACT = frozenset((str, int, type(None)))  # True and 1.0 would be the keys of 1


def set_class(cls: type[Device]) -> None:
    """Make the devices of :func:`device` and those from native code instances of a class derived from Device."""
    global _made_class
    _core.set_dtype_and_device_classes(dtype, cls, _NAMES)
    _made_class = cls
    _made.clear()


_core.set_dtype_and_device_classes(dtype, Device, _NAMES)

__all__ = ["DLDeviceType", "Device", "device"]
