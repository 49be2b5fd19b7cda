"""Arrays of numbers where Go takes []any: a row of a table whose columns have several types."""

# Requirement: D10

import pytest
import selfsame_ffi

np = pytest.importorskip("numpy")


def test_a_row_of_numpy_is_a_list_of_its_numbers(go):
    assert go.show_row(np.array([1, 2])) == go.show_row([1, 2])
    assert go.show_row(np.array([0.5, 2])) == go.show_row([0.5, 2.0])
    assert go.show_row(np.array([True, False])) == go.show_row([True, False])
    assert go.show_row(np.array([1, 2], "uint8")) == go.show_row([1, 2])
    assert go.show_row(np.array([])) == "[]interface {}[ ]"
    assert go.show_values(np.arange(3)[::-1]) == go.show_values([2, 1, 0])


def test_every_row_of_an_iteration_is(go):
    table = np.arange(6.0).reshape(3, 2)
    assert go.show_rows(iter(table)) == go.show_rows(list(table)) == go.show_rows(table.tolist()) == go.show_grid(table)
    assert go.show_rows([[1, "a"], table[0]]) == "[ int64 1 string a ][ float64 0 float64 1 ]"


def test_the_numbers_of_a_list_keep_their_types(go):
    assert go.show_row([1, 0.5, True]) == "[]interface {}[ int64 1 float64 0.5 bool true ]"
    assert go.show_grid([[1, 0.5], [True]]) == "[ int64 1 float64 0.5 ][ bool true ]"


def test_an_array_that_is_no_row_is_refused(go):
    with pytest.raises(ValueError, match="one dimension"):
        go.show_row(np.zeros((2, 2)))
    with pytest.raises(TypeError, match="show_row"):
        go.show_row(np.zeros(2, "complex128"))


def test_a_tensor_among_values_stays_one(go):
    assert go.show_any(selfsame_ffi.from_dlpack(np.zeros(2))).startswith("*selfsame.Tensor")
    assert "*selfsame.Tensor" in go.show_row([1, np.zeros(2)])
