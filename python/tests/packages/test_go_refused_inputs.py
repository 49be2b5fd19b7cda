"""Wrong arguments for functions, methods and constructors of a Go package, and the messages that Python users read."""

import datetime
import io
import os

import pytest
from repository import FIXTURES

# Requirement: D10
# Requirement: D11

GOLDEN = FIXTURES / "signatures" / "refused_inputs.txt"
AT = datetime.datetime(2026, 7, 1, tzinfo=datetime.timezone.utc)
SECOND = datetime.timedelta(seconds=1)


class Broken:
    def __iter__(self):
        raise LookupError("no iterator today")


CALLS = {
    "a str for a float, by name": lambda go: go.norm("x", scale="wide"),
    "a str for a float": lambda go: go.norm(3.0, "wide"),
    "None for a float": lambda go: go.norm(None, 1),
    "a list for a float": lambda go: go.norm([1.0], 1),
    "an object for a float": lambda go: go.norm(object(), 1),
    "a float for an int": lambda go: go.divide(1.5, 2),
    "an int of 65 bits": lambda go: go.divide(1 << 64, 2),
    "an int that is too large for 8 bits": lambda go: go.narrow(300),
    "an int for a bool": lambda go: go.search("x", strict="yes"),
    "bytes for a str": lambda go: go.search(b"x"),
    "a str for bytes": lambda go: go.size("x"),
    "an int for a str": lambda go: go.search(1),
    "a surrogate in a str": lambda go: go.search("\udc80"),
    "a surrogate in a list": lambda go: go.search("x", tags=["a", "\ud800"]),
    "a surrogate in a dict": lambda go: go.search("x", options={"a": "b", "c": "\ud800"}),
    "a surrogate as a key": lambda go: go.search("x", options={"a": "b", "\ud800": "c"}),
    "a surrogate in a keyword argument": lambda go: go.search(text="\ud800", depth=1),
    "a surrogate behind defaults": lambda go: go.search("x", 1, ["\ud800"]),
    "a surrogate for a method": lambda go: go.Counter(1).labelled("\ud800"),
    "a surrogate for a method, by name": lambda go: go.Counter(1).labelled(text="\ud800"),
    "too few arguments": lambda go: go.divide(1),
    "no argument": lambda go: go.divide(),
    "too many arguments": lambda go: go.divide(1, 2, 3),
    "arguments for a function that takes none": lambda go: go.ticking(1),
    "too few where some have defaults": lambda go: go.search(),
    "too many where some have defaults": lambda go: go.search("x", 1, [], {}, True, 6),
    "an unknown keyword": lambda go: go.divide(1, c=2),
    "an unknown keyword where some have defaults": lambda go: go.search("x", size=2),
    "an argument twice": lambda go: go.divide(1, a=2),
    "an argument twice where some have defaults": lambda go: go.search("x", text="y"),
    "a keyword only": lambda go: go.divide(b=2),
    "a wrong element": lambda go: go.search("x", tags=["a", 2]),
    "a wrong value of a dict": lambda go: go.search("x", options={"a": 1}),
    "a wrong key of a dict": lambda go: go.search("x", options={1: "a"}),
    "a str for a list": lambda go: go.search("x", tags="a"),
    "a dict for a list": lambda go: go.search("x", tags={"a": 1}),
    "a wrong variadic argument": lambda go: go.join("-", "a", 2),
    "no argument before the variadic one": lambda go: go.join(),
    "a naive datetime": lambda go: go.shift(AT.replace(tzinfo=None), SECOND),
    "a date": lambda go: go.shift(AT.date(), SECOND),
    "a number for a timedelta": lambda go: go.shift(AT, 5),
    "a timedelta that Go cannot hold": lambda go: go.sleep(datetime.timedelta(days=200_000)),
    "a str for a complex": lambda go: go.conjugate("1"),
    "a float for a big int": lambda go: go.power(1.5, 2),
    "an array of a wrong size": lambda go: go.reversed(["a"]),
    "a longer text for a file": lambda go: go.upper("a longer text", io.BytesIO()),
    "an int of 65 bits for 64 without a sign": lambda go: go.next_of(1 << 64),
    "a negative int for one without a sign": lambda go: go.next_of(-1),
    "a result that is no text": lambda go: go.raw_text(),
    "a part of a result that is no text": lambda go: go.raw_texts(),
    "no iterable": lambda go: go.total(5),
    "an iterable that fails": lambda go: go.total(Broken()),
    "a wrong element of an iterable": lambda go: go.total([1.0, "x"]),
    "no pairs": lambda go: go.collect([1]),
    "a text file": lambda go: go.upper(io.StringIO("x"), io.BytesIO()),
    "no file": lambda go: go.upper(b"", 3),
    "a record with an unknown field": lambda go: go.deeper({"depth": 1}),
    "a record with a wrong field": lambda go: go.deeper(go.Options(timeout=1)),
    "a record in a record": lambda go: go.deeper({"inner": {"weight": "x"}}),
    "no record": lambda go: go.deeper(3),
    "no callable": lambda go: go.each_of([1], 5),
    "a wrong result of a callback": lambda go: go.each_of([1], lambda v: "x"),
    "a wrong element of a callback's result": lambda go: go.pairs_of(lambda v: ["x"]),
    "a result of a callback that lacks a part": lambda go: go.both_of(lambda v: 1),
    "a surrogate from a callback": lambda go: go.text_of(lambda: "\ud800"),
    "a constructor's argument": lambda go: go.Counter("x"),
    "a method's argument": lambda go: go.Counter(1).add(2, "x"),
    "a method's keyword": lambda go: go.Counter(1).add(size=2),
    "a method's object": lambda go: go.Counter.add(3),
    "a field": lambda go: setattr(go.Counter(1), "n", "x"),
    "bytes for a str field": lambda go: setattr(go.Lists(), "words", b"x"),
    "an element of a field": lambda go: setattr(go.Lists(), "words", ["a", 2]),
    "a value in a field": lambda go: setattr(go.Lists(), "table", {'a: "b': [1, "x"]}),
    "a key in a field": lambda go: setattr(go.Lists(), "table", {1: [1]}),
    "an object in a field": lambda go: setattr(go.Lists(), "words", object()),
    "an unknown field": lambda go: setattr(go.Counter(1), "m", 1),
    "another object": lambda go: go.Counter(1).same(go.Gauge()),
}


def test_messages_about_wrong_arguments(go):
    lines = []
    for label, call in CALLS.items():
        with pytest.raises(Exception) as caught:  # noqa: B017, PT011  the file says which
            call(go)
        message = str(caught.value).replace("\n", "\n        ")
        message = message.removesuffix(" and no __dict__ for setting new attributes")  # CPython 3.13 and later say so
        lines.append(f"{label}\n    {type(caught.value).__name__}: {message}\n")
    text = "".join(lines)
    if os.environ.get("SELFSAME_UPDATE"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
