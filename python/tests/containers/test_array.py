"""Array: a sequence of shared values."""

# Requirement: A7

from collections.abc import Sequence

import pytest
import selfsame_ffi
from selfsame_ffi import Array
from values import REFUSED


def test_array_is_a_sequence():
    array = Array([1, 2, 3])
    assert isinstance(array, Sequence)
    assert array.index(2) == 1
    assert array.count(3) == 1
    assert list(reversed(array)) == [3, 2, 1]


def test_array_is_made_of_any_iterable():
    assert len(Array()) == 0
    assert list(Array(range(3))) == [0, 1, 2]
    assert list(Array(x for x in "ab")) == ["a", "b"]
    with pytest.raises(TypeError):
        Array(3)
    with pytest.raises(TypeError):
        Array(1, 2)
    with pytest.raises(OverflowError, match="^Array: item 2: item 1: [^:]+$"):
        Array(iter([0, "a", [1, REFUSED]]))


def test_second_init_is_refused():
    array = Array([1])
    with pytest.raises(TypeError, match="already"):
        array.__init__([2])
    assert array == [1]


def test_indices_are_those_of_a_sequence():
    array = Array([10, 20, 30])
    assert (array[0], array[2], array[-1], array[-3], array[True]) == (10, 30, 30, 10, 20)
    for bad in (3, -4, 2**70):
        with pytest.raises(IndexError):
            array[bad]
    with pytest.raises(TypeError, match="expected an int or a slice as index"):
        array["x"]
    with pytest.raises(TypeError):
        array[0] = 1


def test_slices_are_lists():
    items = list(range(10))
    array = Array(items)
    for cut in (slice(None), slice(2, 5), slice(None, None, -1), slice(-3, None), slice(8, 2, -2), slice(50, 60)):
        assert array[cut] == items[cut]
        assert type(array[cut]) is list


def test_objects_are_found_by_identity(native):
    leaf = native.Leaf(1)
    array = Array([1, "two", leaf])
    assert 1 in array and "two" in array and leaf in array
    assert 3 not in array and native.Leaf(1) not in array


def test_equal_contents_are_equal():
    assert Array([1, "b"]) == Array([1, "b"]) == [1, "b"]
    assert Array([1]) != Array([2])
    assert Array([1]) != Array([1, 1])
    assert Array([1]) != 1
    assert hash(Array([1, 2])) == hash(Array([1, 2]))


def test_arrays_and_lists_concatenate():
    assert Array([1]) + Array([2]) == [1, 2]
    assert Array([1]) + [2] == [1, 2]
    assert [0] + Array([1]) == [0, 1]
    assert isinstance(Array([1]) + (2,), Array)
    with pytest.raises(TypeError):
        Array([1]) + 3


def test_iterator_ends_and_stays_ended():
    iterator = iter(Array([1, 2]))
    assert iterator.__length_hint__() == 2
    assert [next(iterator), next(iterator)] == [1, 2]
    assert list(iterator) == []
    assert list(iterator) == []


def test_repr_shows_the_items():
    assert repr(Array([1, "a"])) == '(1, "a")'
    assert repr(Array([1])) == "(1,)"
    assert repr(Array.__new__(Array)) == "<Array object, not initialised>"


def test_use_before_init_is_refused():
    raw = Array.__new__(Array)
    for use in (len, iter, lambda a: a[0], lambda a: a[:], lambda a: 1 in a):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)


def test_array_holds_items_of_every_kind(native):
    items = [None, True, 1, 2.5, "s", "a longer string", b"b", b"longer bytes", native.Leaf(1), [1], len]
    array = Array(items)
    assert array[:8] == items[:8]
    assert array[8] is items[8]
    assert array[9] == [1]
    assert array[10]([1, 2]) == 2


def test_subclass_survives_drop_and_refetch(native):
    class Mine(Array):
        __slots__ = ()

        def total(self):
            return sum(self)

    mine = Mine([1, 2])
    assert mine.total() == 3
    assert native.echo(mine) is mine
    native.keep(mine)
    del mine
    assert type(native.kept(0)) is Mine
    native.release()


def test_array_made_by_native_code_is_tied(native):
    node = native.Node(None)
    assert node.items == []
    node.items = [native.Leaf(2)]
    assert node.items[0].value == 2
    assert selfsame_ffi.debug.tie(node.items)["state"] == "Active"


@pytest.mark.parametrize("family", [selfsame_ffi.Array, selfsame_ffi.List])
def test_numbers_are_copied_to_numpy(family):
    numpy = pytest.importorskip("numpy")
    for items, dtype in (
        ([1.5, 2], "float64"),
        ([1, True, -(2**63)], "int64"),
        ([True, False], "bool"),
        ([], "float64"),
        ([0.5, True], "float64"),
    ):
        made = family(items).to_numpy()
        assert made.dtype == dtype and made.tolist() == items
    made = family([1, 2]).to_numpy("float32")
    assert made.dtype == "float32" and made.tolist() == [1, 2]
    made[0] = 7  # the array is the caller's own
    for wrong in ([1, "a"], [None], [2**64], [[1.0]]):
        with pytest.raises(
            TypeError, match=rf"the element at \[{len(wrong) - 1}\]: expected a bool, float or int of 64 bits"
        ):
            family(wrong).to_numpy()
    with pytest.raises(TypeError, match="expected an Array or List, got list"):
        selfsame_ffi._core.sequence_numbers([1])
    assert numpy.array_equal(family(range(1000)).to_numpy(), numpy.arange(1000))


@pytest.mark.parametrize("bits", [0, 1, 15, 29, 30, 31, 45, 59, 60, 61, 62, 63])
def test_ints_of_each_number_of_digits(bits):
    near = {sign * 2**bits + more for sign in (1, -1) for more in (-1, 0, 1)}
    ints = sorted(n for n in near if -(2**63) <= n < 2**63)
    assert list(Array(ints)) == ints
    assert list(Array(tuple(ints))) == ints


def test_a_list_that_changes_during_its_conversion_is_taken_as_it_was():
    class Clearing:
        def __tvm_ffi_value__(self):
            items.clear()
            return 5

    items = [Clearing(), "a text of some length", 3.5, [1]]
    array = Array(items)
    assert (len(array), array[0], array[1], array[2], list(array[3])) == (4, 5, "a text of some length", 3.5, [1])
    assert items == []
