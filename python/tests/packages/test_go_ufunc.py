"""Go functions of numbers as ufuncs of NumPy."""

# Requirement: D10

import pytest
import selfsame_ffi

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def half(go):
    return selfsame_ffi.ufunc(go.half)


def test_there_is_one_ufunc_of_a_function(go, half):
    assert isinstance(half, numpy.ufunc)
    assert selfsame_ffi.ufunc(go.half) is half
    assert (half.nin, half.nout, half.types, half.__name__) == (1, 1, ["d->d"], "half")
    whole = numpy.dtype("int64").char  # which C type it is depends on the system
    assert selfsame_ffi.ufunc(go.less).types == [f"{whole}{whole}->?"]
    assert selfsame_ffi.ufunc(go.add_bytes).types == ["BB->B"]


@pytest.mark.parametrize("n", [0, 1, 7, 499, 20_000])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", ">f8"])
def test_elements_are_those_of_single_calls(go, half, n, dtype):
    numbers = numpy.arange(n).astype(dtype)
    expected = [go.half(float(x)) for x in numbers]
    assert half(numbers).tolist() == expected
    assert half(numbers[::-1]).tolist() == expected[::-1]
    assert half(numbers[::3]).tolist() == expected[::3]


def test_arguments_are_broadcast(go):
    less, add = selfsame_ffi.ufunc(go.less), selfsame_ffi.ufunc(go.add_bytes)
    assert less(numpy.arange(3)[:, None], numpy.arange(4)).tolist() == [[i < j for j in range(4)] for i in range(3)]
    assert less(1, 2) is numpy.True_
    assert add.outer(numpy.arange(2, dtype="uint8"), numpy.arange(2, dtype="uint8")).tolist() == [[0, 1], [1, 2]]
    assert add.reduce(numpy.full(10, 30, dtype="uint8")) == 300 % 256
    scaled = selfsame_ffi.ufunc(go.scaled)
    assert scaled(numpy.arange(6.0).reshape(2, 3), [1, 2, 3]).tolist() == [[0, 2, 6], [3, 8, 15]]


def test_out_and_where(half):
    numbers = numpy.arange(1000.0)
    out = numpy.full(1000, -1.0)
    assert half(numbers, out=out, where=numbers % 2 == 0) is out
    assert out.tolist() == [i / 2 if i % 2 == 0 else -1 for i in range(1000)]
    assert half(numbers, out=numbers) is numbers and numbers[3] == 1.5
    single = numpy.empty(3, dtype="float32")
    assert half([1, 2, 3], out=single, casting="same_kind").tolist() == [0.5, 1.0, 1.5]
    with pytest.raises(TypeError, match="not supported for the input types"):
        half(numpy.array([1j]))


@pytest.mark.parametrize("n", [1, 10_000, 100_000])
def test_errors_are_raised(go, n):
    evenly = selfsame_ffi.ufunc(go.evenly)
    go.items_called()
    assert evenly(numpy.full(n, 4)).tolist() == [2] * n
    numbers = numpy.full(n, 4)
    numbers[n // 2] = 5
    with pytest.raises(RuntimeError, match="^5 is odd"):
        evenly(numbers)
    assert evenly(6) == 3


def test_functions_of_other_types_are_refused(go):
    for function, says in [
        (go.shouted, "shouted with argument 1 and a result of another type"),
        (go.doubled, "doubled with argument 1 and a result of another type"),
        (go.nothing_of, "nothing_of with a result of another type"),
        (go.items_called, "items_called without arguments"),
        (selfsame_ffi.convert(lambda x: x), "got "),
        (go.Counter.labelled, "got labelled"),
    ]:
        with pytest.raises(TypeError, match=f"ufunc: argument 'function': expected a Go function of numbers.*{says}"):
            selfsame_ffi.ufunc(function)
