"""Go funcs with every kind of signature, called from Python: the package of python/tests/signatures."""

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import inspect
import json
import os
import pathlib
import pickle
import pydoc
import re
import signal
import subprocess
import sys
import threading
import time
import types
import uuid

import pytest
import selfsame_ffi
from selfsame_ffi._go import records as _records

# Requirement: D10
# Requirement: D11

UTC = datetime.timezone.utc
SECOND = datetime.timedelta(seconds=1)


# ---- values ----


@pytest.mark.parametrize("zone", [UTC, datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))])
def test_datetimes_keep_their_value_and_zone(go, zone):
    at = datetime.datetime(2026, 7, 1, 12, 30, 15, 123456, zone)
    moved, back = go.shift(at, 90 * SECOND)
    assert (moved, back) == (at + 90 * SECOND, -90 * SECOND)
    assert moved.utcoffset() == at.utcoffset()
    early = datetime.datetime(1, 1, 1, tzinfo=UTC)
    assert go.shift(early, datetime.timedelta()) == (early, datetime.timedelta())
    assert go.shift(at, datetime.timedelta(microseconds=-1))[0] == at - datetime.timedelta(microseconds=1)


def test_times_at_the_ends_of_the_range_of_a_datetime(go):
    nothing = datetime.timedelta()
    west, east = (datetime.timezone(datetime.timedelta(hours=hours)) for hours in (-12, 12))
    for at in (datetime.datetime.max.replace(tzinfo=west), datetime.datetime.min.replace(tzinfo=east)):
        assert go.shift(at, nothing)[0].replace(tzinfo=None) == at.replace(tzinfo=None)
    for end, by in ((datetime.datetime.max, SECOND), (datetime.datetime.min, -SECOND)):
        with pytest.raises(OverflowError, match="expected a time.Time of the years 1 to 9999"):
            go.shift(end.replace(tzinfo=UTC), by)


def test_wrong_times_are_refused(go):
    at = datetime.datetime(2026, 7, 1, tzinfo=UTC)
    for args, want in [
        ((at.replace(tzinfo=None), SECOND), "argument 'at': expected datetime, got a datetime without a time zone"),
        ((at.date(), SECOND), "argument 'at': expected datetime, got datetime.date"),
        ((at, 5), "signatures.shift: argument 'by': expected timedelta, got int"),
        ((SECOND, SECOND), "expected datetime, got datetime.timedelta"),
    ]:
        with pytest.raises(TypeError, match=want):
            go.shift(*args)
    with pytest.raises(OverflowError, match="does not fit in time.Duration"):
        go.sleep(datetime.timedelta(days=200_000))


def test_ints_without_a_sign_have_64_bits(go):
    for n in (0, 1, 2**63 - 2, 2**63 - 1, 2**63, 2**64 - 2):
        assert go.next_of(n) == n + 1
    assert go.next_of(2**64 - 1) == 0


def test_variadic_parameters_take_any_number(go):
    for n in (0, 1, 2, 20):
        assert go.join("-", *["a"] * n) == "-".join("a" * n)
    with pytest.raises(TypeError, match="signatures.join: argument 'sep': missing"):
        go.join()
    with pytest.raises(TypeError, match=r"argument 'parts'\[1\]: expected str, got int"):
        go.join("-", "a", 1)
    assert go.Counter().n == 0
    assert go.Counter(1, 2, 3).n == 6
    assert go.Counter(1).add(2, 3) == 6


def test_several_results_are_a_tuple(go):
    assert go.divide(17, 5) == (3, 2)
    assert type(go.divide(17, 5)) is tuple
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        go.divide(1, 0)
    error, text = go.outcome(True)
    assert (error.message, text) == ("short buffer", "failed")
    assert go.outcome(False) == (None, "fine")


def test_numbers_of_other_kinds(go):
    assert go.conjugate(3 + 4j) == 3 - 4j
    assert go.conjugate(2) == 2
    assert go.power(-3, 101) == (-3) ** 101
    assert go.power(10**30, 2) == 10**60
    assert go.power(2, None) is None
    assert list(go.reversed(["a", "b", "c"])) == ["c", "b", "a"]
    with pytest.raises(TypeError, match=r"expected list\[str\] of 3 elements, got list of length 1"):
        go.reversed(["a"])
    with pytest.raises(TypeError, match="expected complex, got str"):
        go.conjugate("1")


