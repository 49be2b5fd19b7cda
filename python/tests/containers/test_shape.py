"""Shape: a tuple of ints that native code shares."""

# Requirement: A7

import copy
import pickle

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Shape


def test_shape_is_a_tuple():
    shape = Shape((2, 3, -1))
    assert isinstance(shape, tuple) and shape == (2, 3, -1) and hash(shape) == hash((2, 3, -1))
    assert type(shape) is Shape and type(shape + (1,)) is tuple and shape[1:] == (3, -1)
    assert repr(shape) == "(2, 3, -1)" and Shape([]) == () and Shape(range(3)) == (0, 1, 2)


def test_items_that_are_no_ints_are_refused():
    for bad in ([1, "a"], [1.5], [2**63], [None]):
        with pytest.raises(ValueError, match="integers"):
            Shape(bad)
    with pytest.raises(TypeError):
        Shape(3)
    with pytest.raises(TypeError):
        Shape()

    class Bad:
        def __index__(self):
            raise KeyError("no")

    with pytest.raises(KeyError):
        Shape([Bad()])


def test_shape_is_one_object_while_it_is_held(native):
    shape = Shape((1, 2))
    assert native.echo(shape) is shape and selfsame_ffi.convert(shape) is shape
    array = Array([shape])
    assert array[0] is shape and array[0] is array[0]
    del shape
    again = array[0]
    assert again == (1, 2) and array[0] is again and native.echo(again) is again


def test_shape_stays_a_shape_in_native_code(native):
    assert native.type_index_of(Shape((1, 2))) == 69
    assert native.type_index_of((1, 2)) == 71
    made = selfsame_ffi.get_global_func("ffi.Shape")(4, 5)
    assert type(made) is Shape and made == (4, 5) and native.echo(made) is made


def test_shape_kept_by_native_code_is_one_object(native):
    native.keep(Shape((7, 8)))
    first = native.kept(0)
    assert first == (7, 8) and native.kept(0) is first
    del first
    assert native.kept(0) == (7, 8)
    native.release()


def test_pickle_and_copy_make_a_shape():
    shape = Shape((1, 2))
    for twin in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape)):
        assert type(twin) is Shape and twin == shape
