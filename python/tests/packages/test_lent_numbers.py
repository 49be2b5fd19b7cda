"""Lists, arrays and buffers of numbers as arguments of Go funcs: lent as they lie, or packed."""

# Requirement: D10

from __future__ import annotations

import array
import ctypes
import sys

import pytest
import selfsame_ffi

numpy = pytest.importorskip("numpy")

DTYPES = ["int8", "int32", "int64", "uint16", "uint64", "float32", "float64"]
VALUES = [0, 1, 2, 100]


def address(values) -> int:
    return values.__array_interface__["data"][0]


def shown(values) -> str:
    return "[" + " ".join(str(v) for v in values) + "]"


@pytest.mark.parametrize("name", DTYPES)
def test_arrays_are_lent_without_a_copy_and_copied_otherwise(go, name):
    values = numpy.array(VALUES, name)
    where, text = getattr(go, f"lent_{name}")(values)
    assert (where, text) == (address(values), "[0 1 2 100]")
    where, text = getattr(go, f"copied_{name}")(values)
    assert where not in (0, address(values)) and text == "[0 1 2 100]"
    values.flags.writeable = False
    assert getattr(go, f"lent_{name}")(values) == (address(values), "[0 1 2 100]")
    assert getattr(go, f"copied_{name}")(values)[1] == "[0 1 2 100]"


def test_a_slice_that_the_func_only_reads_is_the_arrays_memory(go):
    values = numpy.arange(1000.0)
    assert go.read_floats(values) == go.read_floats(memoryview(values)) == address(values)
    assert go.read_floats(values[::2]) not in (0, address(values))
    assert go.read_floats([1.0, 2.0]) != 0 != go.read_floats([1, 2.5])


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("other", [*DTYPES, "bool"])
def test_elements_of_another_type_convert_one_by_one(go, name, other):
    if name.startswith(("int", "uint")) and other.startswith("float"):
        with pytest.raises(TypeError, match=r"argument 'values': expected list\[int\], got float at \[0\]$"):
            getattr(go, f"lent_{name}")(numpy.array([1, 2.5], other))
        return
    values = numpy.array([0, 1, 1], other)
    for function in (getattr(go, f"lent_{name}"), getattr(go, f"copied_{name}")):
        assert function(values)[1] == "[0 1 1]"
        assert function(numpy.array([], other))[1] == "[]"


def test_lists_and_tuples(go):
    for kind in (list, tuple):
        assert go.lent_float64(kind([0.5, -1.0]))[1] == go.copied_float64(kind([0.5, -1.0]))[1] == "[0.5 -1]"
        assert go.lent_float32(kind([0.5, -1.0]))[1] == go.copied_float32(kind([0.5, -1.0]))[1] == "[0.5 -1]"
        ends = kind([-(2**63), 2**63 - 1, 2**30, -(2**30), 2**15, -1, 0])
        assert go.lent_int64(ends)[1] == go.copied_int64(ends)[1] == go.copied_int(ends)[1] == shown(ends)
        assert go.lent_float64(kind([1, 2.5, True]))[1] == go.copied_float64(kind([1, 2.5, True]))[1] == "[1 2.5 1]"
        assert go.lent_float64(kind([2.5, 1]))[1] == go.copied_float64(kind([2.5, 1]))[1] == "[2.5 1]"
        assert go.lent_int64(kind([]))[1] == go.copied_int64(kind([]))[1] == "[]"
        large = kind([1, 2**64 - 1])
        assert go.lent_uint64(large)[1] == go.copied_uint64(large)[1] == shown(large)
        assert go.lent_int8(kind([1, True]))[1] == "[1 1]"


def test_containers_and_tensors(go):
    for made in (selfsame_ffi.Array([1, 2]), selfsame_ffi.List([1, 2])):
        assert go.lent_int64(made)[1] == go.copied_int64(made)[1] == "[1 2]"
    values = numpy.array([1.5, 2.5])
    tensor = selfsame_ffi.from_dlpack(values)
    assert go.lent_float64(tensor) == (address(values), "[1.5 2.5]")
    assert go.copied_float64(tensor)[0] != address(values)


@pytest.mark.parametrize(
    "value",
    [array.array("d", [1.5, 2.5]), array.array("f", [1.5, 2.5])],
    ids=["array d", "array f"],
)
def test_other_buffers_of_numbers(go, value):
    assert go.lent_float64(value)[1] == go.copied_float64(value)[1] == "[1.5 2.5]"
    if value.typecode == "d":
        assert go.lent_float64(value)[0] == value.buffer_info()[0]


def test_steps_order_and_alignment(go):
    values = numpy.arange(10.0)
    assert go.lent_float64(values[::2])[1] == go.copied_float64(values[::2])[1] == "[0 2 4 6 8]"
    assert go.lent_float64(values[::-3])[1] == go.copied_float64(values[::-3])[1] == "[9 6 3 0]"
    assert go.lent_float64(values[3:4]) == (address(values) + 24, "[3]")
    assert go.lent_float64(values[:0])[1] == "[]"
    assert go.lent_float64(values[4:4:-1])[1] == "[]"
    inside = numpy.zeros(4, numpy.dtype([("a", "i1"), ("b", "f8")], align=False))
    inside["b"] = [1, 2, 3, 4]
    assert go.lent_float64(inside["b"].astype(">f8"))[1] == "[1 2 3 4]"  # an iterable
    raw = numpy.zeros(33, "u1")[1:]
    unaligned = raw.view("f8")
    assert not unaligned.flags.aligned
    unaligned[:] = [1, 2, 3, 4]
    where, text = go.lent_float64(unaligned)
    assert where != address(unaligned) and text == "[1 2 3 4]"


