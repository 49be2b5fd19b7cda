"""Values for tests: one that native code cannot get, and the classes that values come back as."""

from selfsame_ffi import core


class Refused:
    """An object that says it is a pointer, to an address that does not exist."""

    def __tvm_ffi_opaque_ptr__(self):
        return 2**70


REFUSED = Refused()


def class_from_native(value):
    """The class of a Python value after it went to native code and back: long text keeps its native value."""
    size = len(value.encode()) if isinstance(value, str) else len(value) if isinstance(value, bytes) else 0
    if size <= 7:
        return type(value)
    return core.String if isinstance(value, str) else core.Bytes
