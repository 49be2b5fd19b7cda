"""Operators of classes that `selfsame-ffi wrap` makes, with operands that the Go methods do not take."""

# Requirement: D5

import operator

import origins
import pytest
import type_checker


def with_equality(shelf):
    """Objects whose == calls a method that takes a pointer, an interface, any value, or the value itself."""
    objects = [shelf.Edition(1965), shelf.person("Ada"), shelf.Team()]
    return [*objects, shelf.Book("Dune", 0), shelf.Day(year=1), shelf.NOVEL]


def test_no_object_equals_what_go_does_not_take(shelf):
    for one in with_equality(shelf):
        for other in (None, "Dune", 1.5, object(), [], shelf.Lamp()):
            assert one.__eq__(other) is NotImplemented, (one, other)
            assert one != other and not one == other and other != one and one not in [other]


def test_the_class_of_the_other_operand_gets_its_turn(shelf):
    class Always:
        def __eq__(self, other):
            return True

        def __gt__(self, other):
            return True

    for one in with_equality(shelf):
        assert one == Always()
    assert shelf.Edition(1965) < Always() and shelf.NOVEL < Always()


def test_what_go_takes_is_compared_in_go(shelf):
    first, second = shelf.Edition(1965), shelf.Edition(1984)
    assert first == shelf.Edition(1965) and first != second and first < second
    assert shelf.person("Ada") == shelf.person("Ada") != shelf.person("Bob")
    assert shelf.Team(shelf.person("Ada")) == shelf.Team(shelf.person("Ada")) != shelf.Team()
    assert shelf.NOVEL == 0 != shelf.MANUAL


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_what_go_does_not_take_has_no_order(shelf, compare):
    for one in (shelf.Edition(1965), shelf.NOVEL, shelf.BOILING):
        for other in (None, "Dune", object(), shelf.Lamp()):
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(one, other)
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(other, one)


def test_a_number_of_another_class_is_in_a_set_as_python_has_it(shelf):
    class Number(int):
        pass

    numbers = shelf.NumberSet(1, 2)
    assert 1 in numbers and Number(2) in numbers and True in numbers and False not in numbers
    for other in (3, -1, 2**63, -(2**80), 1.5, "1", None):
        assert other not in numbers, other


def test_special_methods_of_go_run_without_python_code(shelf):
    for method in (shelf.NumberSet.__contains__, shelf.Edition.__or__, shelf.Edition.__eq__):
        assert not hasattr(method, "__code__") and method.__name__ in repr(method)


def test_nothing_is_no_operand(shelf):
    later = shelf.Edition(1984)
    assert shelf.Edition(1965) | later is later
    with pytest.raises(TypeError, match="unsupported operand"):
        later | None
    with pytest.raises(TypeError, match="unsupported operand"):
        None | later


def test_nothing_is_in_no_collection_of_objects(shelf):
    team = shelf.Team(shelf.person("Ada"))
    assert shelf.person("Ada") in team and shelf.person("Bob") not in team
    assert None not in team and 3 not in team and shelf.Lamp() not in team


def test_type_checkers_refuse_nothing_as_an_operand(shelf, tmp_path):
    (tmp_path / "use.py").write_text(
        "import shelf\n\n\n"
        "one = shelf.Edition(1965)\n"
        "same: bool = one == None\n"
        "later: shelf.Edition = one | one\n"
        "assert one < one\n"
        "assert one < None\n"
        "one | None\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped())
    assert said.count("error:") == 2 and "use.py:8:" in said and "use.py:9:" in said
