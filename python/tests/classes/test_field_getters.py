"""Fields of compiled C++ classes: when a read skips the getter, and when it must call it."""

# Requirement: A5

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import native_build
import pytest
import selfsame_ffi
from values import class_from_native

SOURCE = native_build.SOURCE.with_name("field_getters.cc")
READS = 1000  # reads by the getter before its name is looked up
PLAIN = ("i", "f", "b", "x", "any", "items", "maybe", "either")
BY_GETTER = ("narrow", "text", "raw", "doubled", "alias", "counted", "fickle")


def build(prefix: str, *flags: str) -> Path:
    return native_build.build_cpp(SOURCE, "-O1", f'-DPREFIX="{prefix}"', *flags)


def load(prefix: str, *flags: str) -> SimpleNamespace:
    selfsame_ffi.load_module(build(prefix, *flags))

    @selfsame_ffi.register_object(f"{prefix}.Fields")
    class Fields(selfsame_ffi.Object):
        __slots__ = ()

    return SimpleNamespace(Fields=Fields, counted_reads=selfsame_ffi.get_global_func(f"{prefix}.counted_reads"))


@pytest.fixture(scope="module")
def named():
    """From a library that exports the names of its getters."""
    return load("sstf")


@pytest.fixture(scope="module")
def hidden():
    """From a library that hides them."""
    return load("ssth", "-fvisibility=hidden")


def field_of(cls, name: str):
    return cls.__dict__[name]


def read_often(obj, name: str) -> list:
    """Read a field until after its getter was looked up: each value is the first one, or equal to it."""
    first = getattr(obj, name)
    for _ in range(READS + 10):
        value = getattr(obj, name)
        assert value is first or (type(value) is type(first) and value == first)
    return first


def test_plain_fields_are_read_without_their_getter(native, named):
    obj = named.Fields()
    leaf = native.Leaf(1)
    obj.x = obj.any = obj.maybe = leaf
    obj.items = [leaf]
    expected = {"i": 7, "f": 2.5, "b": True, "x": leaf, "any": leaf, "maybe": leaf, "either": 4}
    for name in PLAIN:
        value = read_often(obj, name)
        if name in expected:
            assert value is expected[name] or value == expected[name]
        assert field_of(named.Fields, name).plain, name
    owners = 5  # the wrapper, three fields, the array's element
    assert native.owners(leaf) == owners
    for _ in range(10):
        assert obj.x is leaf and obj.any is leaf and obj.maybe is leaf and obj.items[0] is leaf
    assert native.owners(leaf) == owners


def test_a_plain_field_goes_on_as_before(native, named):
    obj = named.Fields()
    for name in PLAIN:
        read_often(obj, name)
    obj.i, obj.f, obj.b = -(2**63), float("inf"), False
    assert (obj.i, obj.f, obj.b) == (-(2**63), float("inf"), False)
    assert obj.x is None and obj.maybe is None and obj.any is None
    for value in (None, 1, 2.5, True, "t", "a longer text", b"bytes that are long", selfsame_ffi.Shape((1, 2))):
        obj.any = value
        assert obj.any == value and type(obj.any) is class_from_native(value)
    for value in ([1, "two"], {"a": 1}, selfsame_ffi.Shape((3,)), native.Leaf(4), native.Plain()):
        kept = selfsame_ffi.convert(value)
        obj.x = kept
        assert obj.x is kept if not isinstance(kept, selfsame_ffi.Shape) else obj.x == kept
    obj.either = leaf = native.Leaf(2)
    assert obj.either is leaf
    where = id(leaf)
    del leaf, kept, value
    gc.collect()
    assert id(obj.either) == where
    with pytest.raises(TypeError, match="Fields"):
        obj.x = 1
    with pytest.raises(TypeError, match=r"expected a 'sstf\.Fields' object, got Leaf"):
        field_of(named.Fields, "i").__get__(native.Leaf(1))
    with pytest.raises(TypeError, match=r"expected a 'sstf\.Fields' object, got int"):
        field_of(named.Fields, "i").__get__(1)


def test_other_getters_are_called_on_every_read(named):
    obj = named.Fields()
    assert obj.doubled == 42  # registered as an int of 64 bits, but stored in another way
    assert obj.alias == 43  # registered as an object, and read as another value
    expected = {"narrow": -3, "text": "text", "doubled": 42, "alias": 43}
    for name in expected:
        assert read_often(obj, name) == expected[name]
    before = named.counted_reads()
    for _ in range(2 * READS):
        assert obj.counted == 5
    assert named.counted_reads() == before + 2 * READS
    values = [obj.fickle for _ in range(2 * READS)]
    assert values == [6] * 499 + [7] + [6] * (2 * READS - 500)
    for name in BY_GETTER:
        assert not field_of(named.Fields, name).plain, name


def test_hidden_getters_are_called_on_every_read(native, hidden):
    obj = hidden.Fields()
    obj.x = leaf = native.Leaf(1)
    for name in PLAIN:
        read_often(obj, name)
        assert not field_of(hidden.Fields, name).plain, name
    assert obj.x is leaf and obj.i == 7


def test_dropping_an_object_calls_no_getter(native, named):
    obj = named.Fields()
    obj.x = native.Rich(1)  # a crossing: its native object holds it
    obj.items = [native.Rich(2)]
    assert selfsame_ffi.debug.counters()["held"] >= 2
    before, live = named.counted_reads(), native.live()
    del obj
    assert native.live() == live - 2  # at once, as the proven fields are followed
    assert named.counted_reads() == before


def run(program: str, *args) -> None:
    command = [sys.executable, "-c", program, *map(str, args)]
    subprocess.run(command, check=True, timeout=1800)


FORK = f"""
import os, sys
import selfsame_ffi
selfsame_ffi.load_module(sys.argv[1])

@selfsame_ffi.register_object("sstk.Fields")
class Fields(selfsame_ffi.Object):
    __slots__ = ()

obj = Fields()
child = os.fork()
for _ in range({2 * READS}):
    assert obj.i == 7
plain = Fields.__dict__["i"].plain
if child == 0:
    os._exit(3 if plain else 0)  # the linker's lock may be held by a thread that is gone
assert plain
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


def test_forked_child_does_not_ask_the_linker():
    run(FORK, build("sstk"))


INITIALISER = f"""
import sys, threading, time
import selfsame_ffi

selfsame_ffi.load_module(sys.argv[1])

@selfsame_ffi.register_object("sstl.Fields")
class Fields(selfsame_ffi.Object):
    __slots__ = ()

loading, read = threading.Event(), threading.Event()

@selfsame_ffi.register_global_func("sstm.loaded")
def loaded():  # runs under the dynamic linker's lock
    loading.set()
    read.wait(1)
    for _ in range(100):
        time.sleep(0.001)  # gives the interpreter away, and wants it back

obj = Fields()
thread = threading.Thread(target=selfsame_ffi.load_module, args=(sys.argv[2],))
thread.start()
assert loading.wait(60)
for _ in range({2 * READS}):
    assert obj.i == 7
read.set()
thread.join()
assert Fields.__dict__["i"].plain
"""


def test_getter_lookup_does_not_deadlock_with_the_linker():
    run(INITIALISER, build("sstl"), build("sstm"))
