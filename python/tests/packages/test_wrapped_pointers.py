"""Funcs of a wrapped library that take a pointer to a slice, an array or a map."""

# Requirement: D17

import array

import pytest

numpy = pytest.importorskip("numpy")


def test_a_pointer_that_is_only_read_takes_the_value(atlas):
    assert atlas.total([1, 2.5]) == atlas.total((1, 2.5)) == atlas.total(numpy.array([1, 2.5])) == 3.5
    assert atlas.total(float(i) for i in range(3)) == 3 and atlas.stock({"nails": 3}) == 1
    assert atlas.sealed(b"abcd", b"\0\0\0\0") == b"abcd"
    for wrong in ("ab", 5, [1, "a"], {1.0: 2.0}):
        with pytest.raises(TypeError, match="argument 'prices': expected"):
            atlas.total(wrong)
    with pytest.raises(TypeError, match="got 3 elements, where Go has 4"):
        atlas.sealed(b"abcd", b"abc")


def test_a_pointer_that_is_written_gives_the_elements_back(atlas):
    prices, names, amounts = [1.0, 2.0], ["a"], {"nails": 3, "saws": 1}
    atlas.raise_(prices, 2)
    atlas.enqueue(names, "b", "c")
    atlas.deliver(amounts, "nails", 2)
    assert prices == [2.0, 4.0] and names == ["a", "b", "c"] and amounts == {"nails": 5, "saws": 1}
    atlas.sell(amounts)
    assert amounts == {"nothing": 0}
    first = [1]
    rows = [first]
    atlas.split(rows, 2, 3)
    assert rows == [[1], [2, 3]] and rows[0] is first
    key = bytearray(4)
    atlas.draw(key)
    assert key == b"\1\2\3\4"


def test_an_array_is_written_in_place_and_keeps_its_length(atlas):
    for numbers in (numpy.array([1.0, 2.0]), array.array("d", [1.0, 2.0]), numpy.array([1, 2])):
        atlas.raise_(numbers, 2)
        assert list(numbers) == [2, 4]
    with pytest.raises(TypeError, match="another length"):
        atlas.offer(numpy.array([1.0, 2.0]), 3)
    with pytest.raises(TypeError, match="argument 'prices': the func wrote into it, and a tuple cannot change"):
        atlas.raise_((1.0, 2.0), 2)


def test_an_object_that_holds_the_value_serves_too(atlas):
    names = atlas.StringSliceRef(["a"])
    atlas.enqueue(names, "b")
    amounts = atlas.StringIntMapRef()
    atlas.deliver(amounts, "nails", 2)
    assert names.value == ["a", "b"] and amounts.value == {"nails": 2}


def test_a_container_of_go_grows_where_go_has_it(atlas):
    store = atlas.Store()
    atlas.enqueue(store.names, "a", "b")
    atlas.deliver(store.amounts, "nails", 2)
    assert store.names == ["a", "b"] and store.count() == 2 and store.amounts == {"nails": 2}


def test_a_pointer_that_is_kept_takes_an_object_only(atlas):
    with pytest.raises(TypeError, match="IntSliceRef"):
        atlas.keep([1])
    numbers = atlas.IntSliceRef([1])
    atlas.keep(numbers)
    numbers.value = [1, 7]
    assert atlas.kept() == 7
