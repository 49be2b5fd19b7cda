"""Tensors whose description a test chooses."""

import ctypes

from exchange_tables import DLTensor

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Managed(DLTensor):
    _fields_ = (("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Described:
    """Exports a float32 tensor with the given description; its memory is 64 zeros. It must outlive its tensors."""

    def __init__(self, shape=(2,), strides=(1,), **fields):
        self.data = (ctypes.c_float * 64)()
        self.shape = None if shape is None else (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * max(len(strides), 1))(*strides)
        self.managed = Managed(ctypes.addressof(self.data), 1, 0, len(shape or ()), 2, 32, 1)
        self.managed.shape = None if shape is None else ctypes.addressof(self.shape)
        self.managed.strides = None if strides is None else ctypes.addressof(self.strides)
        for name, value in fields.items():
            setattr(self.managed, name, value)

    def __dlpack__(self, **kwargs):
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)
