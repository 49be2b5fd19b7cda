"""Conversions of plain values in both directions, and refusals."""

# Requirement: A3

import ctypes
import math

import pytest
import selfsame_ffi
from values import REFUSED, class_from_native

INT64_MAX = 2**63 - 1
SURROGATE = "a lone \ud800 surrogate"  # a str without a native form

INT, BOOL, FLOAT, OPAQUE_POINTER, RAW_STR, BYTE_ARRAY, SMALL_STR, SMALL_BYTES = 1, 2, 3, 4, 8, 9, 11, 12
STR, ERROR, FUNCTION, ARRAY, OPAQUE = 65, 67, 68, 71, 74


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, 1, -1, INT64_MAX, -(2**63), 0.0, -2.5, math.inf]
    + ["", "a", "1234567", "12345678", "é" * 3, "é" * 4, "with\0nul", "a longer text with \0 inside", "\U0001f600" * 5]
    + [b"", b"1234567", b"12345678", b"\0" * 20],
)
def test_values_come_back_equal(native, value):
    result = native.echo(value)
    assert result == value
    assert type(result) is class_from_native(value)


def test_nan_comes_back(native):
    assert math.isnan(native.echo(math.nan))


@pytest.mark.parametrize(
    ("value", "index"),
    [
        (None, 0),
        (1, INT),
        (True, BOOL),
        (1.5, FLOAT),
        ("1234567", SMALL_STR),
        ("12345678", RAW_STR),
        ("1234\x005678", STR),
        (b"1234567", SMALL_BYTES),
        (b"12345678", BYTE_ARRAY),
        (ctypes.c_void_p(16), OPAQUE_POINTER),
        ([1], ARRAY),
        ((1,), ARRAY),
        (len, FUNCTION),
        (ValueError("x"), ERROR),
        (object(), OPAQUE),
    ],
)
def test_values_become_views_of_their_type(native, value, index):
    assert native.type_index_of(value) == index


def test_subclasses_of_builtin_types_convert(native):
    class MyInt(int):
        pass

    class MyStr(str):
        pass

    class MyFloat(float):
        pass

    assert native.echo(MyInt(3)) == 3
    assert native.echo(MyStr("a text")) == "a text"
    assert native.echo(MyFloat(2.5)) == 2.5
    assert native.echo(bytearray(b"some bytes here")) == b"some bytes here"


def test_numbers_convert_by_their_abstract_class(native):
    from fractions import Fraction

    assert native.echo(Fraction(1, 2)) == 0.5
    numpy = pytest.importorskip("numpy")
    assert native.echo(numpy.int32(4)) == 4
    assert native.echo(numpy.float32(0.5)) == 0.5


def test_extent_that_cannot_be_printed_is_refused():
    class Sub(int):
        def __repr__(self):
            raise KeyError("no repr")

    for value in (10**5000, -(10**5000), Sub(2**70)):  # CPython refuses to print ints of more than 4300 digits
        with pytest.raises(ValueError, match="Shape must be a tuple of integers"):
            selfsame_ffi.Shape([value])


def test_values_without_a_native_form_are_in_no_container():
    value = SURROGATE
    for items in (selfsame_ffi.Array([1]), selfsame_ffi.List([1])):
        assert value not in items and [value] not in items
        assert items != [value] and not items == (value,)
    for mapping in (selfsame_ffi.Map({1: 1}), selfsame_ffi.Dict({1: 1})):
        assert value not in mapping and mapping.get(value) is None and mapping.get(value, 5) == 5
        assert mapping != {value: 1} and mapping != {1: value}
        with pytest.raises(KeyError):
            mapping[value]
    assert selfsame_ffi.Dict({1: 1}).pop(value, 3) == 3


def test_lone_surrogate_is_refused(native):
    with pytest.raises(UnicodeEncodeError):
        native.echo(SURROGATE)


def test_invalid_text_from_native_code_is_refused(native):
    with pytest.raises(UnicodeDecodeError):
        native.bad_text()


def test_pointer_comes_back_as_c_void_p(native):
    pointer = native.pointer()
    assert isinstance(pointer, ctypes.c_void_p)
    assert pointer.value
    assert native.echo(pointer).value == pointer.value
    assert native.echo(ctypes.c_void_p(None)).value is None


def test_nested_lists_become_arrays(native):
    result = native.echo([1, [2, (3, "four and more"), []], {"k": [1]}["k"]])
    assert result == [1, [2, [3, "four and more"], []], [1]]


def test_list_that_contains_itself_is_refused(native):
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        native.echo(endless)


