"""A value that native code cannot get: what refuses arguments is tested with it."""


class Refused:
    """An object that says it is a pointer, to an address that does not exist."""

    def __tvm_ffi_opaque_ptr__(self):
        return 2**70


REFUSED = Refused()
