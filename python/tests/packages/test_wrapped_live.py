"""Slices, arrays and maps that Go holds are lists, dicts and sets where Go has them."""

# Requirement: D5

import copy
import gc
import pickle
from collections.abc import MutableMapping, MutableSequence, MutableSet, Sequence

import origins
import pytest
import type_checker

numpy = pytest.importorskip("numpy")


def test_a_slice_in_a_field_is_a_list(cart):
    box = cart.Cart()
    names = box.names
    assert (
        isinstance(names, MutableSequence) and names == ["a"] and ["a"] == names and names != ["b"] and names != ("a",)
    )
    assert box.names is names
    names.append("b")
    box.add("c")
    assert names == ["a", "b", "c"] and box.count() == 3 and repr(names) == "['a', 'b', 'c']"
    assert (names[-1], names[0:2], names[::-1], names[numpy.int64(1)]) == ("c", ["a", "b"], ["c", "b", "a"], "b")
    box.names += ["z"]
    assert (
        box.names is names
        and box.count() == 4
        and names + ["y"] == ["a", "b", "c", "z", "y"]
        and names * 2 == [*names, *names]
    )
    names.insert(1, "i")
    del names[0]
    assert names.pop() == "z" and names.pop(0) == "i" and names == ["b", "c"] and "b" in names and names.index("c") == 1
    names.reverse()
    assert names == ["c", "b"] and sorted(names) == ["b", "c"]
    names.sort()
    names.extend(x for x in ("d", "e"))
    names[1:3] = ["x"]
    assert names == ["b", "x", "e"]
    names[::2] = ["1", "2"]
    del names[1:]
    assert names == ["1"] and box.count() == 1
    names.clear()
    assert not names and box.count() == 0


def test_a_field_is_set_and_its_view_follows(cart):
    box = cart.Cart()
    names = box.names
    box.names = ["q", "w"]
    assert names == ["q", "w"] and box.names is names
    box.names = names
    names.extend(names)
    assert names == ["q", "w", "q", "w"]


def test_what_does_not_fit_is_refused_and_changes_nothing(cart):
    box = cart.Cart()
    for refused, error, message in (
        (lambda: box.names[9], IndexError, "index 9 is out of range of 1 elements"),
        (lambda: box.names["x"], TypeError, "list indices must be integers or slices, not str"),
        (lambda: box.names.append(5), TypeError, "expected str, got int"),
        (lambda: box.names.__setitem__(0, None), TypeError, "expected str"),
        (lambda: box.names.extend(["b", 5]), TypeError, "expected"),
        (lambda: box.grid.append(1), TypeError, "an array of Go has a fixed length, here 3"),
        (lambda: box.prices["nope"], KeyError, "nope"),
        (lambda: box.prices.__setitem__("a", "x"), TypeError, "expected float, got str"),
        (lambda: hash(box.names), TypeError, "unhashable"),
    ):
        with pytest.raises(error, match=message):
            refused()
    assert box.names == ["a"] and box.grid == [0, 0, 0] and box.prices == {}


def test_a_map_in_a_field_is_a_dict(cart):
    box = cart.Cart()
    prices = box.prices
    assert isinstance(prices, MutableMapping) and prices == {} and box.prices is prices  # a nil map
    prices["b"] = 2.0
    prices.update(c=3, d=4)
    assert box.total() == 9 and prices == {"b": 2, "c": 3, "d": 4} and dict(prices) == prices and len(prices) == 3
    assert (
        prices.pop("d") == 4 and prices.get("d") is None and prices.get(5) is None and 5 not in prices and "b" in prices
    )
    assert (
        prices.setdefault("b", 7) == 2
        and sorted(prices.items()) == [("b", 2), ("c", 3)]
        and prices | {"e": 5} == {**prices, "e": 5}
    )
    del prices["b"]
    assert repr(prices) == "{'c': 3.0}" and list(prices) == ["c"]
    prices.clear()
    assert box.total() == 0


