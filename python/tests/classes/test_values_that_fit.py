"""Values that fit the fields of a class declared in Python as they are, and those that nearly do."""

import gc
import sys
from typing import Any, Optional

import pytest
import selfsame_ffi
from selfsame_ffi import Object
from selfsame_ffi.dataclasses import py_class


@py_class("test_values_that_fit.Inner")
class Inner(Object):
    x: int


@py_class("test_values_that_fit.Derived")
class Derived(Inner):
    y: int


@py_class("test_values_that_fit.Outer")
class Outer(Object):
    number: int = 0
    size: float = 0.0
    done: bool = False
    text: str = ""
    rest: Any = None
    inner: Optional[Inner] = None
    maybe: Optional[int] = None
    items: list[int] = ()
    texts: list[str] = ()
    pair: tuple[int, str] = (0, "")
    inners: list[Inner] = ()
    anything: list[Any] = ()


class Number(int):
    pass


class Text(str):
    pass


@pytest.mark.parametrize("text", ["", "short", "seven..", "eight...", "a\0b", "a text \0 with a zero", "\u00e9" * 9])
@pytest.mark.parametrize("cls", [str, Text])
def test_texts_of_every_length_come_back(text, cls):
    outer = Outer(text=cls(text), rest=cls(text), texts=[cls(text)])
    assert outer.text == text and outer.rest == text and list(outer.texts) == [text]


@pytest.mark.parametrize("where", ["text", "rest", "texts"])
@pytest.mark.parametrize("text", ["\ud800", "a long text with \udfff in it"])
def test_a_text_without_utf_8_is_refused(where, text):
    with pytest.raises((TypeError, UnicodeEncodeError), match="surrogates"):
        Outer(**{where: [text] if where == "texts" else text})


def test_numbers_of_other_types_convert_as_before():
    outer = Outer(number=Number(3), size=Number(4), done=1, maybe=True, items=[Number(1), True, 2])
    assert (outer.number, outer.size, outer.done, outer.maybe, list(outer.items)) == (3, 4.0, True, 1, [1, 1, 2])
    assert type(outer.size) is float and outer.done is True and type(outer.number) is int
    assert Outer(rest=2**70).rest == 2**70
    for field in ("number", "maybe"):
        with pytest.raises((TypeError, OverflowError)):
            Outer(**{field: 2**70})
    with pytest.raises((TypeError, OverflowError), match="items"):
        Outer(items=[1, 2**70])


def test_none_fits_where_it_may_stand():
    outer = Outer(rest=None, inner=None, maybe=None, anything=[None])
    assert outer.rest is None and outer.inner is None and outer.maybe is None and list(outer.anything) == [None]
    for field in ("number", "size", "done", "text", "items"):
        with pytest.raises(TypeError, match=field):
            Outer(**{field: None})


def test_objects_keep_their_identity_and_are_owned_once():
    inner, derived = Inner(1), Derived(2, 3)
    before = selfsame_ffi._core.live_objects().get("test_values_that_fit.Outer", 0)
    references = sys.getrefcount(inner)
    outer = Outer(rest=inner, inner=derived, inners=[inner, derived], anything=[inner, 1, "text"])
    assert outer.rest is inner and outer.inner is derived
    assert outer.inners[0] is inner and outer.inners[1] is derived and outer.anything[0] is inner
    del outer
    gc.collect()
    assert sys.getrefcount(inner) == references and inner.x == 1 and derived.y == 3
    assert selfsame_ffi._core.live_objects().get("test_values_that_fit.Outer", 0) == before


def test_an_object_of_another_class_is_refused():
    for field, value in (("inner", Outer()), ("inners", [Inner(1), Outer()]), ("number", Inner(1)), ("text", Inner(1))):
        with pytest.raises(TypeError, match=f"'{field}'"):
            Outer(**{field: value})


def test_an_object_that_was_moved_away_is_refused():
    inner = Inner(1)
    keeper = selfsame_ffi.convert(lambda x: None)
    keeper(inner._move())
    for field, value in (("rest", inner), ("inner", inner), ("inners", [inner]), ("anything", [1, inner])):
        with pytest.raises((TypeError, RuntimeError)):
            Outer(**{field: value})


def test_what_was_converted_before_a_refusal_is_released():
    gc.collect()
    inner = Inner(1)
    before = selfsame_ffi._core.live_objects()
    for items in ([inner, inner, Inner(2), "x"], [inner, object()], (inner, None)):
        with pytest.raises(TypeError, match="inners"):
            Outer(rest=inner, text="a text that is longer", inners=items)
    for _ in range(3):
        with pytest.raises(TypeError, match=r"element \[9\]"):
            Outer(texts=[f"text number {i}" for i in range(9)] + [1])
    items = None
    gc.collect()
    assert selfsame_ffi._core.live_objects() == before


def test_a_tuple_has_its_length_and_types():
    assert tuple(Outer(pair=(1, "b")).pair) == (1, "b") == tuple(Outer(pair=[1, "b"]).pair)
    for pair in ((), (1,), (1, "b", 2), ("b", 1)):
        with pytest.raises(TypeError, match="pair"):
            Outer(pair=pair)


def test_a_conversion_that_changes_the_list_gets_its_items_before():
    class Changing:
        def __tvm_ffi_value__(self):
            items.clear()
            items.extend([7] * 1000)
            return 5

    items = [1, 2, Changing(), 4]
    assert list(Outer(items=items).items) == [1, 2, 5, 4]


class Reversed(list):
    def __iter__(self):
        return reversed(list(super().__iter__()))


def test_a_subclass_of_list_says_itself_what_its_items_are():
    assert list(Outer(items=Reversed([1, 2, 3])).items) == [3, 2, 1]


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000])
def test_lists_of_every_length_come_back(count):
    outer = Outer(items=list(range(count)), texts=[f"text number {i}" for i in range(count)])
    assert list(outer.items) == list(range(count)) and len(outer.texts) == count
    assert all(text == f"text number {i}" for i, text in enumerate(outer.texts))


def test_names_are_found_in_any_order():
    names = ["number", "size", "done", "text", "maybe"]
    values = {"number": 1, "size": 2.0, "done": True, "text": "d", "maybe": 5}
    for start in range(len(names)):
        turned = names[start:] + names[:start]
        for order in (turned, turned[::-1]):
            outer = Outer(**{name: values[name] for name in order})
            assert [getattr(outer, name) for name in names] == [values[name] for name in names]
    assert Outer(1, 2.0, text="d", done=True).text == "d"
    with pytest.raises(TypeError, match="multiple values for argument 'number'"):
        Outer(1, size=1.0, number=2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'numbers'"):
        Outer(1, size=1.0, numbers=2)
    with pytest.raises(TypeError, match="multiple values"):
        Outer(1, **{"".join(["num", "ber"]): 2})  # a name that is not interned
