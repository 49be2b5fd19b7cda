"""Arrays of several dimensions, sequences and buffers as arguments of Go funcs that copy them into slices."""

# Requirement: D10

from __future__ import annotations

import array
import collections
import mmap

import pytest
import selfsame_ffi
import type_checker

numpy = pytest.importorskip("numpy")


def test_rows_of_an_array_become_slices(go):
    values = numpy.arange(6.0).reshape(2, 3)
    assert go.rows(values) == "[[0 1 2] [3 4 5]]" == go.rows(values.tolist()) == go.rows([*values])
    assert go.rows(values.T) == "[[0 3] [1 4] [2 5]]"
    assert go.rows(values[::-1, ::2]) == "[[3 5] [0 2]]"
    assert go.rows(numpy.asfortranarray(values)) == go.rows(values)
    assert go.rows(values.astype("int16")) == go.rows(values)
    assert go.rows(numpy.zeros((0, 3))) == "[]" and go.rows(numpy.zeros((2, 0))) == "[[] []]"
    assert go.rows(numpy.broadcast_to(1.5, (2, 2))) == "[[1.5 1.5] [1.5 1.5]]"
    assert go.rows(selfsame_ffi.from_dlpack(values)) == go.rows(values)
    values.flags.writeable = False
    assert go.rows(values) == "[[0 1 2] [3 4 5]]"
    assert go.cubes(numpy.arange(8, dtype="int32").reshape(2, 2, 2)) == "[[[0 1] [2 3]] [[4 5] [6 7]]]"
    assert go.lent_rows(values.astype("float32")) == "[[0 1 2] [3 4 5]]"
    assert go.rows(memoryview(array.array("d", [1, 2, 3, 4])).cast("B").cast("d", (2, 2))) == "[[1 2] [3 4]]"


def test_go_arrays_take_arrays_of_their_shape(go):
    values = numpy.arange(6.0).reshape(2, 3)
    assert go.matrix(values) == "[[0 1 2] [3 4 5]]" == go.matrix(values.tolist())
    assert go.points(numpy.arange(4).reshape(2, 2)) == "[[0 1] [2 3]]"
    assert go.vector(values[0]) == "[0 1 2]" == go.vector([0, 1, 2]) == go.vector((0, 1.0, 2))
    for function, wrong in (
        (go.matrix, values.T),
        (go.vector, numpy.zeros(2)),
        (go.vector, [1.0, 2.0]),
        (go.points, values),
    ):
        with pytest.raises(TypeError, match=r"argument 'values': expected .* elements.*got list of length [23]"):
            function(wrong)


@pytest.mark.parametrize("shape", [(), (3,), (2, 2, 2)])
def test_an_array_of_other_dimensions_is_refused(go, shape):
    with pytest.raises(
        ValueError, match=r"signatures\.rows: argument 'values': expected an array of 2 dimensions, got one of shape"
    ):
        go.rows(numpy.zeros(shape))
    with pytest.raises(ValueError, match=r"argument 'values': expected an array of 2 dimensions, got one of shape"):
        go.matrix(numpy.zeros(shape))


def test_elements_that_do_not_fit_are_named(go):
    with pytest.raises(TypeError, match=r"argument 'values': .*float at \[0\]\[0\]"):
        go.points(numpy.array([[1, 2], [0.5, 1]])[1:])
    with pytest.raises(OverflowError, match="does not fit in int32"):
        go.cubes(numpy.full((1, 1, 1), 2**40))
    with pytest.raises(TypeError, match="float16"):
        go.rows(numpy.zeros((1, 1), "float16"))


def shown(values):
    """A Go slice of numbers, printed."""
    return "[" + " ".join(str(int(value)) for value in values) + "]"


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 600])
def test_numbers_of_another_size_are_converted(go, count):
    values = [i * 109 % 2**16 for i in range(count)]
    assert go.halfwords(values) == go.each_halfword(*values) == go.int32s(values) == go.words(values) == shown(values)
    for dtype in ("uint16", "int32", "uint32", "int64", "uint64"):
        for made in (numpy.array(values, dtype), numpy.array(values + values, dtype)[::2][:count]):
            assert go.halfwords(made) == go.int32s(made) == go.words(made) == shown(made)
    assert go.int32s(numpy.array(values, "int64") - 2**15) == shown(v - 2**15 for v in values)
    bools = numpy.array(values) % 2 == 0
    assert go.halfwords(bools) == go.words(bools) == shown(bools)
    for i in range(0, count, 85):  # values among them that are converted in other ways
        mixed = [*values[:i], True, *values[i:]]
        assert go.halfwords(mixed) == go.each_halfword(*mixed) == shown(mixed)


@pytest.mark.parametrize("at", [0, 1, 255, 256, 599])
@pytest.mark.parametrize("wrong", [-1, 2**16, 2**31, 2**63 - 1, -(2**63)])
def test_numbers_that_do_not_fit_are_refused_wherever_they_are(go, at, wrong):
    values = list(range(600))
    values[at] = wrong
    for made in (values, numpy.array(values), tuple(values)):
        with pytest.raises(OverflowError, match=f"{wrong} does not fit in uint16"):
            go.halfwords(made)
    with pytest.raises(OverflowError, match=f"{wrong} does not fit in uint16"):
        go.each_halfword(*values)
    if wrong != -1 and abs(wrong) >= 2**31:
        with pytest.raises(OverflowError, match=f"{wrong} does not fit in int32"):
            go.int32s(values)


