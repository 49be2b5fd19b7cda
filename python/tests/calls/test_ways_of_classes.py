"""What the core has noted of a class holds no longer than the class is as it was (F1)."""

from __future__ import annotations

import numbers

import numpy as np
import pytest
import selfsame_ffi as ffi
from selfsame_ffi import core


def kind(value):
    """The type that a native container has for a value."""
    return type(ffi.Array([value])[0])


class Celsius:
    """A class of plain Python."""

    def __init__(self, degrees):
        self.degrees = degrees

    def __float__(self):
        return float(self.degrees)


@pytest.fixture
def cls():
    """A class that the core has not met."""
    return type("Celsius", (Celsius,), {})


def test_a_class_that_becomes_a_number_after_its_values_were_opaque_is_one(cls):
    value = cls(20)
    assert [kind(value) for _ in range(3)] == [cls] * 3
    numbers.Real.register(cls)
    assert kind(value) is float


def test_a_protocol_method_that_a_class_gets_or_loses_later_counts(cls):
    value = cls(20)
    assert kind(value) is cls
    cls.__tvm_ffi_int__ = lambda self: self.degrees
    assert kind(value) is int
    cls.__tvm_ffi_value__ = cls.__call__ = lambda self: "twenty"  # what can be called comes before numbers
    assert kind(value) is ffi.Function
    del cls.__call__, cls.__tvm_ffi_int__
    assert kind(value) is str
    del cls.__tvm_ffi_value__
    assert kind(value) is cls


def test_a_protocol_method_of_a_base_class_counts(cls):
    derived = type("Derived", (cls,), {})
    assert kind(derived(20)) is derived
    cls.__tvm_ffi_float__ = lambda self: 1.5
    assert kind(derived(20)) is float


def test_a_handler_of_the_class_comes_before_what_was_noted(native, cls):
    cls.__tvm_ffi_int__ = lambda self: self.degrees
    value = cls(20)
    assert kind(value) is int
    core._OPAQUE_PTR_HANDLERS[cls] = lambda celsius: 4096
    try:
        assert native.echo(value).value == 4096
    finally:
        del core._OPAQUE_PTR_HANDLERS[cls]
    assert kind(value) is int


def test_a_value_stays_what_its_class_is_beside_other_classes():
    classes = [
        type(f"Class{i}", (Celsius,), {"__tvm_ffi_int__": lambda self: self.degrees} if i % 2 else {})
        for i in range(300)
    ]
    for _ in range(2):
        assert [kind(c(1)) for c in classes] == [int if i % 2 else c for i, c in enumerate(classes)]


def test_equal_data_types_of_numpy_are_one_data_type():
    big = [np.dtype([("f", "<f4")]).fields["f"][0], np.dtype("float32")]
    assert [ffi.Array([d])[0] for d in big] == [ffi.dtype("float32")] * 2
    for _ in range(2):
        with pytest.raises(ValueError, match="unknown dtype"):
            ffi.Array([np.dtype([("a", "f4")])])
