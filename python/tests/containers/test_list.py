"""List: a mutable sequence that native code shares."""

# Requirement: A7

import random
from collections.abc import MutableSequence

import pytest
import selfsame_ffi
from selfsame_ffi import Array, List
from values import REFUSED


def test_list_is_a_mutable_sequence():
    items = List([3, 1, 2])
    assert isinstance(items, MutableSequence)
    assert items.index(1) == 1 and items.count(2) == 1
    assert list(reversed(items)) == [2, 1, 3]
    items.remove(1)
    items += [7]
    assert items == [3, 2, 7]


def test_list_is_made_of_any_iterable():
    assert len(List()) == 0
    assert list(List(x for x in "ab")) == ["a", "b"]
    for bad in (3, None):
        with pytest.raises(TypeError):
            List(bad)
    with pytest.raises(TypeError):
        List([1], [2])
    with pytest.raises(OverflowError, match="^List: item 2: item 1: [^:]+$"):
        List(iter([0, "a", [1, REFUSED]]))
    with pytest.raises(TypeError, match="already"):
        List([1]).__init__([2])


def test_item_without_a_native_form_changes_nothing():
    class Bad:
        def __tvm_ffi_object__(self):
            raise KeyError("no")

    items = List([1])
    for change in (items.append, lambda v: items.insert(0, v), lambda v: items.__setitem__(0, v)):
        with pytest.raises(KeyError):
            change(Bad())
    for change in (items.extend, lambda v: items.__setitem__(slice(None), v), List):
        with pytest.raises(KeyError):
            change([1, Bad()])
    assert items == [1]


def _outcome(operation, items):
    try:
        return operation(items)
    except (IndexError, ValueError) as error:
        return type(error)


