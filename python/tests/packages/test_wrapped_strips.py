"""What objects of a wrapped Go package do because their Go methods mean what Python's protocols mean."""

# Requirement: D17

import collections.abc
import copy
import datetime
import pickle
import sys
import typing
import weakref

import pytest


def test_values_that_no_method_changes_are_equal(shelf):
    assert shelf.tuesday == shelf.tuesday.nth(0) != shelf.monday and shelf.tuesday.nth(1) == shelf.tuesday.nth(1)
    assert {shelf.tuesday.nth(2): "second"}[shelf.tuesday.nth(2)] == "second"
    assert shelf.tuesday in [shelf.tuesday.nth(0)]


def test_what_is_nil_keeps_nothing_from_a_copy(shelf):
    plan = shelf.Plan(name="week", days=[1, 2], steps=[shelf.Step(title="tea")])
    for made in (copy.copy(plan), copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
        assert made is not plan and made.name == "week" and made.days == [1, 2] and made.steps[0].title == "tea"
    plan.steps[0].check = lambda: True
    with pytest.raises(TypeError, match="cannot copy or pickle"):
        pickle.dumps(plan)


def test_a_class_with_elements_by_index_is_changed_by_it(shelf):
    row = shelf.Strip("a", "b", "c")
    row[-1] = "z"
    del row[0]
    assert len(row) == 2 and list(row) == ["b", "z"] and isinstance(row, collections.abc.Sequence)
    for wrong in (lambda: row.__setitem__(2, "x"), lambda: row.__delitem__(-3)):
        with pytest.raises(IndexError, match="out of range"):
            wrong()


def test_a_method_that_calls_a_func_with_each_element_is_a_loop(shelf):
    assert list(shelf.Tray(1, 2, 3)) == [1, 2, 3] and next(iter(shelf.Tray(5, 6))) == 5 and not list(shelf.Tray())


def test_a_func_that_gives_one_value_after_another_is_a_loop(shelf):
    down = shelf.down(3)
    assert down() == 2 and list(down) == [1, 0] and isinstance(down, collections.abc.Iterator)


def test_a_set_of_bits_is_a_set(shelf):
    low, high = shelf.BitSet().set(1).set(2), shelf.BitSet().set(2).set(40)
    assert len(low) == 2 and 1 in low and 3 not in low and "x" not in low and list(high) == [2, 40]
    assert [list(s) for s in (low | high, low & high, low - high)] == [[1, 2, 40], [2], [1]] and list(low) == [1, 2]
    assert isinstance(low, collections.abc.Set)


def test_a_func_without_a_name_that_gives_values_in_turn_is_an_iterator(shelf):
    down = shelf.countdown(3)
    assert down() == 2 and list(down) == [1, 0] and down() is None and isinstance(down, collections.abc.Iterator)
    assert list(shelf.Strip().word_iterator("a", "b")) == ["a", "b"]
    assert type(down) is shelf.IntIterator and not hasattr(shelf.deferred(4), "__iter__") and shelf.deferred(4)() == 4


def test_functions_of_the_package_may_have_names_of_builtins(shelf):
    assert shelf.tuple(1, 2) == [1, 2] and shelf.type(1) == "int"
    with pytest.raises(shelf.MissingError) as caught:
        shelf.Shelf().must_find("x")
    assert pickle.loads(pickle.dumps(caught.value)).title == "x"


def test_a_dataclass_of_another_package_stands_in_the_submodule_of_that(shelf):
    (capitals,) = shelf.capitals()
    assert capitals == shelf.unicode.Range16(lo=65, hi=90, stride=1)
    assert pickle.loads(pickle.dumps(capitals)) == capitals and repr(capitals) == "Range16(lo=65, hi=90, stride=1)"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="3.9 cannot evaluate X | Y")
def test_the_annotations_of_a_dataclass_of_another_package_can_be_evaluated(shelf):
    assert shelf.pauses(shelf.debug.GCStats(pause=[datetime.timedelta(seconds=1)])) == 1
    hints = typing.get_type_hints(shelf.debug.GCStats)
    assert hints["last_gc"] is datetime.datetime and hints["num_gc"] is int and "_typing" not in dir(shelf.debug)


def test_a_callback_that_refers_weakly_to_the_object_that_keeps_it_goes_with_it(shelf):
    class Mine(shelf.Plan):
        pass

    plan = Mine(name="mine")
    seen = weakref.proxy(plan)
    plan.named = lambda day: seen.name * day
    assert plan.named(2) == "minemine"
    gone = weakref.ref(plan)
    del plan
    assert gone() is None


def test_a_list_of_go_comes_back_with_its_very_elements(shelf):
    stickers, loose = shelf.stickers("a", "b"), shelf.loose("a", "b")
    assert shelf.sticker_marks(stickers) == shelf.sticker_marks(list(stickers)) == [1, 2]
    shelf.mark_all(stickers, 7)
    assert [s.mark() for s in stickers] == shelf.sticker_marks(stickers) == [7, 7]
    assert shelf.holds(loose, loose[1]) and shelf.holds(shelf.loose("x"), loose[1]) is False


def test_mistakes_are_the_exceptions_of_python(shelf):
    for wrong, kind in (
        (lambda: shelf.third([1]), IndexError),
        (lambda: shelf.share(1, 0), ZeroDivisionError),
        (lambda: shelf.str_to_weekday("XX"), ValueError),
        (lambda: shelf.width("wide"), ValueError),
    ):
        with pytest.raises(kind):
            wrong()


def test_go_code_that_recovers_passes_the_exception_on(shelf):
    raised, told = KeyError("x"), []

    def fail():
        raise raised

    shelf.guard(fail, told.append)
    assert told == [raised]


def test_completion_has_the_names_of_the_go_type(shelf):
    listed = set(dir(shelf.Strip()))
    assert {"at", "length", "set"} <= listed and not {"id_", "is_", "same_as"} & listed
    assert "annotations" not in dir(shelf)
    names = {cls.__name__ for cls in vars(shelf).values() if isinstance(cls, type)}
    assert not [name for name in names - {"_GoValue"} if name.startswith("_")]
