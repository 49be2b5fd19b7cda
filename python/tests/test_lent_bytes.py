"""A Go func can read the bytes of its caller where they lie."""

# Requirement: D10

import ctypes

import pytest


def address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


@pytest.mark.parametrize("size", [8, 100, 1_000_000])
def test_bytes_are_not_copied(go, size):
    data = bytes(size)
    assert go.address(data) == go.address(data=data) == address(data)


def test_what_could_change_during_the_call_is_copied(go):
    data = bytearray(100)
    inside = address(bytes(memoryview(data)))
    assert go.address(data) not in (0, inside) and go.address(memoryview(data)) != 0
    assert go.address(b"") == 0 or go.address(b"few") != 0


def test_other_values_are_refused_in_words(go):
    with pytest.raises(TypeError, match="'data'.*expected bytes"):
        go.address("text")
