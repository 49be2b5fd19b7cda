"""What objects of a wrapped Go package are to Python: shown, compared, calculated with, looped over."""

# Requirement: D17

import asyncio
import collections.abc
import copy
import pickle

import origins
import pytest
import type_checker


def test_objects_show_their_fields(shelf):
    diary = shelf.Diary(mood="calm", moods=["wild"] * 100)
    diary.page = diary
    text = repr(diary)
    assert text.startswith("Diary(mood=<Mood.CALM: 'calm'>, moods=[<Mood.WILD") and text.endswith("page=Diary(...))")
    assert len(text) < 300 and "<td>mood</td>" in diary._repr_html_()
    assert repr(shelf.Engine()) == "Engine(name='')" and repr(shelf.Memo()) == "<shelf.Memo>"


def test_equal_values_are_one_key(shelf):
    assert shelf.Amount("1.50") == shelf.Amount("1.5") and {shelf.Amount("1.50"): 1}[shelf.Amount("1.5")] == 1
    assert {shelf.Amount("2"): "two"}[2] == "two" and shelf.Ratio(1, 2) == shelf.Ratio(2, 4)
    assert len({shelf.Ratio(1, 2), shelf.Ratio(2, 4)}) == 1
    assert (
        hash(shelf.Weight(3)) == hash(shelf.Weight(3)) and len({shelf.Weight(3), shelf.Weight(3), shelf.Weight(4)}) == 2
    )


def test_types_that_calculate_are_numbers(shelf):
    price = shelf.Amount("2.50")
    assert str(price + 1) == "3.50" == str(1 + price) and str(10 - price) == "7.50" and str(2 * price) == "5.00"
    assert price > 2 and price < 3 and price != 2 and price != "2.50" and price == shelf.Amount("2.5")
    assert str(sum([price, price])) == "5.00" and float(price) == 2.5 and int(price) == 2 and str(-price) == "-2.-50"
    assert f"{price:08.1f}" == "000002.5" and f"{price}" == "2.50" and bool(price) and not price - price
    with pytest.raises(TypeError, match="unsupported operand"):
        price + 1.5
    assert price != 2**80


def test_results_that_go_stores_in_the_object_are_new_ones(shelf):
    half, third = shelf.Ratio(1, 2), shelf.Ratio(1, 3)
    assert half + third == shelf.Ratio(5, 6) and half * half == shelf.Ratio(1, 4) and half == shelf.Ratio(1, 2)
    assert -half == shelf.Ratio(-1, 2) and half > third and not half + -half and float(half) == 0.5
    assert sum([half, half]) == shelf.Ratio(1, 1)


def test_a_type_of_bytes_takes_bytes(shelf):
    payload = shelf.Payload(b"\x01\x02")
    assert payload.sum() == 3 and shelf.Payload(bytearray(2)).sum() == 0
    assert bytes(payload) == b"\x01\x02" and payload == b"\x01\x02" and payload != shelf.Payload(b"\x01")
    assert list(payload) == [1, 2] and payload[-1] == 2 and isinstance(payload, collections.abc.Sequence)


def test_classes_say_what_they_are(shelf):
    drawer = shelf.Drawer()
    drawer.update(a=1, b=2)
    assert isinstance(drawer, collections.abc.MutableMapping) and dict(drawer.items()) == {"a": 1, "b": 2}
    assert drawer.pop("a") == 1 and drawer.setdefault("c", 3) == 3 and sorted(drawer) == ["b", "c"]
    numbers = shelf.NumberSet(1, 2)
    assert isinstance(numbers, collections.abc.Set) and numbers & {2, 3} == {2} and numbers <= {1, 2, 3}
    steps = shelf.Steps(3)
    assert isinstance(steps, collections.abc.Iterator) and next(steps) == 3 and list(steps) == [2, 1]
    with pytest.raises(StopIteration):
        next(steps)

    async def all_of(steps):
        return [step async for step in steps]

    assert asyncio.run(all_of(shelf.Steps(2))) == [2, 1]