def test_a_map_without_values_is_a_set(cart):
    seen = cart.Cart().seen
    assert isinstance(seen, MutableSet) and seen == set()
    seen.add("x")
    seen |= {"y"}
    assert seen == {"x", "y"} and seen & {"x"} == {"x"} and "x" in seen and 5 not in seen
    seen.discard("x")
    assert seen == {"y"}


def test_structs_in_a_slice_are_the_structs_in_place(cart):
    box = cart.Cart()
    first, second = box.items
    first.inc()
    first.notes.append("seen")
    box.points[0].x = 10
    box.home.y = 5
    assert box.sum() == 4 and box.items[0] is first and box.items[0].notes == ["seen"] and box.far() == 17
    for _ in range(5):  # Go gives the slice other memory
        box.items.append(cart.Item(n=10))
    first.inc()
    assert box.items[0] is first and box.sum() == 55
    del box.items[0]
    second.inc()
    assert box.items[0] is second and box.sum() == 53 and first.n == 3
    assert box.points == [cart.Point(x=10, y=2)]


def test_pointers_in_containers_are_their_objects(cart):
    box = cart.Cart()
    box.ptrs[0].inc()
    box.by_name["x"].inc()
    box.by_name["y"] = box.ptrs[0]
    assert box.by_name["y"] is box.ptrs[0] and box.ptrs[0].n == 6 and box.by_name["x"].n == 7


def test_structs_in_a_map_are_stored_after_each_change(cart):
    box = cart.Cart()
    value = box.vals["x"]
    value.inc()
    assert box.val_sum() == 8 and box.vals["x"] is value
    value.n = 50
    value.notes.append("k")
    assert box.val_sum() == 50 and box.vals["x"].notes == ["k"]
    del box.vals["x"]
    value.inc()
    assert box.val_sum() == 0 and value.n == 51


def test_containers_in_containers_are_seen_where_they_are(cart):
    box = cart.Cart()
    box.rows[0][1] = 9
    box.rows[1].append(4)
    box.rows.append([7])
    box.board[0][1] = 8
    lists = box.lists["a"]
    lists.append(2)
    box.lists["b"] = [3]
    box.lists["b"].append(4)
    box.cells["c"][0] = 100
    assert box.flat() == [1, 9, 3, 4, 7, 0, 8, 0, 0, 1, 2, 3, 4, 100, 2] and box.lists["a"] is lists
    box.tree["k"] = {"a": [1]}
    box.any.extend([1, "x", None])
    assert box.tree == {"k": {"a": [1]}} and box.any == [1, "x", None]
    row = box.rows[0]
    box.rows.insert(0, [0])
    row.append(5)
    assert box.rows[1] is row and box.rows == [[0], [1, 9, 5], [3, 4], [7]]


def test_types_with_methods_are_lists_and_dicts_too(cart):
    box = cart.Cart()
    tags, header = box.tags, box.header
    tags.append("z")
    assert (
        tags.has("z")
        and box.tags is tags
        and tags == ["p", "q", "z"]
        and isinstance(tags, (cart.Tags, MutableSequence))
    )
    header.add("a", "2")
    header["a"].append("3")
    header["b"] = ["4"]
    assert header == {"a": ["1", "2", "3"], "b": ["4"]} and isinstance(header, MutableMapping)
    assert cart.Badges() == set() and cart.Badges({"gold"}).holds("gold")
    assert cart.Tags("a", "b")[1:] == ["b"] and cart.Header({"k": ["v"]})["k"][0] == "v"


def test_copies_and_pickles_are_plain(cart):
    box = cart.Cart()
    box.prices["a"] = 1
    for of, plain in ((box.names, ["a"]), (box.prices, {"a": 1.0}), (box.rows, [[1, 2], [3]])):
        for made in (copy.deepcopy(of), pickle.loads(pickle.dumps(of))):
            assert type(made) is type(plain) and made == plain
        assert type(copy.copy(of)) is type(of.copy()) is type(plain)
    for made in (copy.copy(box.tags), copy.deepcopy(box.tags), pickle.loads(pickle.dumps(box.tags))):
        made.append("r")  # of a type with a class
        assert type(made) is cart.Tags and made.has("r") and box.tags == ["p", "q"]
    copied = copy.deepcopy(box.rows)
    copied[0].append(9)
    assert box.rows[0] == [1, 2]


