"""Operators of the number types of a wrapped Go package."""

from __future__ import annotations

import copy
import math
import pickle

import pytest
import selfsame_ffi


def test_flags_are_joined_and_tested(shelf):
    both = shelf.MAY_READ | shelf.MAY_LEND
    assert isinstance(both, shelf.Access) and both == 3 and both.allows(shelf.MAY_LEND)
    assert (both & shelf.MAY_LEND) == shelf.MAY_LEND and not both & shelf.MAY_SELL
    assert both ^ shelf.MAY_READ == shelf.MAY_LEND and (shelf.MAY_ALL & ~shelf.MAY_SELL) == both
    assert 4 | both == 7 and isinstance(4 | both, shelf.Access) and 2 & both == 2 and 1 ^ both == 2
    flags = shelf.MAY_READ
    flags |= shelf.MAY_SELL
    assert flags == 5 and shelf.MAY_READ == 1


def test_a_func_that_compiles_a_text_with_flags_is_the_constructor(shelf):
    query = shelf.Query("Sea", shelf.ANY_CASE | shelf.WHOLE_TITLE)
    assert query.finds("SEA") and not query.finds("the sea") and shelf.compile("Sea", shelf.Mode(0)).finds("The Sea")
    with pytest.raises(shelf.FullError):
        shelf.Query("", shelf.ANY_CASE)


def test_numbers_calculate_as_their_type(shelf):
    price = shelf.Cents(250)
    assert (price * 2 + 50, 1000 - price, -price, 2 * price) == (550, 750, -250, 500)
    assert isinstance(price + 1, shelf.Cents) and (price * 2).euros() == 5
    assert sum([price, price], shelf.Cents(0)).euros() == 5
    warmer = shelf.BOILING + 0.5
    assert isinstance(warmer, shelf.Celsius) and float(warmer) == 100.5 and warmer / 2 == 50.25 and 201 / warmer == 2


def test_numbers_out_of_range_raise(shelf):
    most = shelf.Cents(2**63 - 1)
    for wrong in (
        lambda: most + 1,
        lambda: most * 2,
        lambda: -most - 2,
        lambda: -shelf.MB,
        lambda: shelf.KB - 2000,
    ):
        with pytest.raises(OverflowError, match=r"shelf\.(Cents|ByteSize): the \w+ of -?\d+ and \d+ is out of range"):
            wrong()
    with pytest.raises(ZeroDivisionError):
        shelf.BOILING / 0


def test_operands_of_other_types_are_refused(shelf):
    for wrong in ("x", 1.5, None, shelf.BOILING):
        for operand in (shelf.MAY_READ, shelf.KB):
            with pytest.raises(TypeError, match="unsupported operand"):
                operand | wrong
    with pytest.raises(TypeError, match="unsupported operand"):
        shelf.BOILING + "x"
    with pytest.raises(TypeError, match="unsupported operand"):
        shelf.Cents(1) / 2


def test_zero_is_false(shelf):
    assert shelf.MAY_READ and not shelf.Access(0) and not shelf.Celsius(0) and shelf.Celsius(-1)


@pytest.mark.parametrize("value", [0, 1, -1, 2**31, 2**61 - 2, 2**61 - 1, 2**61, 2**62 + 3, -(2**63), 2**63 - 1])
def test_a_number_and_its_plain_value_are_one_key(shelf, value):
    assert hash(shelf.Cents(value)) == hash(value) and {shelf.Cents(value): 1}[value] == 1


@pytest.mark.parametrize(
    "value", [0.0, -0.0, 0.1, -2.5, 1e300, 5e-324, 2.0**61, 2.0**61 - 2**8, 1 / 3, -1e-200, math.inf, -math.inf]
)
def test_a_float_and_its_plain_value_are_one_key(shelf, value):
    assert hash(shelf.Celsius(value)) == hash(value) and {shelf.Celsius(value): 1}[value] == 1


def test_numbers_are_formatted_as_their_plain_value(shelf):
    assert f"{shelf.MAY_LEND:03d} {shelf.MAY_SELL:#x} {shelf.BOILING:.1f}" == "002 0x4 100.0"
    assert f"{shelf.MANUAL}" == "manual" and f"{shelf.MANUAL:2d}" == " 1"


def test_numbers_with_methods_are_a_list_in_the_memory_of_go(shelf):
    numpy = pytest.importorskip("numpy")
    readings = shelf.Readings([1, 2.5])
    readings.append(8.5)
    assert readings.mean() == 4 and readings == [1, 2.5, 8.5] and isinstance(readings, selfsame_ffi.GoNumbers)
    seen = numpy.asarray(readings)
    readings.halve()
    assert seen.tolist() == [0.5, 1.25, 4.25]
    seen[0] = 6.5
    assert readings[0] == 6.5 and shelf.Readings(1, 2).mean() == 1.5
    assert shelf.mean_of([1, 2]) == shelf.mean_of(numpy.array([1.0, 2.0])) == 1.5
    assert pickle.loads(pickle.dumps(readings)) == readings != copy.deepcopy(readings)[:1]