def refused(function, value) -> str:
    with pytest.raises((TypeError, ValueError, OverflowError, BufferError)) as raised:
        function(value)
    return str(raised.value)


def test_what_does_not_fit_is_refused_in_words(go):
    for kind in ("lent", "copied"):
        floats, ints, small = (getattr(go, f"{kind}_{name}") for name in ("float64", "int64", "int8"))
        assert "one dimension" in refused(floats, numpy.zeros((2, 2)))
        assert "one dimension" in refused(floats, numpy.array(1.5))
        assert "does not fit in int8" in refused(small, numpy.array([1, 300]))
        assert "does not fit in int8" in refused(small, [1, 300])
        assert "fit into 64 bits" in refused(ints, numpy.array([1, 2**63], "uint64"))
        assert f"signatures.{kind}_int64: argument 'values'" in refused(ints, [1.5])
        assert f"signatures.{kind}_int64: argument 'values'" in refused(ints, numpy.array([1.5]))
        for wrong in (b"12345678", bytearray(8), memoryview(bytes(8)), "text", None, 1.5, {1.5: 2}, object()):
            assert f"signatures.{kind}_float64: argument 'values'" in refused(floats, wrong), wrong
        refused(floats, numpy.array(["a"]))
        refused(floats, numpy.array([None, 1.0]))
        refused(floats, numpy.array([1 + 2j]))
        refused(floats, numpy.array(["2020-01-01"], "datetime64[D]"))


def test_the_errors_of_a_list_are_those_of_a_container(go):
    for name, value in (("int64", [1.5]), ("int64", [1, 2.5]), ("int8", [1, 2, 1000]), ("float64", [1.0, "a"])):
        for kind in ("lent", "copied"):
            function = getattr(go, f"{kind}_{name}")
            assert refused(function, value) == refused(function, selfsame_ffi.Array(value))


class Subclass(numpy.ndarray):
    """A class written in Python may have a conversion of its own."""

    def __dlpack__(self, **more):
        return numpy.array([7.0]).__dlpack__(**more)


def test_a_subclass_converts_as_it_says(go):
    assert go.lent_float64(numpy.array([1.0]).view(Subclass))[1] == "[7]"


def test_the_buffer_is_held_for_the_call_and_given_back(go):
    values = array.array("d", [1.0, 2.0])
    before = sys.getrefcount(values)

    def grow():
        with pytest.raises(BufferError):
            values.append(3.0)

    assert go.during(values, grow) == [1.0, 2.0]
    values.append(3.0)
    with pytest.raises(ZeroDivisionError):
        go.during(values, lambda: 1 // 0)
    values.append(4.0)
    with pytest.raises(TypeError):
        go.sum_ints_lent(values, "x")
    values.append(5.0)
    assert go.sum_lent(values) == go.sum_copied(values) == 15.0
    assert sys.getrefcount(values) == before


def test_a_list_may_change_during_the_call(go):
    values = [1.0, 2.0]
    assert go.during(values, values.clear) == [1.0, 2.0]
    assert values == []


def test_a_change_of_the_array_is_seen(go):
    values = numpy.array([1.0, 2.0])
    assert go.during(values, lambda: values.__setitem__(0, 5.0)) == [5.0, 2.0]


def test_keywords(go):
    assert go.lent_float64(values=[1.5])[1] == "[1.5]"
    assert go.lent_int64(values=numpy.array([3]))[1] == "[3]"


def test_constructors(go):
    shown = "[1.5 2] map[a:1]"
    for values in ([1.5, 2.0], [1.5, 2], numpy.array([1.5, 2.0]), selfsame_ffi.Array([1.5, 2.0])):
        assert go.Series(values, {"a": 1}).show() == shown
        assert go.Series(counts={"a": 1}, values=values).show() == shown
        assert go.Series(values).show() == "[1.5 2] map[]"

        class Mine(go.Series):
            def __init__(self):
                super().__init__(values, {"a": 1})  # noqa: B023

        assert Mine().show() == shown
    for wrong in ([1.5, "a"], numpy.zeros((2, 2)), {"a": 1}):
        with pytest.raises((TypeError, ValueError), match=r"^signatures\.Series.*'values'"):
            go.Series(wrong)
    with pytest.raises(TypeError, match=r"^signatures\.Series.*'counts'"):
        go.Series([1.5], [1.5])


def test_the_metadata_lists_what_is_lent(go):
    told = selfsame_ffi.get_global_func_metadata("signatures.sum_ints_lent")
    assert told["lent_numbers"] == told["lent"] == [0]
    assert selfsame_ffi.get_global_func_metadata("signatures.copied_int8")["lent_numbers"] == [0]
    assert "lent_numbers" not in selfsame_ffi.get_global_func_metadata("signatures.show_texts")


def test_functions_of_other_languages_get_what_they_got(go):
    assert isinstance(selfsame_ffi.convert(lambda values: values)([1.5, 2]), selfsame_ffi.Array)
    c_floats = (ctypes.c_double * 2)(1.5, 2.5)
    assert "argument 'values'" in refused(go.lent_float64, c_floats)