def test_numbers_share_their_memory(cart):
    box = cart.Cart()
    numbers = box.numbers
    array, memory = numpy.asarray(numbers), memoryview(numbers)
    array[0] = 42
    memory[1] = 43.0
    assert numbers == [42, 43, 3] and array.dtype == numpy.float64 and memory.format == "d"
    assert numpy.asarray(box.grid).dtype == numpy.int64 and numpy.asarray(cart.Cart().flags).shape == (0,)
    numbers[2] = 5
    del numbers, box
    gc.collect()
    assert array.sum() == 90


def test_go_gets_the_container_itself(cart):
    box = cart.Cart()
    box.names = ["b", "a"]
    assert cart.keep(box.names) == 2 and box.names == ["a", "b"]  # sorted in place
    assert (cart.kind(box.names), cart.kind(box.prices), cart.kind(box.grid)) == (
        "[]string",
        "map[string]float64",
        "*[3]int",
    )
    assert cart.mean(box.numbers) == 2 and cart.mean(box.rows[0]) == 1.5


def test_what_a_func_returns_and_go_keeps_is_no_copy(cart):
    box = cart.Cart()
    hidden = box.hidden()
    hidden[0] = "H"
    assert box.first_hidden() == "H" and hidden == ["H"] and box.hidden() is hidden
    with pytest.raises(TypeError, match="only Go can give this slice another length"):
        hidden.append("x")
    box.index()["k"] = 4
    assert box.indexed() == 2
    assert type(box.sorted()) is list and type(box.flat()) is list


def test_loops_end_where_the_source_says_so(cart):
    assert [item.n for item in cart.Cursor(3)] == [2, 1, 0]  # nil without an error is the end
    with pytest.raises(RuntimeError, match="broken"):
        list(cart.Cursor(-1))
    assert list(cart.Walker(3)) == [1, 2, 3]
    with pytest.raises(TypeError, match="not iterable"):
        iter(cart.Ring())  # nothing says that its Next ends


def test_what_has_a_length_and_an_index_is_a_sequence(cart):
    row = cart.Row("a", "b")
    assert isinstance(row, Sequence) and list(row) == ["a", "b"] and row.index("b") == 1 and "c" not in row
    assert list(reversed(row)) == ["b", "a"] and row[-1] == "b" and row != cart.Row("a", "b")


def test_package_variables_are_seen_where_they_are(cart):
    table, before = cart.table, cart.table_len()
    table["new"] = 2
    assert cart.table_len() == before + 1 and cart.table is table
    del table["new"]
    cart.defaults.append("b")
    assert cart.defaults_len() == len(cart.defaults)


def test_a_view_outlives_its_object(cart):
    items = cart.Cart().items
    gc.collect()
    items[0].inc()
    assert [item.n for item in items] == [2, 2]


USE = """\
from collections.abc import MutableMapping, MutableSequence, MutableSet, Sequence

import cart

box = cart.Cart()
names: MutableSequence[str] = box.names
prices: MutableMapping[str, float] = box.prices
seen: MutableSet[str] = box.seen
box.names = ["a"]
box.names.append("b")
box.items[0].inc()
box.lists["a"].append(1)
row: list[int] = box.rows[0][1:]
tags: MutableSequence[str] = box.tags
box.header["a"].append("x")
number: int = box.names[0]
box.prices[1] = 2.0
cells: Sequence[str] = cart.Row("a")
for step in cart.Walker(1):
    step += 1
kept: MutableSequence[str] = box.hidden()
"""


def test_the_types_say_so(cart, tmp_path):
    (tmp_path / "use.py").write_text(USE)
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped("cart"))
    assert said.count("error:") == 2 and "use.py:16:" in said and "use.py:17:" in said