def test_plain_containers(go):
    at = datetime.datetime(2026, 7, 1, tzinfo=UTC)
    doc = {"a": [1, 2.5, {"b": None}], "t": at, "d": SECOND, "c": 1j, "big": 1 << 80, "s": "x", "m": {1: 2}, "set": {7}}
    result = go.plain(doc)
    assert type(result) is dict
    assert result["types"] == {
        "a": "[]interface {}",
        "t": "time.Time",
        "d": "time.Duration",
        "c": "complex128",
        "big": "*big.Int",
        "s": "string",
        "m": "map[interface {}]interface {}",
        "set": "[]interface {}",
    }
    assert result["doc"] == {**doc, "set": [7]}
    assert result["list"] == [1, ["x"], {}]
    assert json.loads(json.dumps(result["list"])) == result["list"]


def test_records_are_dataclasses(go):
    made = go.deeper(go.Options(max_depth=2, timeout=SECOND, names=["a"], inner=go.Inner(weight=0.5)))
    assert type(made) is go.Options
    assert (made.max_depth, made.timeout, list(made.names), type(made.inner), made.inner.weight) == (
        3,
        SECOND,
        ["a"],
        go.Inner,
        0.5,
    )
    assert made.since == go.Options().since
    assert go.deeper({"max_depth": 7}).max_depth == 8
    with pytest.raises(TypeError, match='signatures.Options has no field "depth"'):
        go.deeper({"depth": 7})
    with pytest.raises(TypeError, match="signatures.Options.timeout: expected timedelta, got int"):
        go.deeper(go.Options(timeout=1))
    for options in ({"names": print}, go.Options(names=print)):
        with pytest.raises(TypeError, match=r"Options.names: expected list\[str\], got builtin_function_or_method"):
            go.deeper(options)
    with pytest.raises(TypeError, match="has no field \"nams\"; did you mean 'names'\\?"):
        go.deeper({"nams": []})
    with pytest.raises(TypeError, match="expected signatures.Options, got object"):
        go.deeper(object())
    with pytest.raises(RuntimeError, match="negative"):
        go.deeper(go.Options(max_depth=-1))


ROUTE = dict(from_="a", to="b", class_="c", in_=1, is_=2, as_=3, with_=4, annotations_=["d"], import_=["e"], none=True)


def test_records_have_fields_named_as_keywords(go):
    back = go.back(go.Route(**ROUTE))
    assert type(back) is go.Route
    assert {key: getattr(back, key) for key in ROUTE} == {**ROUTE, "from_": "b", "to": "a", "in_": 2}
    assert go.back(back).from_ == "a"
    assert list(go.route_texts(types.SimpleNamespace(**ROUTE))) == ["a", "b", "c"]
    for given in ({"from": "x", "class": "y"}, {"from_": "x", "class_": "y"}):
        assert list(go.route_texts(given)) == ["x", "", "y"]
    with pytest.raises(TypeError, match='signatures.Route has no field "to_"'):
        go.route_texts({"to_": "x"})


def test_records_of_hand_have_fields_named_as_keywords(go, monkeypatch):
    monkeypatch.delitem(_records._classes, "signatures.Route")
    made = go.back({"from": "x", "is": 7})  # nobody has registered a class
    assert (made.from_, made.to, made.is_, made.in_) == ("", "x", 7, 1)
    assert go.back(made).from_ == "x"

    @selfsame_ffi.record("signatures.Route")
    @dataclasses.dataclass
    class Own:
        from_: str = ""
        to: str = ""
        class_: str = ""
        in_: int = 0
        is_: int = 0
        as_: int = 0
        with_: int = 0
        annotations: object = ()
        import_: object = ()
        none: bool = False

    made = go.back(Own(from_="x", annotations=["d"]))
    assert type(made) is Own and (made.to, made.in_, list(made.annotations)) == ("x", 1, ["d"])


def test_marshalers_are_plain_values(go):
    assert go.semver(1, 2) == {"text": "1.2", "parts": [1, 2]}


# ---- the end of calls ----

INTERRUPTED = """
import datetime, os, signal, sys, threading
sys.path.insert(0, sys.argv[1])
import signatures as go

def interrupt(waits):
    go.await_waits(waits)  # the call of the main thread has come to where it waits
    # On Windows os.kill would end the process.
    signal.raise_signal(signal.SIGINT) if os.name == "nt" else os.kill(os.getpid(), signal.SIGINT)

for call in (lambda: go.wait(datetime.timedelta(hours=1)), lambda: list(go.never())):
    threading.Thread(target=interrupt, args=(go.waits() + 1,)).start()
    try:
        call()
    except KeyboardInterrupt:
        print("interrupted", go.cancelled())
"""


