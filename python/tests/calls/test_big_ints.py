"""Ints beyond 64 bits: they go to native code and come back as ints."""

# Requirement: C4, C8, C11, F1

import copy
import gc
import pickle

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Dict, List, Map, debug

EDGES = [2**63, -(2**63) - 1, 2**64, -(2**64), 2**127 - 1, -(2**127), 3**500, -(7**400), 10**5000]
WORDS = [2**k + d for k in (63, 64, 127, 128, 1023, 1024) for d in (-1, 0, 1)]


@pytest.mark.parametrize("value", [*EDGES, *WORDS, *(-value for value in WORDS), 2**63 - 1, -(2**63)], ids=hex)
def test_come_back_as_ints(native, value):
    assert native.echo(value) == value and type(native.echo(value)) is int
    assert Array([value])[0] == value
    assert selfsame_ffi.convert(lambda given: -given)(value) == -value


def test_subclasses_and_numbers_of_other_packages(native):
    class Sub(int):
        pass

    class Index:
        def __tvm_ffi_int__(self):
            return 2**80

    assert native.echo(Sub(2**70)) == 2**70 and type(native.echo(Sub(2**70))) is int
    assert native.echo(Index()) == 2**80
    numpy = pytest.importorskip("numpy")
    assert native.echo(numpy.uint64(2**64 - 1)) == 2**64 - 1


@pytest.mark.parametrize("family", [Array, List])
def test_sequences_find_them(family):
    items = family([1, 2**70, -(2**70)])
    assert 2**70 in items and 2**71 not in items and items.index(-(2**70)) == 2
    assert items == [1, 2**70, -(2**70)] and items != [1, 2**70, 2**70]


@pytest.mark.parametrize("family", [Map, Dict])
def test_keys_and_values(family):
    mapping = family({2**70: "a", "b": 2**71, 10**5000: 1})
    assert mapping[2**70] == "a" and mapping["b"] == 2**71 and mapping[10**5000] == 1
    assert 2**72 not in mapping and mapping.get(2**72) is None
    with pytest.raises(KeyError):
        mapping[2**72]
    assert mapping == {2**70: "a", "b": 2**71, 10**5000: 1} and mapping != {2**70: "a"}


def test_fields_of_64_bits_refuse_them(native):
    node = native.Node(None)
    for value in (2**63, -(2**63) - 1, 10**5000):
        with pytest.raises(TypeError, match=r"sst\.Node\.i"):
            node.i = value
    node.any = 2**70
    assert node.any == 2**70 and node.i == 0


def test_pickles_and_copies():
    items = Array([2**70, Map({2**71: -(2**72)})])
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy):
        assert again(items) == items


def test_nothing_leaks(native):
    def use():
        for value in EDGES:
            native.echo(value)
            selfsame_ffi.convert(lambda given: given + 1)(value)
            _ = list(Array([value, value])), Map({value: value})[value]
        with pytest.raises(TypeError):
            native.Node(None).i = 2**70

    use()
    gc.collect()
    before = debug.live_objects().get("ffi.BigInt", 0)
    for _ in range(20):
        use()
    gc.collect()
    assert debug.live_objects().get("ffi.BigInt", 0) == before
