"""How notebooks show objects: ``_repr_html_``."""

# Requirement: F4

import re
from typing import Any

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Dict, List, Map, Object
from selfsame_ffi.dataclasses import field, py_class


@py_class("test_html.Item")
class Item(Object):
    name: str
    near: Any = None
    secret: int = field(default=5, repr=False)


def cells(text):
    return re.findall(r"<td[^>]*>(.*?)</td>", text, re.DOTALL)


@pytest.mark.parametrize("family", [Array, List])
def test_sequences(family):
    text = family([1, "<b>&", None])._repr_html_()
    assert f"{family.__name__} of 3" in text and "<b>" not in text
    assert cells(text) == ["0", "1", "1", "&#x27;&lt;b&gt;&amp;&#x27;", "2", "None"]


@pytest.mark.parametrize("family", [Map, Dict])
def test_mappings(family):
    text = family({"a": [1]})._repr_html_()
    assert f"{family.__name__} of 1" in text and cells(text)[0] == "&#x27;a&#x27;"
    assert cells(text)[1] in ("(1,)", "[1]")


def test_long_ones_are_cut():
    text = Array(range(1000))._repr_html_()
    assert len(cells(text)) == 2 * 50 + 1 and cells(text)[-1] == "… 950 more"
    long = Array(["x" * 1000])._repr_html_()
    assert len(cells(long)[1]) < 300 and cells(long)[1].endswith("…")


def test_objects_show_the_fields_of_their_repr():
    text = Item("<i>")._repr_html_()
    assert "test_html.Item" in text and "secret" not in text and "<i>" not in text
    assert cells(text)[:2] == ["name", "&#x27;&lt;i&gt;&#x27;"]


def test_a_cycle_ends():
    items = List([1])
    items.append(items)
    assert "..." in items._repr_html_()
    items.clear()


def test_tensors():
    numpy = pytest.importorskip("numpy")
    text = selfsame_ffi.from_dlpack(numpy.arange(6).reshape(2, 3))._repr_html_()
    assert "(2, 3)" in text and "int64" in text and "cpu" in text and "[0 1 2]" in text
    assert "[0 1 2]" not in selfsame_ffi.from_dlpack(numpy.zeros(0))._repr_html_()


def test_text_alone_where_there_is_no_table():
    class Own(Item):
        __slots__ = ()

        def __repr__(self):
            return "own"

    assert Own("a")._repr_html_() is None
    assert Item.__new__(Item)._repr_html_() is None
    assert Array.__new__(Array)._repr_html_() is None