def test_ctrl_c_cancels_the_context(go, go_packages):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(go_packages)], capture_output=True, text=True, timeout=1800, check=False
    )
    assert (done.stdout, done.stderr) == ("interrupted 1\ninterrupted 1\n", "")


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no SIGALRM")
def test_signal_handler_that_raises_ends_the_call(go):
    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    def ring(waits):
        go.await_waits(waits)
        os.kill(os.getpid(), signal.SIGALRM)

    old = signal.signal(signal.SIGALRM, handler)
    try:
        before = go.cancelled()
        ringer = threading.Thread(target=ring, args=(go.waits() + 1,))
        ringer.start()
        with pytest.raises(Alarm):
            go.wait(datetime.timedelta(hours=1))
        ringer.join()
        assert go.cancelled() == before + 1
    finally:
        signal.signal(signal.SIGALRM, old)


def test_calls_of_other_threads_are_not_interrupted(go):
    got = []
    thread = threading.Thread(target=lambda: got.append(go.wait(datetime.timedelta(milliseconds=60))))
    thread.start()
    thread.join()
    assert got == ["waited"]


def test_async_form(go):
    async def main():
        assert await go.wait.aio(limit=datetime.timedelta(milliseconds=1)) == "waited"
        call = asyncio.ensure_future(go.wait.aio(limit=datetime.timedelta(hours=1)))
        for _ in range(5):  # the loop goes on
            await asyncio.sleep(0.001)
        assert not call.done()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.gather(*[go.divide.aio(n, 5) for n in range(20)]) == [divmod(n, 5) for n in range(20)]
        with pytest.raises(ZeroDivisionError):
            await go.divide.aio(1, 0)
        counter = go.Counter(1)
        assert await selfsame_ffi.aio(counter.add)(2, 3) == 6
        assert await counter.add.aio(2, 3) == 11
        assert await go.Counter.add.aio(counter, 0, 0) == 11

    asyncio.run(main())


def test_cancelled_task_cancels_the_context(go):
    async def main():
        before = go.cancelled()
        call = asyncio.ensure_future(go.wait.aio(datetime.timedelta(hours=1)))
        await asyncio.sleep(0.5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert go.cancelled() == before + 1  # the call has ended by now
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(go.wait.aio(datetime.timedelta(hours=1)), 0.5)
        assert go.cancelled() == before + 2

    asyncio.run(main())


# ---- functions as Python functions ----


def test_function_has_the_attributes_of_a_function(go):
    f = go.search
    assert (f.__name__, f.__qualname__, f.__module__, f.__doc__.split("\n")[0]) == (
        "search",
        "search",
        "signatures",
        "Searches.",
    )
    assert isinstance(f, selfsame_ffi.Function)
    assert f is selfsame_ffi.get_global_func("signatures.search")
    assert str(f.__signature__) == str(inspect.signature(f))
    assert list(inspect.signature(f).parameters) == ["text", "depth", "tags", "options", "strict"]
    assert inspect.isroutine(f)
    assert go.shift.__doc__ == "shift moves a time.\n\nThe zone stays."
    text = pydoc.plain(pydoc.render_doc(f))
    assert re.search(r"search\(\s*text: '?str'?,", text)  # 3.13 gives each parameter a line, 3.14 drops the quotes
    assert "More of it." in text
    undeclared = selfsame_ffi.get_global_func("ffi.GetKwargsObject")
    assert pydoc.render_doc(undeclared)
    assert not hasattr(undeclared, "__signature__")


def test_docs_and_names_are_in_the_metadata(go):
    metadata = selfsame_ffi.get_global_func_metadata("signatures.search")
    assert metadata["doc"] == "Searches.\n\nMore of it."
    assert metadata["arg_names"] == ["text", "depth", "tags", "options", "strict"]
    assert selfsame_ffi.get_global_func_metadata("signatures.shift")["go_func"].endswith("/signatures.shift")


class Text(str):
    """A name of a keyword argument that is no interned str."""

    __slots__ = ()


def test_keywords_and_defaults(go):
    assert go.search("x") == "x3 [] 0 false"
    assert go.search("x", tags=["a"], strict=True) == "x3 [a] 0 true"
    assert go.search(text="x", depth=1, options={"k": "v"}) == "x1 [] 1 false"
    assert go.divide(b=5, a=17) == (3, 2)
    assert go.power(2, exponent=3) == 8
    assert go.power(exponent=3, base=2) == 8
    assert go.power(2, **{"".join(["expo", "nent"]): 3}) == 8  # a name that is not interned
    assert go.search("x", tags=["a"], depth=1) == "x1 [a] 0 false"
    assert go.search("x", **{Text("depth"): 1, Text("tags"): ["a"]}) == "x1 [a] 0 false"
    assert go.search(strict=True, options={}, tags=[], depth=1, text="x") == "x1 [] 0 true"
    assert go.join(sep="-") == ""
    for call, want in [
        (lambda: go.search("x", size=1), "unexpected keyword argument 'size'"),
        (lambda: go.search("x", text="y"), "argument 'text': got multiple values"),
        (lambda: go.search(depth=1), "argument 'text': missing"),
        (lambda: go.divide(b=1), "argument 'a': missing"),
        (lambda: go.divide(1, a=1), "argument 'a': got multiple values"),
        (lambda: go.divide(1, **{"a": 2, "b": 3}), "argument 'a': got multiple values"),
        (lambda: go.search("x", depth=1, text="y"), "argument 'text': got multiple values"),
        (lambda: go.search("x", 1, [], {}, True, depth=1), "argument 'depth': got multiple values"),
        (lambda: go.join(sep="-", parts="a"), "unexpected keyword argument 'parts'"),
        (lambda: selfsame_ffi.get_global_func("ffi.GetKwargsObject")(x=1), "expected no keyword arguments, got 'x'"),
    ]:
        with pytest.raises(TypeError, match=want):
            call()


PICKLED = """
import pickle, sys
sys.path.insert(0, sys.argv[1])
f, bound, unbound = pickle.loads(bytes.fromhex(sys.argv[2]))
import signatures as go
assert f is go.search
print(f("x"), bound(1), unbound(go.Counter(5), 1))
"""


def test_functions_and_methods_are_pickled_by_name(go, go_packages):
    counter = go.Counter(3)
    data = pickle.dumps((go.search, counter.add, go.Counter.add))
    assert b"signatures" in data
    again = pickle.loads(data)
    assert again[0] is go.search
    done = subprocess.run(
        [sys.executable, "-c", PICKLED, str(go_packages), data.hex()],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(selfsame_ffi.__file__).parents[1])},
    )
    assert (done.stdout, done.stderr) == ("x3 [] 0 false 4 6\n", "")


