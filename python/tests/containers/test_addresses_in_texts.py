"""TVM_FFI_REPR_WITH_ADDR: the texts of objects name their addresses."""

import threading

import pytest
import selfsame_ffi
from selfsame_ffi import Object
from selfsame_ffi.dataclasses import py_class


@py_class("test_addresses_in_texts.Pair")
class Pair(Object):
    a: int
    b: float


WIDE = {**{f"field{i}": int for i in range(12)}, "inner": Object}
Wide = py_class("test_addresses_in_texts.Wide")(type("Wide", (Object,), {"__slots__": (), "__annotations__": WIDE}))
VALUES = [selfsame_ffi.Array([1]), selfsame_ffi.Map({"a": 1}), Pair(1, 2.5), selfsame_ffi.system_lib()]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_text_heeds_the_environment_as_it_is(monkeypatch, value):
    for wanted in ("1", "0", "1", None, "yes", "1"):
        if wanted is None:
            monkeypatch.delenv("TVM_FFI_REPR_WITH_ADDR")
        else:
            monkeypatch.setenv("TVM_FFI_REPR_WITH_ADDR", wanted)
        assert (f"@0x{value.__chandle__():x}" in repr(value)) == (wanted == "1")


def test_threads_print_the_same_texts():
    values = [Pair(i, i / 4) for i in range(50)] + [selfsame_ffi.Array([Pair(1, 2.5)] * 3)]
    expected = [repr(value) for value in values]
    assert expected[2] == "test_addresses_in_texts.Pair(a=2, b=0.5)"
    found = []
    threads = [threading.Thread(target=lambda: found.append([repr(v) for v in values * 20])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected * 20] * 4


def test_an_object_of_many_fields_within_others_prints_each_once():
    inner = Pair(1, 2.0)
    for level in range(5):
        inner = Wide(*range(level, level + 12), inner)
    text = repr(inner)
    for level in range(5):
        values = ", ".join(f"field{i}={level + i}" for i in range(12))
        assert text.count(f"test_addresses_in_texts.Wide({values}, inner=") == 1
    assert "test_addresses_in_texts.Pair(a=1, b=2" in text and text.endswith(")" * 6)


def test_an_object_that_was_moved_away_says_so():
    pair = Pair(1, 2.0)
    selfsame_ffi.convert(lambda x: None)(pair._move())
    assert "Pair" in repr(pair) and "b=" not in repr(pair)
