"""Each operation on a List or Dict is one step: no other thread comes between its parts."""

# Requirements: C12, I3

from typing import ClassVar

import pytest
import selfsame_ffi
from racing import fast_switches, run  # noqa: F401
from selfsame_ffi import Array, Dict, List
from selfsame_ffi.dataclasses import py_class

ROUNDS = 2000


@py_class("container_steps.Compared")
class Compared(selfsame_ffi.Object):
    changed: ClassVar[list] = []  # lists whose first element the next comparison deletes
    number: int = 0

    def __eq__(self, other):
        for values in self.changed:
            self.changed.clear()
            del values[0]
        return self.number == getattr(other, "number", None)

    __hash__ = selfsame_ffi.Object.__hash__


def hammer(work, threads: int = 4) -> None:
    run(threads, lambda number: [work(number, turn) for turn in range(ROUNDS)])


def test_pop_with_a_default_never_raises():
    entries = Dict({})

    def work(number, turn):
        entries[1] = number
        assert entries.pop(1, -1) in (-1, 0, 1, 2, 3)

    hammer(work)


def test_each_entry_is_popped_once():
    entries, popped = Dict({key: key for key in range(4 * ROUNDS)}), [[] for _ in range(4)]
    hammer(lambda number, turn: popped[number].append(entries.popitem()[0]))
    assert sorted(sum(popped, [])) == list(range(4 * ROUNDS)) and len(entries) == 0


def test_popitem_of_an_entry_that_another_thread_took_reports_an_empty_dict_only():
    entries = Dict({})

    def work(number, turn):
        entries[1] = 5
        try:
            assert entries.popitem() == (1, 5)
        except KeyError as error:
            assert "empty" in str(error)

    hammer(work)


def test_set_default_gives_all_threads_one_value():
    entries, got = Dict({}), [[] for _ in range(4)]
    hammer(lambda number, turn: got[number].append(entries.setdefault(turn, number * ROUNDS + turn)))
    assert all(list(entries[turn] for turn in range(ROUNDS)) == values for values in got)


def test_set_default_returns_what_it_stored():
    entries = Dict({})
    entries.setdefault("names", List([])).append("Ada")
    assert entries.setdefault("names", 1) is entries["names"] and list(entries["names"]) == ["Ada"]
    assert entries.setdefault("none") is None and "none" in entries
    with pytest.raises(TypeError, match=r"Dict.setdefault: expected 1 or 2 arguments, got 0"):
        entries.setdefault()


def test_one_thread_deletes_a_key():
    entries, deleted = Dict({key: key for key in range(ROUNDS)}), [0] * 4

    def work(number, turn):
        try:
            del entries[turn]
            deleted[number] += 1
        except KeyError:
            pass

    hammer(work)
    assert sum(deleted) == ROUNDS and len(entries) == 0


def test_update_stores_all_entries_in_one_step():
    entries = Dict({0: -1, 1: -1})

    def work(number, turn):
        entries.update({0: number, 1: number})
        seen = Dict({})
        seen.update(entries)
        assert seen[0] == seen[1]

    hammer(work)


def test_update_takes_what_a_dict_takes_and_stores_nothing_when_an_entry_is_refused():
    class Keyed:
        def keys(self):
            return ["a"]

        def __getitem__(self, key):
            return key

    entries = Dict({})
    entries.update(Keyed())
    entries.update([("b", 1)], c=2)
    entries.update()
    assert dict(entries) == {"a": "a", "b": 1, "c": 2}
    with pytest.raises(ValueError, match="expected a pair"):
        entries.update([("d", 1), ("e",)])
    assert "d" not in entries


