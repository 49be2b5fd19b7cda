"""Idioms of Go in the Python package that `selfsame-ffi wrap` makes: channels, pointers to results, steps."""

# Requirement: D5

import datetime

import pytest


def test_what_go_sends_into_a_channel_arrives_in_a_callback(shelf):
    got = []
    shelf.send(got.append, 3)
    assert got == [0, 1, 2]


def test_an_exception_of_the_callback_arrives_behind_the_call(shelf):
    got = []

    def take(n):
        got.append(n)
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        shelf.send(take, 3)
    assert got == [0]


def test_a_python_class_sends_into_a_channel(shelf):
    class Mine(shelf.Feeder):
        def feed(self, c):
            c("a")
            c("b")

    assert shelf.fed(Mine()) == ["a", "b"]


def test_go_receives_what_an_iterable_gives(shelf):
    assert shelf.total([1, 2, 3], 100) == 6
    assert shelf.total(iter(range(10**9)), 10) == 15  # Go reads no further than it wants

    def failing():
        yield 1
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        shelf.total(failing(), 100)


def test_a_pointer_to_a_slice_is_an_object_that_holds_it(shelf):
    words = shelf.StringSliceRef(["a"])
    shelf.collect(words, "b", "c")
    assert words.value == ["a", "b", "c"]
    words.value = []
    shelf.collect(words, "d")
    assert words.value == ["d"]
    names = ["a"]
    shelf.collect(names, "b")
    assert names == ["a", "b"]
    with pytest.raises(TypeError):
        shelf.collect("a", "b")


def test_a_pointer_that_go_keeps_is_an_object_that_holds_the_value(shelf):
    title = shelf.StringRef("old")
    later = shelf.title_var(title, "new")
    assert title.value == "old"
    later()
    assert title.value == "new"


def test_what_go_stores_through_a_pointer_is_a_result(shelf):
    count, words = shelf.unmarshal_words("a b")
    assert (count, type(words), words) == (2, list, ["a", "b"])
    book = shelf.Book("", shelf.NOVEL)
    count, same = shelf.unmarshal_words("a b c", book)
    assert count == 3 and same is book and book.title == "a b c"
    with pytest.raises(TypeError, match="Go can store a value"):
        shelf.unmarshal_words("a", {})


def test_steps_are_an_iteration(shelf):
    assert list(shelf.Walker(False, "a", "b")) == ["a", "b"]
    steps = iter(shelf.Walker(True, "a"))
    assert next(steps) == "a"
    with pytest.raises(shelf.FullError):
        next(steps)


def test_an_array_of_bytes_is_bytes(shelf):
    assert bytes(shelf.digest_of("abcd")) == b"abcd" and shelf.Digest(b"abcd") == shelf.digest_of("abcd")
    with pytest.raises(TypeError, match="expected bytes of length 4, got bytes of length 3"):
        shelf.Digest(b"abc")


def test_a_func_that_parses_is_a_class_method_too(shelf):
    assert shelf.Edition.parse("1965").year == shelf.parse_edition("1965").year == 1965
    assert shelf.Edition.parse_century("19").year == shelf.parse_century("19").year == 1900
    assert shelf.Celsius.parse("100") == shelf.BOILING and shelf.Edition(7).parse("8").year == 8
    with pytest.raises(ValueError, match="invalid syntax"):
        shelf.Edition.parse("MCM")
    assert shelf.Edition.parse.__doc__ == "Reads a year."


def test_a_name_may_have_capitals_inside_a_word(shelf):
    assert shelf.ipv4_mask(ids=[1, 2]) == 2


def test_options_are_keyword_arguments(shelf):
    assert shelf.Lamp(watts=60, red=True).state() == "60 true"
    assert shelf.Lamp(shelf.red(), watts=60).state() == "60 true" and shelf.Lamp().state() == "40 false"
    assert shelf.Lamp(red=False).state() == "40 false" and shelf.Lamp(names=["a", "b"]).names() == ["a", "b"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'volts'"):
        shelf.Lamp(volts=1)
    with pytest.raises(TypeError, match=r"'options'\[0\]"):
        shelf.Lamp(60)


def test_fields_of_a_struct_of_options_are_keyword_arguments(shelf):
    assert shelf.paint("door") == "door" and shelf.paint("door", None) == "door"
    assert shelf.paint("door", shelf.PaintOptions(colour="red")) == "door red 0 false"
    assert shelf.paint("door", colour="red", on=shelf.Lamp()) == "door red 0 true"
    with pytest.raises(TypeError, match="argument 'o': expected either it or keyword arguments"):
        shelf.paint("door", shelf.PaintOptions(), coats=1)
    assert shelf.sort_words(["a", "b"], reverse=True) == ["b", "a"] and shelf.sort_words(["b", "a"]) == ["a", "b"]
    assert shelf.sort_words(["a", "b"], shelf.SortConfig(True)) == ["b", "a"]
    assert shelf.joined("x", colour="y") == "xy" and shelf.joined("x") == "x"
    assert shelf.joined("x", shelf.PaintOptions(colour="y"), colour="z") == "xyz"


def test_types_that_are_not_exported_cross(shelf):
    assert shelf.HIGH == 3 and shelf.at_level(shelf.HIGH, "a") == "3 [a]"
    assert shelf.apply("a", shelf.upper()) == "A" and shelf.apply("a") == "a"
    with pytest.raises(TypeError, match="expected a value of the Go type shelf.secret"):
        shelf.apply("a", "b")


def test_types_without_a_name_get_one(shelf):
    assert shelf.measured(shelf.MeasuredSize(2, 3)) == 6

    class Log(shelf.LoggedL):
        def log(self, arg0):
            got.append(arg0)

    got = []
    shelf.logged("text", Log())
    assert got == ["text"]


def test_a_context_is_no_argument_wherever_it_stands(shelf):
    assert shelf.late("x") == "x true"
    assert shelf.address(41) == 42


def test_an_exception_has_the_fields_of_the_error(shelf):
    with pytest.raises(shelf.MissingError) as caught:
        shelf.Shelf().must_find("x")
    assert caught.value.title == "x" and caught.value.kind == shelf.MANUAL
    with pytest.raises(AttributeError, match="title: the exception comes from no error of Go"):
        shelf.MissingError("mine").title  # noqa: B018


def test_what_go_calls_deprecated_warns(shelf):
    with pytest.warns(DeprecationWarning, match="old_name: deprecated: Use leaf instead") as caught:
        assert shelf.old_name() == "old"
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"Lamp.watts: deprecated: Use Lamp.state instead") as caught:
        assert shelf.Lamp().watts() == 40
    assert caught[0].filename == __file__
    with pytest.raises(AttributeError, match="has no attribute 'older_name'"):
        shelf.older_name()


def test_a_value_that_is_set_later_is_an_object_that_holds_it(shelf):
    flags = shelf.Flags()
    level, wait = flags.level("level", 2), flags.wait_p("wait", datetime.timedelta(seconds=1))
    assert (level.value, wait.value) == (2, datetime.timedelta(seconds=1))
    flags.parse("level", "7")
    flags.parse("wait", "3s")
    assert (level.value, wait.value) == (7, datetime.timedelta(seconds=3))
    own = shelf.DurationRef()
    flags.wait_var_p(own, "other", datetime.timedelta(seconds=4))
    flags.parse("other", "5s")
    assert own.value == datetime.timedelta(seconds=5)
    words = shelf.motto("a b")
    shelf.motto_var(words, "c")
    assert words.value == "c"


def test_a_pointer_that_nothing_sets_later_is_its_value(shelf):
    assert shelf.Flags().depth() == 0
