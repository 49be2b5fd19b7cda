"""Generics, funcs and values of any type in the Python package that `selfsame-ffi wrap` makes."""

# Requirement: D5

import json

import pytest


def test_a_comparable_type_parameter_takes_every_value(shelf):
    book = shelf.Book("Dune", 0)
    assert shelf.unique([1, "a", 1, book, book, None]) == [1, "a", book, None]
    with pytest.raises(TypeError, match="unhashable"):
        shelf.unique([[1], [1]])


def test_a_generic_func_constructs_its_class(shelf):
    cache = shelf.Cache(2)
    assert len(cache) == 0 and cache.empty()
    for key, value in [("a", 1), (2, [True]), (3.5, None)]:
        cache.put(key, value)
    assert (cache.get("a"), cache.get(2), cache.get(3.5), len(cache)) == (None, [True], None, 2)


def test_whole_numbers_and_functions_are_what_go_code_passes(shelf):
    assert shelf.any(7) == (7, "int")
    assert shelf.any({"a": [7]})[1] == "map[string]interface {}"
    assert shelf.call(lambda a, b: [a, b], 1, "x") == [1, "x"]
    assert shelf.any(len)[1] == "func(...interface {}) (interface {}, error)"
    assert shelf.call(shelf.any(lambda: 3)[0]) == 3
    with pytest.raises(ZeroDivisionError):
        shelf.call(lambda a: 1 // a, 0)


def test_a_container_in_an_any_of_a_callback_is_pythons_own(shelf):
    seen = []
    shelf.call(seen.append, {"a": [1, {"b": []}]})
    shelf.any(seen.append)[0]([[1], "x"])

    def declared(value: object) -> None:
        seen.append(value)

    shelf.any(declared)[0]({"a": [1]})
    assert json.dumps(seen) == '[{"a": [1, {"b": []}]}, [[1], "x"], {"a": [1]}]'


def test_a_function_that_declares_its_types_is_a_func_of_them(shelf):
    def ship(number: int, weight: float, name: str, fragile: bool, label: bytes, rest: list) -> str:
        return f"{number} {weight} {name} {fragile} {label!r} {rest}"

    class Clerk:
        def sign(self, name: str) -> None:
            assert name

    def partly(a: int, b) -> int:
        return a + b

    def with_default(a: int, b: int = 2) -> int:
        return a + b

    def by_name(*, a: int) -> int:
        return a

    def unknown(a: "Missing") -> int:  # noqa: F821
        return 0

    assert shelf.any(ship)[1] == ("func(int, float64, string, bool, []uint8, interface {}) (string, error)")
    assert shelf.any(Clerk().sign)[1] == "func(string) error"
    for of_no_type in (partly, with_default, by_name, unknown, lambda a: a, len, Clerk, print):
        assert shelf.any(of_no_type)[1] == "func(...interface {}) (interface {}, error)"
    assert shelf.any(ship)[0](1, 2.5, "a", True, b"l", [3]) == "1 2.5 a True b'l' [3]"


def test_a_callback_gives_what_go_code_would(shelf):
    assert shelf.type_of_answer(lambda: 1) == "int"
    assert shelf.type_of_answer(lambda: [1, 2]) == "[]interface {}"
    assert shelf.type_of_answer(lambda: {"a": 1}) == "map[string]interface {}"
    assert shelf.type_of_answer(lambda: shelf.Book("Dune", 0)) == "*shelf.Book"


def test_an_object_of_a_func_type_is_called(shelf):
    louder = shelf.louder()
    assert louder("a") == "A!" and louder.twice("a") == "A!!"
    assert shelf.Change(lambda text: text + text).twice("a") == "aaaa"


def test_repr_shows_values(shelf):
    assert repr(shelf.Cents(5)) == "Cents(5)" and eval(repr(shelf.Cents(5)), vars(shelf)) == shelf.Cents(5)
    day = shelf.Day(year=2026, month=11, day=26)
    assert repr(day) == "<Day 2026-11-26>" and day == shelf.Day(year=2026, month=11, day=26)
    day.unmarshal_text(b"2027-01-02")
    assert str(day) == "2027-01-02"


def test_a_deprecated_name_gives_way(shelf):
    with pytest.warns(DeprecationWarning, match="use Rate"):
        assert shelf.rate == 2 and shelf.rate_2 == 1