def test_time_passes_while_a_call_without_a_context_runs(go):
    began = time.monotonic()
    go.sleep(datetime.timedelta(milliseconds=20))
    assert time.monotonic() - began >= 0.02


class Colour(enum.Enum):
    RED = 1
    DAY = datetime.date(2026, 7, 1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (datetime.datetime(2026, 7, 1, 12, 30, tzinfo=UTC), "time.Time 2026-07-01 12:30:00 +0000 UTC"),
        (datetime.date(2026, 7, 1), "time.Time 2026-07-01 00:00:00 +0000 UTC"),
        (SECOND, "time.Duration 1s"),
        (pathlib.PurePosixPath("/tmp/x"), "string /tmp/x"),
        (uuid.UUID(int=1), "string 00000000-0000-0000-0000-000000000001"),
        (Colour.RED, "int64 1"),
        (Colour.DAY, "time.Time 2026-07-01 00:00:00 +0000 UTC"),
        (1j, "complex128 (0+1i)"),
        (2**70, "*big.Int 1180591620717411303424"),
        (collections.deque([1, 2]), "[]interface {} [1 2]"),
        (types.MappingProxyType({"a": 1}), "map[string]interface {} map[a:1]"),
        ({"a": 1}.keys(), "[]interface {} [a]"),
        (frozenset([1]), "[]interface {} [1]"),
        (range(2), "[]interface {} [0 1]"),
        (bytearray(b"ab"), "[]uint8 [97 98]"),
    ],
    ids=str,
)
def test_values_of_any_type_become_those_of_go(go, value, shown):
    assert go.show_any(value) == shown
    assert go.show_inside({"x": value}) == shown


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (decimal.Decimal("1.5"), "got decimal.Decimal; pass it as a float or as a str"),
        (datetime.time(12, 30), r"got datetime.time; pass its isoformat\(\)"),
        (datetime.datetime(2026, 7, 1), "got a datetime without a time zone; give it one, as by astimezone"),
        (object(), "got object"),
        (iter([1]), "got list_iterator"),
    ],
    ids=str,
)
def test_values_without_a_counterpart_in_go_are_refused(go, value, message):
    for call in (lambda: go.show_any(value), lambda: go.show_inside({"x": value})):
        with pytest.raises(TypeError, match=message):
            call()
