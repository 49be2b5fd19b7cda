"""Numbers and keys that cross borders: each row of the tables of docs/numbers.md, in every way there is."""

# Requirements: D10, I7

import enum
import math
import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath

import numpy as np
import pytest
import selfsame_ffi
from repository import ROOT
from selfsame_ffi import Array, Dict, List, Map


class Colour(enum.Enum):
    RED = 1


class Shape(enum.Enum):
    ROUND = 1


NAMES = {
    **{
        name.__name__: name for name in (Fraction, Decimal, PurePosixPath, datetime, timedelta, timezone, Colour, Shape)
    },
    "np": np,
    "inf": math.inf,
    "nan": math.nan,
}


def rows(begin):
    """The cells of the table with this head, without their backquotes."""
    lines = (ROOT / "docs" / "numbers.md").read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(begin)) + 2
    table = []
    for line in lines[at:]:
        if not line.startswith("|"):
            return table
        table.append(tuple(cell.strip().strip("`") for cell in line[1:-1].split("|")))
    return table


def value_of(text):
    return eval(text, dict(NAMES))


def refusal(keys):
    """What the message says of two keys; sets and maps have no order. Both may have become one value already."""
    first, second = (rf"(datetime\.)?{re.escape(key)}.*" for key in keys.split("` `"))
    return f"the keys ({first} and {second}|{second} and {first}|{second} and {second}) become the same key of a "


def bits(value):
    """What tells numbers apart that are equal: their type, and the sign of a zero."""
    return type(value), repr(value)


@selfsame_ffi.dataclasses.py_class("tests.numbers.Declared")
class Declared(selfsame_ffi.Object):
    int64: int = 0
    float64: float = 0.0
    of_int64: Map[str, int] = Map({})
    of_float64: Dict[str, float] = Dict({})
    by_float64: Dict[float, int] = Dict({})


def ways(go, kind):
    """Functions that pass a value to Go, or to a declared field, and return what is there."""
    one = getattr(go, f"one_{kind}")
    if kind == "bigint":
        return {"argument": one}

    def named(what):
        return getattr(go, f"{what}_{kind}")

    def field(owner, name):
        def set_and_get(value):
            setattr(owner, name, value)
            return getattr(owner, name)

        return set_and_get

    found = {
        "argument": one,
        "keyword": lambda value: one(x=value),
        "map": lambda value: one.map([value])[0],
        "list": lambda value: named("list")([value])[0],
        "tuple": lambda value: named("list")((value, value))[1],
        "Array": lambda value: named("list")(Array([value]))[0],
        "List": lambda value: named("list")(List([value]))[0],
        "dict": lambda value: named("dict")({"a": value})["a"],
        "Map": lambda value: named("dict")(Map({"a": value}))["a"],
        "key": lambda value: next(iter(named("keys")({value: "a"}))),
        "key of a Dict": lambda value: next(iter(named("keys")(Dict({value: "a"})))),
        "key inside": lambda value: next(iter(named("deep")([{"a": {value: "a"}}])[0]["a"])),
        "set": lambda value: next(iter(named("set")({value}))),
        "callback": lambda value: named("called")(lambda: value),
        "loop": lambda value: named("loop")(iter([value]))[0],
    }
    if kind == "uint8":  # a slice of these is bytes
        found = {name: way for name, way in found.items() if name not in ("list", "tuple", "Array", "List")}
    if kind == "any":
        del found["callback"]  # whose result stays the object that it is
    else:
        found["pointer"] = named("pointer")
    if hasattr(go.Widths, kind):
        found["field"] = field(go.Widths(), kind)
    if hasattr(Declared, kind):
        declared = Declared()
        found["declared field"] = field(declared, kind)
        mapping = Map if kind == "int64" else Dict
        found["declared container"] = lambda value: field(declared, f"of_{kind}")(mapping({"a": value}))["a"]
    return found


INTO_GO = rows("| Python passes | to Go's | Go has")


@pytest.mark.parametrize(("passed", "kind", "expected"), INTO_GO, ids=lambda cell: cell)
def test_a_number_arrives_in_each_way_as_the_page_says(go, passed, kind, expected):
    refused = expected.endswith("Error")
    for name, way in ways(go, kind).items():
        if refused:
            # Declared fields convert as dataclasses do, with a TypeError for whatever is wrong.
            with pytest.raises((TypeError, OverflowError) if "declared" in name else value_of(expected)):
                way(value_of(passed))
                print("taken as", name)
        else:
            assert bits(way(value_of(passed))) == bits(value_of(expected)), name


@pytest.mark.parametrize(("passed", "kind", "expected"), INTO_GO, ids=lambda cell: cell)
def test_a_ufunc_passes_what_numpy_has(go, passed, kind, expected):
    if kind in ("uint64", "complex64", "complex128", "any", "bigint"):  # of which there is no ufunc
        return
    ufunc = selfsame_ffi.ufunc(getattr(go, f"one_{kind}"))
    try:
        made = ufunc(value_of(passed))
    except (TypeError, OverflowError):
        return
    assert not expected.endswith("Error") and bits(made.item()) == bits(value_of(expected))


