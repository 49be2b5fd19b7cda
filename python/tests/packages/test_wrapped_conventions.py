"""A wrapped library whose methods are named as those of money, filters and identifiers are."""

# Requirement: D17

import copy
import pickle

import pytest


def test_methods_that_calculate_and_may_fail_are_operators(atlas):
    five, two = atlas.Sum(5, "EUR"), atlas.Sum(2, "EUR")
    assert str(five + two) == "7 EUR" and str(five - two) == "3 EUR" and five * 3 == 3 * five == atlas.Sum(15, "EUR")
    assert sum([five, two, two]) == atlas.Sum(9, "EUR") and abs(-five) == five != two and not two - two and five
    assert two < five and five >= two and max(two, five) is five and sorted([five, two])[0] is two
    with pytest.raises(atlas.OtherCurrencyError):
        five + atlas.Sum(1, "USD")
    with pytest.raises(atlas.OtherCurrencyError):
        sorted([five, atlas.Sum(1, "USD")])
    assert five != atlas.Sum(5, "USD") and five != 5
    with pytest.raises(TypeError):
        five + 1


def test_a_list_with_an_order_of_its_own_is_sorted_by_it(atlas):
    ratings = atlas.Ratings([atlas.Rating("b", 2), atlas.Rating("a", 3), atlas.Rating("c", 1)])
    ratings.sort()
    assert [one.name for one in ratings] == ["c", "b", "a"]
    ratings.sort(reverse=True)
    assert [one.name for one in ratings] == ["a", "b", "c"]
    ratings.sort(key=lambda one: one.name, reverse=True)
    assert [one.name for one in ratings] == ["c", "b", "a"]


def test_a_filter_has_in_and_a_length(atlas):
    numbers = atlas.Filter()
    numbers.insert(b"one")
    assert b"one" in numbers and b"two" not in numbers and len(numbers) == 1


def test_bytes_that_a_struct_holds_during_the_call_need_not_be_writable(atlas):
    assert atlas.indent(b"  a") == atlas.indent(bytearray(b"  a")) == 2


def test_an_error_is_its_exception_with_a_pointer_and_without_one(atlas):
    for text, at in (("!", 0), ("ab!", 2)):
        with pytest.raises(atlas.SyntaxError, match=f"wrong at {at}") as caught:
            atlas.checked(text)
        assert isinstance(caught.value, ValueError) and caught.value.at == at
        assert atlas.syntax_error_of(caught.value).at == at
    assert issubclass(atlas.OverflowError, OverflowError)


def test_a_list_of_errors_behind_a_result_is_raised(atlas):
    assert atlas.words("a b") == ["a", "b"]
    with pytest.raises(atlas.Faults, match="2 faults"):
        atlas.words("a! b!")


def test_a_large_number_that_go_has_by_value_is_an_int(atlas):
    assert atlas.large() == 2**70


def test_an_identifier_of_bytes_is_a_key(atlas):
    one = atlas.ident_of("abcd")
    assert {one: 1}[atlas.ident_of("abcd")] == 1 and one < atlas.ident_of("b") and one == copy.copy(one)


def test_a_copy_has_numbers_of_other_packages_behind_an_interface(atlas):
    ink = atlas.Ink("grey", 5)
    assert copy.deepcopy(ink).grey() == pickle.loads(pickle.dumps(ink)).grey() == 5


def test_fields_are_arguments_where_the_other_constructor_takes_anything(atlas):
    note = atlas.Note(id="a", text="b c")
    assert (note.id, note.text) == ("a", "b c") and atlas.new_note("d").text == "d"
    assert atlas.new_note({"id": 5, "text": "x"}).id == "5"


def test_a_value_of_another_package_is_made_of_a_text(atlas):
    assert atlas.Note(text="ab ac b").matches(atlas.regexp.Regexp("a.")) == ["ab", "ac"]
    with pytest.raises(ValueError, match="missing closing"):
        atlas.regexp.Regexp("(")


def test_go_finds_all_interfaces_from_which_a_python_class_derives(atlas):
    class Well(atlas.Spring):
        def flow(self):
            return "water"

    class Tap(Well, atlas.Closable):
        def shut(self):
            return "shut"

    class Barrel(atlas.Closable, atlas.Measured, atlas.Spring):
        def flow(self):
            return "beer"

        def litres(self):
            return 5

        def shut(self):
            return "corked"

    assert atlas.drain(Well()) == "water open" and atlas.drain(Tap()) == "water shut"
    assert atlas.drain(Barrel()) == "beer much corked" and atlas.shut(Barrel()) == "corked"
    assert [atlas.kind(one()) for one in (Well, Tap, Barrel)] == ["spring", "both", "both"]
    assert atlas.kind(5) == "neither"
    tap = Tap()
    assert atlas.drain(tap) == atlas.drain(tap) == "water shut"


def test_bytes_are_shown_as_bytes(atlas):
    assert repr(atlas.Raw(b"ab")) == "Raw(b'ab')"