@pytest.mark.parametrize("at", [0, 255, 256, 299])
def test_numbers_beyond_64_bits_with_a_sign(go, at):
    values = numpy.arange(300, dtype="uint64")
    values[at] = 2**64 - 1
    assert go.words(values) == shown(values)
    with pytest.raises(OverflowError):
        go.int32s(values)
    with pytest.raises(OverflowError):
        go.halfwords(values)
    given = [int(value) for value in values]
    assert go.words(given) == shown(given)


@pytest.mark.parametrize("shape", [(10**13,), (10**6, 10**7), (10**10, 0)])
def test_an_array_without_memory_for_its_elements_is_refused(go, shape):
    values = numpy.broadcast_to(numpy.float64(1), shape)
    function = go.rows if len(shape) == 2 else go.copied_float64
    with pytest.raises(ValueError, match=r"argument 'values': expected a tensor that fits into memory"):
        function(values)


def test_slices_take_any_iterable(go):
    for values in (range(1, 4), collections.deque([1, 2, 3]), {1: 0, 2: 0, 3: 0}.keys(), {0: 1, 1: 2, 2: 3}.values()):
        assert go.copied_int64(values)[1] == go.lent_int64(values)[1] == "[1 2 3]"
    assert go.copied_int64({2})[1] == "[2]"
    assert go.copied_int64(n for n in [1, 2])[1] == go.copied_int64(iter([1, 2]))[1] == "[1 2]"
    assert go.copied_float64(memoryview(array.array("d", [1, 2.5])))[1] == "[1 2.5]"
    assert go.words_of(collections.deque("ab")) == "[a b]" == go.words_of({"a": 1, "b": 2}.keys())
    assert go.rows([range(2), (3.5,)]) == "[[0 1] [3.5]]"
    for wrong in ({1: 2}, memoryview(b"12"), b"12", "12", object()):
        with pytest.raises(TypeError, match=r"argument 'values': expected list\[int\], got "):
            go.copied_int64(wrong)
    with pytest.raises(TypeError, match=r"argument 'values': expected list\[int\], got str at \[1\]"):
        go.copied_int64(collections.deque([1, "2"]))
    with pytest.raises(TypeError, match=r"expected list\[str\], got str"):
        go.words_of("ab")


class Column:
    """An array of pyarrow as far as Go looks at it: it exports no memory, and its elements are scalars of its own."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **_):
        raise TypeError("DataType is not compatible with DLPack spec")

    def __dlpack_device__(self):
        return (1, 0)

    def __iter__(self):
        return map(object, self.values)

    def to_pylist(self):
        return self.values


def test_an_array_that_exports_no_memory_is_an_iterable(go):
    for values in (numpy.array(["a", "b"]), numpy.array(["a", "b"], object), Column(["a", "b"])):
        assert go.words_of(values) == go.words_of(["a", "b"]) == "[a b]"
    assert go.words_of(numpy.array([], str)) == "[]"
    assert go.copied_int64(numpy.array([1, 2**40], object))[1] == "[1 1099511627776]"
    with pytest.raises(TypeError, match=r"argument 'values': expected list\[str\], got numpy.datetime64 at \[0\]"):
        go.words_of(numpy.array(["2020-01-01"], "M8[D]"))
    with pytest.raises(TypeError, match=r"argument 'values': expected list\[str\], got None at \[1\]"):
        go.words_of(Column(["a", None]))
    with pytest.raises(BufferError, match=r"filled\(value\)"):
        go.copied_int64(numpy.ma.array([1, 2], mask=[0, 1]))


def test_a_lent_memoryview_is_written_where_it_lies(go):
    values = array.array("d", [1, 2])
    where, text = go.lent_float64(memoryview(values))
    assert (where, text) == (values.buffer_info()[0], "[1 2]")


def test_bytes_are_any_buffer_of_bytes(go):
    with mmap.mmap(-1, 3) as mapped:
        mapped[:] = b"\1\2\3"
        for values in (b"\1\2\3", bytearray(b"\1\2\3"), memoryview(b"\1\2\3"), array.array("B", [1, 2, 3]), mapped):
            assert go.octets(values) == "[1 2 3]"
    assert go.octets(numpy.array([1, 2, 3], "uint8")) == "[1 2 3]"
    for wrong in ("abc", [1, 2, 3], numpy.zeros(3, "int8"), numpy.zeros((2, 2), "uint8"), array.array("h", [1])):
        with pytest.raises(TypeError, match=r"argument 'values': expected bytes, got "):
            go.octets(wrong)
    for values in (b"\1\2", bytearray(b"\1\2"), memoryview(b"\1\2")):
        assert go.octets_read(values) == "[1 2]"


SAMPLE = """
import io
from array import array

import numpy as np
import signatures

signatures.copied_float64(np.ones(3)), signatures.lent_float64([1, 2.5]), signatures.copied_float64(array("d", [1.5]))
signatures.rows(np.ones((2, 2))), signatures.rows([[1, 2], [2.5]]), signatures.rows([np.ones(2), (1, 2)])
signatures.octets(b"a"), signatures.octets(bytearray(b"a"))
signatures.octets_read(b"a"), signatures.octets_read(io.BytesIO(b"a")), signatures.octets_read(open("a", "rb"))
signatures.copied_float64("text")  # type: ignore[arg-type]
signatures.rows([1.5])  # type: ignore[list-item]
signatures.octets("text")  # type: ignore[arg-type]
signatures.octets_read(open("a"))  # type: ignore[arg-type]
"""


def test_type_checkers_know_what_parameters_take(go_packages, tmp_path):
    (tmp_path / "sample.py").write_text(SAMPLE)
    assert type_checker.complaints(tmp_path, "sample.py", modules=go_packages) == ""
