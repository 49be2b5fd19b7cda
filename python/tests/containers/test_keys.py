"""Keys of Map and Dict: the same Python object is the same key, or it is refused."""

# Requirements: C1, C8

import enum
import gc
import os
import threading
import weakref
from datetime import date
from pathlib import PurePosixPath

import numpy
import pytest
import selfsame_ffi
from selfsame_ffi import Dict, List, Map


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Called:
    def __call__(self):
        return 1


def free_function():
    return 1


SAME = [
    Colour.RED,
    Colour,
    int,
    len,
    free_function,
    Called(),
    "text".upper,
    object(),
    date(2020, 1, 2),
    PurePosixPath("a/b"),
    frozenset([1]),
    range(3),
    1j,
    Ellipsis,
]
NEW = [(1, 2), (), [1], {"a": 1}, ValueError("a"), numpy.zeros(2)]


@pytest.fixture(params=[Map, Dict])
def family(request):
    return request.param


@pytest.mark.parametrize("key", SAME, ids=repr)
def test_the_same_object_is_the_same_key(family, key):
    mapping = family({key: 1, "other": 2})
    assert mapping[key] == 1 and key in mapping and mapping.get(key) == 1
    found = [known for known in mapping if known != "other"]
    assert len(found) == 1 and mapping[found[0]] == 1
    assert found[0] is key or (callable(key) and isinstance(found[0], selfsame_ffi.Function))


@pytest.mark.parametrize("key", SAME, ids=repr)
def test_an_entry_is_replaced_and_removed(key):
    mapping = Dict()
    for value in range(3):
        mapping[key] = value
    assert list(mapping.values()) == [2]
    assert mapping.pop(key) == 2 and len(mapping) == 0
    mapping[key] = 3
    del mapping[key]
    assert key not in mapping


def test_other_objects_are_other_keys():
    mapping = Dict({Colour.RED: 1, Colour.BLUE: 2, int: 3, str: 4, len: 5})
    assert [mapping[key] for key in (Colour.BLUE, str, Colour.RED, int, len)] == [2, 4, 1, 3, 5]
    assert object() not in mapping and max not in mapping and float not in mapping


@pytest.mark.parametrize("key", NEW, ids=repr)
def test_a_key_that_would_not_be_found_again_is_refused(family, key):
    mapping = family({"a": 1})
    for use in (mapping.__getitem__, mapping.get, mapping.__contains__):
        with pytest.raises(TypeError, match=f"^{family.__name__}: argument 'key': expected a key that is found again"):
            use(key)
    with pytest.raises(TypeError, match=f"^{family.__name__}: key .*: expected a key that is found again"):
        family([(key, 1)])
    if family is Dict:
        with pytest.raises(TypeError, match="^Dict: argument 'key': expected a key that is found again"):
            mapping[key] = 1
        assert dict(mapping) == {"a": 1}


def test_a_dict_that_is_an_argument_may_have_any_keys(native):
    """Native code may iterate over them, as with the published package."""
    for key in (Colour.RED, (1, 2), 3):
        ((known, value),) = native.echo({key: 5}).items()
        assert known == key and value == 5


def test_a_key_of_an_argument_is_found_by_the_same_object(native):
    for key in (Colour.RED, int, free_function):
        assert native.echo({key: 5})[key] == 5


def test_values_of_lists_are_found():
    values = List([Colour.RED, Colour.BLUE, Colour.RED])
    assert Colour.RED in values and values.index(Colour.BLUE) == 1 and values.count(Colour.RED) == 2


def test_keys_die_with_the_last_entry():
    class Key:
        pass

    key = Key()
    gone = []
    watch = weakref.ref(key, gone.append)
    mapping = Dict({key: 1})
    del key
    assert watch() is not None
    gc.collect()
    assert watch() is not None
    del mapping
    assert gone == [watch]


def test_an_address_that_is_used_again_is_another_key():
    mapping = Dict()
    for number in range(100):
        key = object()  # often at the address of the one before
        mapping[key] = number
        assert mapping[key] == number
        del mapping[key], key
        assert len(mapping) == 0


def test_threads_get_the_same_native_object():
    keys = [object() for _ in range(50)]
    shared = Dict({key: 0 for key in keys})
    failures = []

    def look_up():
        try:
            for _ in range(100):
                for key in keys:
                    if Dict({key: 1})[key] != 1 or key not in shared:
                        raise AssertionError("a key is not found")
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=look_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and len(shared) == len(keys)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_keys_are_found_in_a_forked_child():
    mapping = Dict({Colour.RED: 1, int: 2})
    child = os.fork()
    if child == 0:
        os._exit(0 if mapping[Colour.RED] == 1 and mapping[int] == 2 and Dict({len: 3})[len] == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_cycle_through_a_callable_key_is_collected():
    class Called:
        def __call__(self):
            return 1

    key = Called()
    key.mapping = Dict({key: 1})
    watch = weakref.ref(key)
    del key
    gc.collect()
    assert watch() is None


def test_a_function_is_not_another_functions_key(native):
    one, two = selfsame_ffi.convert(free_function), selfsame_ffi.convert(free_function)
    mapping = Map({one: 1, two: 2})
    assert mapping[one] == 1 and mapping[two] == 2
