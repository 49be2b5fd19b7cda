"""Dicts, lists and what else holds values, in the package that `selfsame-ffi wrap` makes."""

# Requirement: D5

import copy
import datetime
import gc
import io
import pickle
import weakref

import origins
import pytest
import type_checker


def test_what_looks_up_names_is_a_dict(shelf):
    cabinet = shelf.Cabinet()
    cabinet["a"] = 1
    cabinet["b"] = [2]
    assert cabinet["a"] == 1 and "b" in cabinet and "c" not in cabinet and len(cabinet) == 2
    assert sorted(cabinet) == ["a", "b"] and dict(cabinet) == {"a": 1, "b": [2]}
    del cabinet["a"]
    assert cabinet.get("a") is None
    with pytest.raises(KeyError, match="a"):
        cabinet["a"]
    with pytest.raises(KeyError, match="a"):
        del cabinet["a"]


def test_what_looks_up_an_index_is_a_list(shelf):
    row = shelf.Row()
    row.add("a", "b")
    assert row[1] == "b" and list(row) == ["a", "b"] and len(row) == 2
    with pytest.raises(IndexError):
        row[2]


def test_a_linked_list_is_iterable(shelf):
    chain = shelf.Chain()
    assert list(chain) == []
    chain.push_front(2)
    chain.push_front(1)
    assert [link.value for link in chain] == [1, 2] and next(iter(chain)) is chain.front()


def test_an_array_has_elements(shelf):
    corner = shelf.Corner([1.5, 2.5])
    assert (corner.left(), corner[1], len(corner), list(corner)) == (1.5, 2.5, 2, [1.5, 2.5])
    assert corner == shelf.Corner([1.5, 2.5]) and len({corner, shelf.Corner([1.5, 2.5])}) == 1
    with pytest.raises(TypeError):
        corner[0] = 3.0


def test_a_python_object_that_go_keeps_comes_back(shelf):
    class Thing:
        def __str__(self):
            return "a thing"

    cabinet, thing = shelf.Cabinet(), Thing()
    cabinet["thing"] = thing
    cabinet["things"] = {"first": thing, "rest": [thing]}
    assert cabinet["thing"] is thing and cabinet["things"]["first"] is thing and cabinet["things"]["rest"][0] is thing
    kept = weakref.ref(thing)
    del thing
    gc.collect()
    assert kept() is not None and cabinet["thing"] is kept()


def test_a_struct_that_nobody_can_fill_has_the_only_func_that_makes_one(shelf):
    to = io.BytesIO()
    assert shelf.Press(to, 2).print("ab") == 4 and to.getvalue() == b"abab"
    assert shelf.new_printing(None, 3).print("a") == 3


def test_a_constructor_without_arguments_takes_the_fields(shelf):
    assert shelf.Kettle().litres == 2
    kettle = shelf.Kettle(label="mine")
    assert (kettle.litres, kettle.label) == (2, "mine") and shelf.Kettle(litres=1).litres == 1


def test_constants_of_time_are_durations(shelf):
    assert shelf.SOON == datetime.timedelta(seconds=3) and shelf.nanoseconds(shelf.SOON) == 3_000_000_000
    assert type(shelf.SOON) is datetime.timedelta


def test_a_duration_comes_back_to_go_as_it_was(shelf):
    for never in (shelf.NEVER, shelf.forever()):
        for copied in (never, pickle.loads(pickle.dumps(never)), copy.deepcopy(never)):
            assert shelf.nanoseconds(copied) == -1 and copied == datetime.timedelta(0)
        assert repr(never) == "datetime.timedelta(0)" and type(never + never) is datetime.timedelta


def test_a_file_of_python_has_a_position(shelf):
    assert shelf.second(io.BytesIO(b"abcdef"), 6) == "def" and shelf.second(b"abcde", 5) == "cde"
    assert shelf.twice(io.BytesIO(b"ab")) == "abab" and shelf.twice(b"ab") == "abab"
    to = io.BytesIO(b"abcdef")
    shelf.patch(to, 2, "CD")
    assert to.getvalue() == b"abCDef"
    with pytest.raises(TypeError, match="which has no read and seek"):
        shelf.twice(object())
    with pytest.raises(ValueError, match="closed"):
        closed = io.BytesIO()
        closed.close()
        shelf.twice(closed)


def test_none_is_no_callable_and_no_map(shelf):
    assert shelf.called(lambda: 3) == 3 and shelf.called(None) == -1
    assert shelf.used(shelf.Palette({"red": 1})) == 1 and shelf.used({}) == 0 and shelf.used(None) == -1


def test_a_type_of_plain_values_has_a_name(shelf):
    assert shelf.filled(shelf.Fields(a=1, b=2)) == 2 and type(shelf.Fields(a=1)) is dict


def test_a_type_that_stands_in_no_signature_is_a_class(shelf):
    assert shelf.any(shelf.Markup("<b>"))[1] == "shelf.Markup"


def test_what_compares_is_equal_without_a_difference(shelf):
    assert shelf.Weight(3) == shelf.Weight(3) and shelf.Weight(3) != shelf.Weight(4) and shelf.Weight(3) != None  # noqa: E711


def test_the_types_say_so(shelf, tmp_path):
    (tmp_path / "use.py").write_text(
        "import io\n\nimport shelf\n\nlabel = shelf.Label(str='a', int=3, set={'b'}, tags=['c'])\n"
        "shelf.twice(io.BytesIO())\nshelf.Press(None, 2)\nfor name in shelf.Cabinet():\n    text: str = name\n"
        "shelf.called(None)\nnumber: int = label.str\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped())
    assert said.count("error:") == 1 and "use.py:11:" in said
    assert shelf.described(shelf.Label(str="a")) == "a" and shelf.Label().set == set()