def test_what_has_items_and_no_loop_is_no_iterable(shelf):
    memo = shelf.Memo()
    memo["a"] = 1
    with pytest.raises(TypeError, match="not iterable"):
        list(memo)
    row = shelf.Row()
    row.add("x", "y")
    assert list(row) == ["x", "y"]


class Series:
    """As pandas has them: elements that a loop gives, and no sequence."""

    def __init__(self, *values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


def test_any_iterable_is_a_slice(shelf):
    for numbers in (
        (x / 2 for x in range(4)),
        {0.5, 1.0, 1.5},
        Series(1, 2),
        map(float, "12"),
        {0.5: 0, 2.5: 0}.keys(),
    ):
        assert shelf.totals(numbers) == 3
    for wrong in ("12", b"12", {1.0: 2.0}, 3):
        with pytest.raises(TypeError):
            shelf.totals(wrong)


def test_fields_of_embedded_structs_are_keywords(shelf):
    assert shelf.hang("a", width=3, name="b") == "ab3" and shelf.PictureConfig(width=2).width == 2
    assert shelf.PictureConfig(frame=shelf.Frame(width=4)).width == 4


def test_a_constructor_makes_an_object_that_works(shelf):
    assert shelf.Engine().put("wheel") == 1 and shelf.make_engine().put("wheel") == 1


class DryError(Exception):
    def __init__(self, colour, level=0):
        super().__init__(colour)
        self.level = level


def test_an_error_around_an_exception_of_a_callback_is_both(shelf):
    def paint(colour):
        raise DryError(colour, 3) if colour == "red" else ValueError(colour)

    for colours, kind in ((["red"], DryError), (["blue"], ValueError)):
        with pytest.raises(shelf.PaletteError, match=f"colour 0: .*{colours[0]}") as caught:
            shelf.repaint(colours, paint)
        raised = caught.value
        assert isinstance(raised, kind) and raised.index == 0 and type(raised.__cause__) is kind
        again = pickle.loads(pickle.dumps(raised))
        assert isinstance(again, shelf.PaletteError) and isinstance(again, kind) and again.index == 0
        assert getattr(again, "level", 3) == getattr(raised, "level", 3) == 3
        raised.__cause__.__traceback__ = None  # its frames have `raised`, which has the cause by way of Go


def test_the_error_inside_another_one_is_returned(shelf):
    inside = ValueError("dry")
    assert shelf.PaletteErrorValue(index=1, err=inside).unwrap() is inside
    assert shelf.PaletteErrorValue().unwrap() is None


def test_an_exception_is_all_that_the_error_is(shelf):
    with pytest.raises(shelf.PaletteError) as caught:
        shelf.parse_palette("red,,blue")
    assert isinstance(caught.value, shelf.BlankError) and type(caught.value).__name__ == "PaletteError"
    assert caught.value.index == 1 and isinstance(caught.value.err, shelf.BlankError)
    for kind in (shelf.FadedError, FileNotFoundError):
        with pytest.raises(kind, match="lose x") as caught:
            shelf.lose("x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and copy.copy(caught.value).args == again.args


def test_type_checkers_know_what_classes_are(shelf, tmp_path):
    (tmp_path / "use.py").write_text(
        "import shelf\n\n\n"
        "entries: dict[str, int] = dict(shelf.Drawer().items())\n"
        "both: set[int] = set(shelf.NumberSet(1) & {1})\n"
        "first: int = next(shelf.Steps(2))\n"
        "total: float = shelf.totals(x / 2 for x in range(3))\n"
        "amount: shelf.Amount = 2 * shelf.Amount('1') + 1\n"
        "shelf.Amount('1') + 1.5\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped())
    assert said.count("error:") == 1 and "use.py:9:" in said, said
