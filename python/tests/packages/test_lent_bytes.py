"""A Go func can read the bytes of its caller where they lie."""

# Requirement: D10

from __future__ import annotations

import ctypes
import sys

import pytest


def address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


@pytest.mark.parametrize("size", [8, 100, 1_000_000])
def test_bytes_are_not_copied(go, size):
    data = bytes(size)
    assert go.address(data) == go.address(data=data) == address(data)


@pytest.mark.parametrize("size", [8, 100, 1_000_000])
def test_a_slice_that_the_func_only_reads_is_the_callers_memory(go, size):
    data, changing = bytes(size), bytearray(size)
    assert go.read_bytes(data) == address(data)
    assert go.read_bytes(changing) == inside(changing)
    changing.append(0)  # nothing holds it any more


@pytest.mark.parametrize("size", [8, 100, 1_000_000])
def test_a_slice_that_the_func_writes_is_a_copy(go, size):
    data = b"x" * size
    assert go.overwritten_bytes(data) not in (0, address(data))
    assert data == b"x" * size


def inside(data: bytearray | memoryview) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(data))


@pytest.mark.parametrize("size", [1, 8, 1_000_000])
def test_bytearrays_and_memoryviews_are_not_copied(go, size):
    data = bytearray(size)
    where = inside(data)
    assert go.address(data) == go.address(data=data) == go.address(memoryview(data)) == where
    part = memoryview(data)[size // 2 :]
    assert go.address(part) == where + size // 2
    assert go.address(memoryview(bytes(data))) != 0
    part.release()
    data.append(0)  # nothing holds it any more


def test_bytes_that_do_not_lie_side_by_side_are_copied(go):
    data = memoryview(bytearray(b"a-b-c-"))
    assert go.size(data[::2]) == 3 and go.content(data[::2]) == b"abc" and go.content(data[::-1]) == b"-c-b-a"
    assert go.address(data[::2]) not in (0, inside(data))


def test_the_memory_is_held_for_the_call_and_given_back(go):
    data = bytearray(b"some bytes")
    before = sys.getrefcount(data)
    refused = []

    def change():
        data[0] = ord("S")
        try:
            data.clear()
        except BufferError as error:
            refused.append(error)

    assert go.while_lent(data, change) == b"Some bytes" and len(refused) == 1
    assert go.while_lent(memoryview(data)[5:], change) == b"bytes" and len(refused) == 2
    with pytest.raises(ZeroDivisionError):
        go.while_lent(data, lambda: 1 // 0)
    with pytest.raises(TypeError):
        go.while_lent(data, "no callable")
    refused.clear()
    data.clear()
    assert sys.getrefcount(data) == before


def test_copied_bytes_do_not_change(go):
    data = bytearray(b"some bytes")
    assert go.content(data) == go.content(memoryview(data)) == go.content(bytes(data)) == data
    assert go.while_copied(data, lambda: data.__setitem__(0, 0)) == b"some bytes"
    released = memoryview(data)
    released.release()
    with pytest.raises((TypeError, ValueError), match="released"):
        go.content(released)


def test_few_bytes(go):
    assert go.address(b"") == 0 or go.address(b"few") != 0
    assert go.content(bytearray()) == go.content(memoryview(b"")) == b""
    assert go.address(bytearray()) == go.address(bytearray())


def test_other_values_are_refused_in_words(go):
    for wrong in ("text", 1, None, [1], object()):
        with pytest.raises(TypeError, match="'data'.*expected bytes"):
            go.address(wrong)
