"""What funcs that read a text raise, and which exceptions errors are, in the package that `selfsame-ffi wrap` makes."""

# Requirement: D5

import pytest


def test_an_error_of_a_parser_of_which_nothing_is_known_is_a_value_error(shelf):
    with pytest.raises(ValueError, match="cannot be asked") as caught:
        shelf.parse_colour("red?")
    assert type(caught.value) is ValueError
    with pytest.raises(ValueError, match="cannot be asked"):
        shelf.Colour.parse("red?")
    assert shelf.parse_colour("red").name() == "red"
    with pytest.raises(ValueError, match="no shade"):
        shelf.Shade("")


def test_another_func_raises_a_runtime_error(shelf):
    with pytest.raises(RuntimeError, match="cannot mix red") as caught:
        shelf.mix("red")
    assert not isinstance(caught.value, ValueError)


def test_an_error_whose_name_says_so_is_a_value_error_too(shelf):
    with pytest.raises(shelf.InvalidShadeError) as caught:
        shelf.parse_colour("loud red")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, RuntimeError)
    with pytest.raises(shelf.FadedError) as caught:
        shelf.parse_colour("old red")
    assert not isinstance(caught.value, ValueError)


def test_a_constant_that_is_an_error_is_an_exception(shelf):
    assert issubclass(shelf.BlankError, RuntimeError) and not hasattr(shelf, "ERR_BLANK")
    with pytest.raises(shelf.BlankError, match="blank"):
        shelf.parse_colour("")


def test_of_nested_errors_the_outermost_is_raised_and_the_inner_one_is_its_cause(shelf):
    with pytest.raises(shelf.PaletteError, match="colour 1: blank") as caught:
        shelf.parse_palette("red,,blue")
    assert caught.value.index == 1 and isinstance(caught.value.__cause__, shelf.BlankError)
    with pytest.raises(shelf.PaletteError) as caught:
        shelf.parse_palette("red?")
    assert caught.value.index == 0 and caught.value.__cause__ is None


def test_a_variable_of_a_type_of_errors_is_an_exception(shelf):
    with pytest.raises(shelf.SizeError, match="squeeze: too large"):
        shelf.squeeze(10)
    with pytest.raises(shelf.ClosedError) as caught:
        shelf.squeeze(1)
    assert shelf.missing_error_of(caught.value).title == "the key" and isinstance(caught.value, shelf.MissingError)