def _random_operation(rng):
    def bound():
        return rng.choice([None, rng.randrange(-12, 12)])

    i, part = rng.randrange(-12, 12), slice(bound(), bound(), rng.choice([None, 1, 1, 2, -1, -3]))
    values = [rng.choice([rng.randrange(100), "a text that is long", 2.5, None]) for _ in range(rng.randrange(5))]
    value = values[0] if values else 1
    return rng.choice(
        [
            lambda items: items.append(value),
            lambda items: items.insert(i, value),
            lambda items: items.pop(),
            lambda items: items.pop(i),
            lambda items: items.extend(values),
            lambda items: items.__setitem__(i, value),
            lambda items: items.__setitem__(part, values),
            lambda items: items.__delitem__(i),
            lambda items: items.__delitem__(part),
            lambda items: items.reverse(),
            lambda items: items[i],
            lambda items: items[part],
            lambda items: value in items,
            lambda items: items.clear() if len(items) > 20 else None,
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_give_what_a_python_list_gives(seed):
    """Thousands of random operations give the same results as on a Python list."""
    rng = random.Random(seed)
    mine, model = List(), []
    for _ in range(1500):
        operation = _random_operation(rng)
        assert _outcome(operation, mine) == _outcome(operation, model)
        assert len(mine) == len(model) and list(mine) == model


def test_list_may_be_assigned_to_its_own_slice():
    items = List([1, 2, 3])
    items[1:2] = items
    assert items == [1, 1, 2, 3, 3]
    items.extend(items)
    assert len(items) == 10


def test_list_may_contain_itself():
    items = List([1])
    items.append(items)
    assert items[1] is items
    assert repr(items) == "[1, ...]"
    assert items in items
    items.clear()


def test_elements_have_identity(native):
    leaf = native.Leaf(1)
    items = List([leaf, [leaf]])
    assert items[0] is leaf and items[1][0] is leaf and items[1] is items[1]
    assert leaf in items and native.Leaf(1) not in items
    items[1] = leaf
    assert items.pop() is leaf and items.pop(0) is leaf
    assert selfsame_ffi.debug.tie(leaf)["strong"] == 1


def test_elements_keep_their_state(native):
    items = List([native.Rich(1)])
    items[0].note = "kept"
    assert items[0].note == "kept"
    gone = items[0]
    items[0] = 1
    assert selfsame_ffi.debug.tie(gone)["state"] == "Active"  # the list was its last native owner
    assert gone.note == "kept"


def test_native_code_sees_changes(native):
    items = List([1])
    native.keep(items)
    items.append(2)
    assert native.kept(0) is items and native.kept(0)[1] == 2
    del items
    assert native.kept(0) == [1, 2]
    native.release()


def test_equal_contents_are_equal():
    assert List([1, [2]]) == List([1, [2]]) == [1, [2]]
    assert List([1]) == Array([1]) and Array([1]) == List([1])
    assert List([1]) != [True] and List([1]) != [1.0] and List([1]) != 1 and List([1]) != [2**70]
    assert hash(List([1, "b"])) == hash(List([1, "b"]))


def test_wrong_indices_are_refused():
    items = List([1])
    for bad in (1, -2, 2**70):
        with pytest.raises(IndexError):
            items[bad]
        with pytest.raises(IndexError):
            items[bad] = 1
        with pytest.raises(IndexError):
            del items[bad]
        with pytest.raises(IndexError):
            items.pop(bad)
    with pytest.raises(IndexError, match="empty"):
        List().pop()
    for bad in ("x", 1.5, None):
        with pytest.raises(TypeError, match="expected an int or a slice as index"):
            items[bad]
        with pytest.raises(TypeError, match="expected an int or a slice as index"):
            items[bad] = 1
    with pytest.raises(ValueError, match="extended slice"):
        items[::2] = [1, 2]


def test_use_before_init_is_refused():
    raw = List.__new__(List)
    for use in (len, iter, lambda a: a[0], lambda a: a.append(1), lambda a: a.pop(), lambda a: a.clear()):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)
    assert repr(raw) == "<List object, not initialised>"


def test_python_code_within_a_change_may_change_the_list(native):
    """A change may run Python code (an index, a conversion), which may change the list too."""
    items = List([1, 2, 3])

    class Index:
        def __index__(self):
            items.clear()
            return 0

    with pytest.raises(IndexError):
        items[Index()] = 5
    items.extend([1, 2])

    class Value:
        def __tvm_ffi_value__(self):
            items.clear()
            return 7

    with pytest.raises(IndexError):
        items[1] = Value()
    items.extend([1, 2])
    items[1:2] = [Value()]
    assert items == [7]


def test_errors_of_the_methods_of_collections_have_a_text():
    for call, name in (
        (lambda: selfsame_ffi.List([1]).remove(2), "List.remove: 2 is not in the sequence"),
        (lambda: selfsame_ffi.List([1]).index(2), "List.index: 2 is not in the sequence"),
        (lambda: selfsame_ffi.Array([1]).index("x"), "Array.index: 'x' is not in the sequence"),
        (lambda: selfsame_ffi.List([1, 2]).index(1, 1), "List.index: 1 is not in the sequence"),
    ):
        with pytest.raises(ValueError, match=name):
            call()
    with pytest.raises(KeyError, match="Dict.popitem: expected an entry, got an empty container"):
        selfsame_ffi.Dict({}).popitem()


def test_index_finds_what_in_finds():
    nan = float("nan")
    for kind in (selfsame_ffi.List, selfsame_ffi.Array):
        sequence = kind([1, nan, "x", 1, None])
        assert nan in sequence and sequence.index(nan) == 1
        assert sequence.index(1) == 0 and sequence.index(1, 1) == 3 and sequence.index(1, -2) == 3
        assert sequence.index("x", 0, -1) == 2 and sequence.index(None) == 4
    changed = selfsame_ffi.List([1, nan, 1])
    changed.remove(nan)
    changed.remove(1)
    assert list(changed) == [1]
    entries = selfsame_ffi.Dict({"a": 1})
    assert entries.popitem() == ("a", 1) and not entries
