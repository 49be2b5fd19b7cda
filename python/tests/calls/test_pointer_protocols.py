"""Values that are addresses, or numbers, for native code: handlers by class, __cuda_stream__, __tvm_ffi_float__."""

import ctypes

import pytest
import selfsame_ffi
from selfsame_ffi import core


def test_handler_of_an_exact_class(native):
    class Event:
        def __init__(self, address):
            self.address = address

    class Derived(Event):
        pass

    derived = Derived(1)
    core._OPAQUE_PTR_HANDLERS[Event] = lambda event: event.address
    try:
        result = native.echo(Event(0xCAFE))
        assert isinstance(result, ctypes.c_void_p) and result.value == 0xCAFE
        core.TypeSchema.from_annotation(ctypes.c_void_p).check_value(Event(1))
        assert native.echo(derived) is derived  # an opaque object
        core._OPAQUE_PTR_HANDLERS[Event] = lambda event: "no address"
        with pytest.raises(TypeError):
            native.echo(Event(1))
    finally:
        del core._OPAQUE_PTR_HANDLERS[Event]


def test_stream_is_its_address(native):
    class Stream:
        def __cuda_stream__(self):
            return (0, 64)

    class Broken:
        def __cuda_stream__(self):
            return ()

    assert native.echo(Stream()).value == 64
    assert core.TypeSchema.from_annotation(ctypes.c_void_p).convert(Stream()).to_py().value == 64
    with pytest.raises(IndexError):
        native.echo(Broken())


def test_float_protocol_gives_a_float(native):
    class Half:
        def __tvm_ffi_float__(self):
            return 10

    assert type(native.echo(Half())) is float
    assert core.TypeSchema.from_annotation(float).convert(Half()).to_py() == 10.0


def test_object_convertible(native):
    array = selfsame_ffi.Array([1])

    class Stands(selfsame_ffi.ObjectConvertible):
        def asobject(self):
            return array

    class Wrong(selfsame_ffi.ObjectConvertible):
        def asobject(self):
            return 3

    assert native.echo(Stands()) is array
    with pytest.raises(TypeError, match=r"asobject\(\) returned int"):
        native.echo(Wrong())
    with pytest.raises(TypeError, match=r"asobject\(\) failed"):
        native.echo(selfsame_ffi.ObjectConvertible())