@pytest.mark.parametrize(("text", "expected"), rows("| Go returns | Python has |"), ids=lambda cell: cell)
def test_a_number_of_go_arrives_as_the_page_says(go, text, expected):
    made, expected = go.made_number(text), value_of(expected)
    assert isinstance(made, type(expected)) and repr(made) == repr(expected)


@pytest.mark.parametrize(("text", "read", "written"), rows("| text | read"), ids=lambda cell: cell)
def test_a_number_in_json_is_what_the_page_says(text, read, written):
    parse, write = (selfsame_ffi.get_global_func(f"ffi.json.{name}") for name in ("Parse", "Stringify"))
    if read.endswith("Error"):
        with pytest.raises(value_of(read)):
            parse(text)
        return
    made = parse(text)
    assert bits(dict(made) if isinstance(made, Map) else made) == bits(value_of(read))
    assert write(made, None) == written


@pytest.mark.parametrize(
    ("passed", "kind", "keys"), rows("| Python passes | to Go's | the keys"), ids=lambda cell: cell
)
def test_keys_that_become_one_in_go_are_refused_with_both_names(go, passed, kind, keys):
    value, name = value_of(passed), re.fullmatch(r"map\[(\w+)\]\w+", kind)[1]
    if name == "string":
        with pytest.raises(value_of(keys)):
            go.dict_any(value)
        return
    says = refusal(keys)
    by_key, of_keys, deep = (getattr(go, f"{what}_{name}") for what in ("keys", "set", "deep"))
    for passes in [lambda: by_key(value), lambda: deep([{}, {"a": value}])] + (
        [] if "nan" in passed else [lambda: of_keys(set(value))]
    ):
        with pytest.raises(ValueError, match=says):
            passes()
    assert len(deep([{"a": {key: "a"}} for key in value])) == len(value)


def test_keys_that_become_one_natively_are_refused_with_both_names():
    third = {Fraction(1, 3): 1, 1 / 3: 2}
    says = r"the keys Fraction\(1, 3\) and 0.3333333333333333 become the same key of a "
    for make in (Map, Dict, selfsame_ffi.convert, Dict().update, lambda value: Array([{"a": [value]}])):
        with pytest.raises(ValueError, match=says):
            make(third)
    with pytest.raises(TypeError, match=says):
        Declared(by_float64=third)
    with pytest.raises(ValueError, match="the keys nan and nan become the same key of a Map"):
        Map([(math.nan, 1), (float("nan"), 2)])


def test_keys_that_python_has_as_equal_may_be_one(go):
    assert dict(Map([("a", 1), ("a", 2)])) == {"a": 2}
    assert dict(Map([(0.5, 1), (Fraction(1, 2), 2)])) == {0.5: 2}
    assert go.set_float64([1, True, 1.0, math.inf, math.inf]) == {1.0, math.inf}
    at = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert go.set_any([at, at.replace(), "a" * 20, "a" * 20]) == {at, "a" * 20}
    changed = Dict({math.nan: 1})
    changed[float("nan")] = 2
    assert list(changed.values()) == [2]


@pytest.mark.parametrize(("text", "keys"), rows("| Go returns | Python would"), ids=lambda cell: cell)
def test_keys_of_go_that_become_one_in_python_are_refused_with_both_names(go, text, keys):
    if not keys:
        assert len(go.made_number(text)) == text.count(": ")
        return
    with pytest.raises(ValueError, match=refusal(keys)):
        go.made_number(text)


def test_keys_of_go_that_become_one_natively_are_refused(go):
    with pytest.raises(
        ValueError, match="signatures.nan_keys: its result: the keys NaN and NaN become the same key of a Map"
    ):
        go.nan_keys()


def test_keys_of_a_native_map_that_are_equal_in_python_or_go_are_refused(go):
    zeros, ones = Map([(0.0, "a"), (-0.0, "b")]), Map([(1, "a"), (1.0, "b"), (True, "c")])
    assert (len(zeros), len(ones)) == (2, 3)
    with pytest.raises(ValueError, match=refusal("0` `-0")):
        go.keys_float64(zeros)
    for made in (ones, Dict(ones)):
        with pytest.raises(ValueError, match="the keys (1|1.0|True) and (1|1.0|True) become the same key of a dict"):
            go.keys_any(made)
    with pytest.raises(ValueError, match=refusal("1` `True")):
        go.keys_float64(Map([(1, "a"), (True, "b")]))


def test_a_time_with_parts_of_a_second_in_its_offset_is_refused(go):
    odd = datetime(2026, 1, 1, tzinfo=timezone(timedelta(seconds=1, microseconds=5)))
    with pytest.raises(TypeError, match="a datetime whose offset from UTC has parts of a second"):
        go.shift(odd, timedelta(seconds=1))