def test_item_without_a_native_form_is_named(native):
    with pytest.raises(OverflowError, match="argument 2: item 2: "):
        native.count_args(1, [0, 0, REFUSED])
    with pytest.raises(OverflowError, match="argument 2: value for key 'a': item 1: "):
        native.count_args(1, {"a": [0, REFUSED]})


def test_conversion_protocols_are_used(native):
    leaf = native.Leaf(3)

    class HasObject:
        def __tvm_ffi_object__(self):
            return leaf

    class HasInt:
        def __tvm_ffi_int__(self):
            return 7

    class HasFloat:
        def __tvm_ffi_float__(self):
            return 2.5

    class HasValue:
        def __tvm_ffi_value__(self):
            return [leaf, "text that is long"]

    class HasPointer:
        def __tvm_ffi_opaque_ptr__(self):
            return 4096

    assert native.echo(HasObject()) is leaf
    assert native.echo(HasInt()) == 7
    assert native.echo(HasFloat()) == 2.5
    assert native.echo(HasValue())[0] is leaf
    assert native.echo(HasPointer()).value == 4096


def test_errors_in_conversion_protocols_are_raised(native):
    class Raises:
        def __tvm_ffi_object__(self):
            raise KeyError("no")

    class Endless:
        def __tvm_ffi_value__(self):
            return self

    with pytest.raises(KeyError):
        native.echo(Raises())
    with pytest.raises(RecursionError):
        native.echo(Endless())


def test_convert_makes_native_objects():
    array = selfsame_ffi.convert([1, [2]])
    assert isinstance(array, selfsame_ffi.Array) and isinstance(array[1], selfsame_ffi.Array)
    function = selfsame_ffi.convert(lambda x: x + 1)
    assert isinstance(function, selfsame_ffi.Function) and function(1) == 2
    error = selfsame_ffi.convert(ValueError("bad"))
    assert isinstance(error, selfsame_ffi.Error) and (error.kind, error.message) == ("ValueError", "bad")
    for value in (1, 2.5, None, array, function, True):
        assert selfsame_ffi.convert(value) is value


def test_converted_function_is_tied_from_the_start(native):
    function = selfsame_ffi.convert(lambda x: x)
    assert native.echo(function) is function
    assert selfsame_ffi.debug.tie(function)["state"] == "Active"


def test_calls_take_many_arguments(native):
    assert native.count_args(*range(100)) == 100
    assert native.count_args(*([["list"], "a long string, longer"] * 30)) == 60
    assert native.count_args() == 0


def test_keyword_arguments_are_refused(native):
    with pytest.raises(TypeError, match="keyword"):
        native.echo(value=1)


def test_wrong_types_and_counts_are_refused(native):
    with pytest.raises(TypeError, match="argument #0"):
        native.add_one("text")
    with pytest.raises(TypeError, match="number of arguments"):
        native.add_one()
    with pytest.raises(TypeError):
        native.use_count(3)


def test_native_code_sees_whole_strings(native):
    assert native.concat("short", " and somewhat longer") == "short and somewhat longer"
    assert native.byte_sum(b"\x01\x02") == 3
    assert native.byte_sum(b"\x01" * 100) == 100


NUMPY_SCALARS = {
    "bool_": True,
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), 3),
    **dict.fromkeys(("float16", "float32", "float64", "longdouble"), 1.5),
}


@pytest.mark.parametrize(("name", "value"), NUMPY_SCALARS.items())
def test_scalars_of_numpy_are_scalars(native, name, value):
    numpy = pytest.importorskip("numpy")
    scalar = getattr(numpy, name)(value)
    for given, inside in (
        (scalar, lambda got: got),
        ([scalar], lambda got: got[0]),
        ({"key": scalar}, lambda got: got["key"]),
        ({scalar: 1}, lambda got: next(iter(got))),
        (selfsame_ffi.List([scalar]), lambda got: got[0]),
    ):
        got = inside(native.echo(given))
        assert got == value
        assert type(got) is type(value)


@pytest.mark.parametrize(("name", "value"), NUMPY_SCALARS.items())
def test_schemas_take_scalars_of_numpy_as_those_of_python(name, value):
    numpy = pytest.importorskip("numpy")
    scalar = getattr(numpy, name)(value)
    for kind in (bool, int, float):
        schema = selfsame_ffi.core.TypeSchema.from_annotation(kind)
        try:
            wanted = schema.convert(value).to_py()
        except TypeError:
            with pytest.raises(TypeError, match="expected"):
                schema.convert(scalar)
        else:
            got = schema.convert(scalar).to_py()
            assert got == wanted
            assert type(got) is type(wanted)