ADDS = {
    "append": lambda values, made: values.append(made),
    "insert": lambda values, made: values.insert(len(values) // 2, made),
    "slice": lambda values, made: values.__setitem__(slice(0, 0), [made]),
}
TAKES = {
    "pop": lambda values: [values.pop()],
    "pop the first": lambda values: [values.pop(0)],
    "clear": lambda values: values.clear(),
    "del": lambda values: values.__delitem__(0),
    "del a slice": lambda values: values.__delitem__(slice(0, 3)),
}


@pytest.mark.parametrize("take", ["pop", "pop the first"])
@pytest.mark.parametrize("add", ADDS)
def test_each_element_that_is_added_is_taken_once(add, take):
    values, taken = List([]), [[] for _ in range(4)]

    def work(number, turn):
        if number < 2:
            ADDS[add](values, 2 * turn + number)
            return
        try:
            taken[number].extend(TAKES[take](values))
        except IndexError as error:
            assert "empty" in str(error) or "range" in str(error)

    hammer(work)
    assert sorted([*sum(taken, []), *values]) == list(range(2 * ROUNDS))


@pytest.mark.parametrize("take", TAKES)
def test_elements_die_once_however_many_threads_take_them(native, take):
    before, values = native.live(), List([])

    def work(number, turn):
        values.append(native.Leaf(turn))
        try:
            TAKES[take](values)
        except IndexError:
            pass

    hammer(work)
    assert native.live() == before + len(values)
    values.clear()


EXTENSIONS = {
    "extend": lambda values, made: values.extend(made),
    "+=": lambda values, made: values.__iadd__(made),
    "a slice at the start": lambda values, made: values.__setitem__(slice(0, 0), made),
}


@pytest.mark.parametrize("extend", EXTENSIONS)
def test_elements_that_come_together_stay_together(extend):
    values = List([])
    hammer(lambda number, turn: EXTENSIONS[extend](values, [4 * turn + number] * 3))
    got = list(values)
    assert got[::3] == got[1::3] == got[2::3] and sorted(got[::3]) == list(range(4 * ROUNDS))


def test_slices_are_replaced_and_read_in_one_step():
    values = List([-1] * 8)

    def work(number, turn):
        values[:] = [turn] * (4 + 4 * (number % 2))
        seen = values[:]
        assert len(seen) in (4, 8) and len(set(seen)) == 1

    hammer(work)


def test_threads_that_delete_the_last_element_delete_each_one():
    values, deleted = List(range(2 * ROUNDS)), [0] * 4

    def work(number, turn):
        try:
            del values[-1]
            deleted[number] += 1
        except IndexError:
            pass

    hammer(work)
    assert sum(deleted) == 2 * ROUNDS and len(values) == 0


@pytest.mark.parametrize("make", [int, float, str])
def test_remove_takes_out_the_element_that_it_found(make):
    values = List([make(value) for value in range(4 * ROUNDS)])
    hammer(lambda number, turn: values.remove(make(4 * turn + number)) if turn % 2 else None)
    assert list(values) == [make(value) for value in range(4 * ROUNDS) if value // 4 % 2 == 0]


def test_remove_takes_out_the_object_that_was_equal_when_the_comparison_changes_the_list():
    values = List([Compared(number=number) for number in range(4)])
    Compared.changed.append(values)
    values.remove(Compared(number=2))
    assert [value.number for value in values] == [1, 3]


@pytest.mark.parametrize("kind", [Array, List])
def test_in_count_index_and_remove_agree(kind):
    values = kind([1, True, 1.0, "1", None, float("nan"), b"1", [1]])
    for wanted, count in [(1, 3), (True, 3), (1.0, 3), ("1", 1), (None, 1), (float("nan"), 1), (2, 0), ([1], 1)]:
        assert values.count(wanted) == count
        assert (wanted in values) == (count > 0)
        if count:
            position = values.index(wanted)
            assert wanted in values[position : position + 1] or wanted != wanted
            left = List(values)
            left.remove(wanted)
            assert len(left) == len(values) - 1
        else:
            with pytest.raises(ValueError, match="is not in the sequence"):
                values.index(wanted)
            with pytest.raises(ValueError, match="List.remove: .* is not in the sequence"):
                List(values).remove(wanted)


def test_index_and_reversed_outlive_a_list_that_becomes_shorter():
    values = List(range(10))

    def work(number, turn):
        if number == 0:
            values[:] = range(turn % 10)
        else:
            list(reversed(values))
            try:
                values.index(9)
            except ValueError:
                pass

    hammer(work)
