"""Tables of the DLPack C exchange, for classes of tensors that tests make."""

import ctypes
import importlib

from selfsame_ffi import core, from_dlpack

# A function of the table that gets a Python object and the place of what it returns.
Function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Exchange(ctypes.Structure):
    """The table of the protocol, with the functions as addresses."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocator", ctypes.c_void_p),
        ("from_python", ctypes.c_void_p),
        ("to_python", ctypes.c_void_p),
        ("view", ctypes.c_void_p),
        ("current_stream", ctypes.c_void_p),
    )


def capsule_of(table, name=b"dlpack_exchange_api"):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(table), name, None)


def table_of(cls):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Exchange.from_address(get(cls.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def changed_table(**changes):
    """The table of the wrapper for tests, with other entries."""
    table = Exchange.from_buffer_copy(table_of(core.DLTensorTestWrapper))
    for name, value in changes.items():
        setattr(table, name, value)
    return table


def class_with(table):
    class Other(core.DLTensorTestWrapper):
        pass

    Other.__dlpack_c_exchange_api__ = capsule_of(table)
    Other.table = table
    return Other


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


class Counted:
    """A class of tensors that counts how often its functions export and describe one.

    `change` gets each description, and may change it.
    """

    def __init__(self, **changes):
        own = changed_table()
        self.exports = self.views = 0
        self.change = lambda view: None

        @Function
        def export(value, out):
            self.exports += 1
            return Function(own.from_python)(value, out)

        @Function
        def view(value, out):
            self.views += 1
            rc = Function(own.view)(value, out)
            self.change(DLTensor.from_address(out))
            return rc

        self.functions = export, view
        changes = {"from_python": address(export), "view": address(view), **changes}
        self.cls = class_with(changed_table(**changes))
        self.cls.functions = self.functions  # the table has their addresses

    def __call__(self, array):
        return self.cls(from_dlpack(array))


class OnDevice:
    """An exporter that says its memory is on another device."""

    def __init__(self, device_type, device_id):
        self.array = importlib.import_module("numpy").zeros(2)
        self.device = (device_type, device_id)

    def __dlpack__(self, **kwargs):
        capsule = self.array.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # The data pointer comes first, then the device.
        device = (ctypes.c_int32 * 2).from_address(get(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p))
        device[:] = self.device
        return capsule


def on_device(device_type, device_id):
    tensor = from_dlpack(OnDevice(device_type, device_id))
    assert tensor.__dlpack_device__() == (device_type, device_id)
    return tensor


@Function
def imports_nothing(managed, _out):
    """An import that takes the tensor over and fails."""
    deleter = ctypes.c_void_p.from_address(managed + 2 * ctypes.sizeof(ctypes.c_void_p)).value
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(managed)
    return -1


#: Containers with a tensor in them, by name.
CONTAINERS = {
    "itself": lambda tensor: tensor,
    "list": lambda tensor: [tensor],
    "tuple": lambda tensor: (1, tensor),
    "dict": lambda tensor: {"x": tensor},
    "nested": lambda tensor: {"x": [("a", {"y": tensor})]},
}
