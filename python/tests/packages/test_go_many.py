"""Many calls of a Go function in one: in a list's or an array's order, in turn or on all cores."""

# Requirement: D10

import array
import asyncio
import gc
import os
import sys
import threading

import pytest
import selfsame_ffi
from interrupts import interrupt_main_thread
from selfsame_ffi._calls import many as _many

numpy = pytest.importorskip("numpy")

both = pytest.mark.parametrize("parallel", [False, True])


def live_counters():
    return selfsame_ffi.debug.live_objects().get("signatures.Counter", 0)


@both
@pytest.mark.parametrize("n", [0, 1, 2, 31, 5000])
def test_results_are_those_of_single_calls_in_order(go, n, parallel):
    numbers, floats = list(range(n)), [i + 0.25 for i in range(n)]
    texts = [f"text number {i}" for i in range(n)]
    blobs = [b"bytes number %d" % i for i in range(n)]
    for function, columns in [
        (go.half, (floats,)),
        (go.half, (numbers,)),
        (go.half, ([*floats, 1, True, 2.5],)),
        (go.half32, (floats,)),
        (go.doubled, ([n + 2**62 for n in numbers],)),
        (go.less, (numbers, [n // 2] * n)),
        (go.add_bytes, ([i % 100 for i in numbers], (7,) * n)),
        (go.scaled, (floats, floats)),
        (go.scaled, (floats,)),
        (go.shouted, (texts,)),
        (go.shouted, (["short", "", "ä", "nul\0in it", "long and nul\0"],)),
        (go.text_length, (texts,)),
        (go.has_text, (["", *texts],)),
        (go.reversed_bytes, (blobs,)),
        (go.sum_of, ([floats[:3], (1.0, 2), [], [n]],)),
        (go.nothing_of, (numbers,)),
    ]:
        expected = list(map(function, *columns))
        made = function.map(*columns, parallel=parallel)
        assert made == expected
        assert [type(value) for value in made] == [type(value) for value in expected]
        assert list(function.imap(*columns, parallel=parallel)) == expected


@both
def test_objects_keep_their_identity(go, parallel):
    before = live_counters()
    counters = go.new_counters_until.map(range(100), parallel=parallel)
    assert [counter.n for counter in counters] == list(range(100))
    assert all(a is b for a, b in zip(go.same_counter.map(counters, parallel=parallel), counters))
    assert go.Counter.labelled.map(counters, ["n"] * 100, parallel=parallel) == [f"n {i}" for i in range(100)]
    assert selfsame_ffi.map(counters[5].labelled, ["a", "b"], parallel=parallel) == ["a 5", "b 5"]
    assert counters[5].labelled.map(["a", "b"], parallel=parallel) == ["a 5", "b 5"]
    assert list(counters[5].labelled.imap(["a", "b"])) == ["a 5", "b 5"]
    del counters
    gc.collect()
    selfsame_ffi.collect()
    assert live_counters() == before


@both
@pytest.mark.parametrize("step", [1, 2, -1])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint8", "bool"])
def test_arrays_give_arrays(go, dtype, step, parallel):
    numbers = numpy.arange(200).astype(dtype)[::step]
    made = go.half.map(numbers, parallel=parallel)
    assert type(made) is numpy.ndarray and made.dtype == "float64"
    assert made.tolist() == [go.half(float(x)) for x in numbers]
    assert go.half32.map(numbers, parallel=parallel).dtype == "float32"
    if dtype == "int64":
        assert go.less.map(numbers, [50] * 200, parallel=parallel).dtype == "bool"
        assert go.doubled.map(numbers, parallel=parallel) == [2 * int(n) for n in numbers]  # no array for uint64


def test_an_array_of_the_standard_library_gives_one(go):
    made = go.half.map(array.array("d", [1, 2, 3]))
    assert (type(made), made.typecode, list(made)) == (array.array, "d", [0.5, 1.0, 1.5])
    assert go.half.map(array.array("d", [1, 2, 3]), progress=lambda *_: None) == made
    assert go.less.map(array.array("q", [1, 2]), [2, 2]) == [True, False]


def test_arrays_of_more_dimensions_are_rows(go):
    assert go.sum_of.map(numpy.arange(6.0).reshape(2, 3)).tolist() == [3.0, 12.0]


def test_iterables_end_with_the_shortest(go):
    def endless():
        n = 0
        while True:
            yield n
            n += 1

    assert go.less.map(endless(), [1, 1, 1]) == [True, False, False]
    assert go.evenly.map(iter([2, 4])) == [1, 2]
    assert go.half.map({1.0: "a", 2.0: "b"}) == [0.5, 1.0]
    first = go.half.imap(endless())
    assert [next(first) for _ in range(100)] == [i / 2 for i in range(100)]
    with pytest.raises(TypeError, match="map: expected an iterable for each argument of the function, got none"):
        go.half.map()
    with pytest.raises(TypeError, match="^map: iterable 1: expected an iterable of arguments, got int"):
        go.half.map(1)
    with pytest.raises(TypeError, match="^imap: iterable 2: expected an iterable of arguments, got NoneType"):
        go.less.imap([1], None)
    with pytest.raises(TypeError, match=r"^map\w*\(\) got an unexpected keyword argument 'x'"):
        go.half.map(x=[1])
    with pytest.raises(TypeError, match="map: argument 'function': expected a callable, got int"):
        selfsame_ffi.map(1, [])


@both
@pytest.mark.parametrize("at", [0, 1, 7, 999])
def test_an_error_has_the_number_of_the_first_item_that_fails(go, at, parallel):
    numbers = [2 * i for i in range(1000)]
    numbers[at] += 1
    numbers[-1] = 1
    for columns in ((numbers,), (numpy.array(numbers),), (tuple(numbers),)):
        with pytest.raises(RuntimeError, match=f"^{numbers[at]} is odd") as failed:
            go.evenly.map(*columns, parallel=parallel)
        assert failed.value.item == at
        if sys.version_info >= (3, 11):
            assert failed.value.__notes__ == [f"in the call for item {at}"]
    got = []
    with pytest.raises(RuntimeError, match=f"^{numbers[at]} is odd") as failed:
        got.extend(iter(go.evenly.imap(numbers, parallel=parallel)))
    assert failed.value.item == at
    results = go.evenly.imap(numbers, parallel=parallel)
    assert [next(results) for _ in range(at)] == list(range(at))
    with pytest.raises(RuntimeError):
        next(results)


@both
def test_what_failed_before_and_after_is_released(go, parallel):
    before = live_counters()
    with pytest.raises(RuntimeError, match="negative") as failed:
        go.new_counters_until.map([1, 2, 3, -1, 5, 6], parallel=parallel)
    assert failed.value.item == 3
    results = go.new_counters_until.imap([1, 2, 3, -1, 5, 6], parallel=parallel)
    assert [next(results).n for _ in range(3)] == [1, 2, 3]
    with pytest.raises(RuntimeError, match="negative"):
        next(results)
    del results
    gc.collect()
    selfsame_ffi.collect()
    assert live_counters() == before


@both
def test_refused_items_and_panics_say_where(go, parallel):
    with pytest.raises(TypeError, match="signatures.half: argument 'x': expected float, got str") as failed:
        go.half.map([1.0, 2.0, "3"], parallel=parallel)
    assert failed.value.item == 2
    with pytest.raises(UnicodeEncodeError, match="map: argument 1: ") as failed:
        go.shouted.map(["a", "\ud800"], parallel=parallel)
    assert failed.value.item == 1
    with pytest.raises(OverflowError) as failed:
        go.less.map(numpy.array([1, 2**63], dtype="uint64"), [1, 2], parallel=parallel)
    assert failed.value.item == 1
    with pytest.raises(RuntimeError, match="three") as failed:
        go.panics_on.map([1, 2, 3, 4], parallel=parallel)
    assert failed.value.item == 2
    with pytest.raises(TypeError, match="signatures.less"):
        go.less.map([1, 2], parallel=parallel)


@both
@pytest.mark.parametrize("at", [0, 255, 256, 700])
def test_texts_that_are_refused_have_their_numbers(go, at, parallel):
    def live():
        gc.collect()
        return selfsame_ffi.debug.live_objects().get("ffi.String", 0)

    before = live()
    for bad, error, message in (
        ("torn", ValueError, "its result: The string is not UTF-8 at byte 9"),
        ("panic", RuntimeError, "torn"),
        (5, TypeError, "expected str, got int"),
        (b"bytes of some length", TypeError, "expected str, got bytes"),
        (None, TypeError, "expected str, got None"),
    ):
        texts = [f"text number {i}" for i in range(1000)]
        texts[at] = bad
        with pytest.raises(error, match=message) as failed:
            go.torn.map(texts, parallel=parallel)
        assert failed.value.item == at
        results = go.torn.imap(texts, parallel=parallel)
        assert [next(results) for _ in range(at)] == texts[:at]
        with pytest.raises(error, match=message):
            next(results)
        del results, failed
    assert live() == before
    go.kept_texts()


def test_texts_that_a_func_keeps_stay(go):
    go.kept_texts()
    texts = ["", "short", *(f"text number {i} {'x' * (i % 100)}" for i in range(3000)), "ä \U0001f600"]
    assert go.torn.map(iter(texts)) == texts
    assert go.torn.map([str(i) * 5 for i in range(3000)])[-1] == "2999" * 5
    gc.collect()
    selfsame_ffi.collect()
    assert go.kept_texts()[: len(texts)] == texts


PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.skipif(PROCESSORS < 2, reason="needs two processors")
def test_parallel_calls_run_at_the_same_time(go):
    assert go.pair_up.map([2, 2], parallel=True) == [2, 2]


@both
def test_callbacks_run_and_their_exceptions_come_back(go, parallel):
    def twice(n):
        if n == 3:
            raise error
        return 2 * n

    error = KeyError("three")
    assert go.call_with.map([twice] * 3, [0, 1, 2], parallel=parallel) == [0, 2, 4]
    with pytest.raises(KeyError) as failed:
        go.call_with.map([twice] * 5, [0, 1, 2, 3, 4], parallel=parallel)
    assert failed.value is error and error.item == 3


def test_progress_is_told(go):
    seen = []
    assert go.half.map(range(100), progress=lambda *numbers: seen.append(numbers)) == [i / 2 for i in range(100)]
    assert seen[0] == (1, 100) and seen[-1] == (100, 100) and seen == sorted(set(seen))
    made = go.half.map(numpy.arange(100.0), progress=lambda *_: None)
    assert made.dtype == "float64" and made.tolist() == [i / 2 for i in range(100)]
    with pytest.raises(ZeroDivisionError):
        go.half.map([1.0], progress=lambda *_: 1 / 0)
    with pytest.raises(RuntimeError) as failed:
        go.evenly.map([0] * 50 + [1], progress=lambda *_: None)
    assert failed.value.item == 50


def test_errors_of_parts_name_the_item_as_in_the_whole(go):
    def note(error):
        return getattr(error, "__notes__", ["in the call for item 50"])

    for failing in (lambda items: list(go.evenly.imap(items)), lambda items: go.evenly.map(items, progress=print)):
        for wrong in (1, "text"):
            with pytest.raises((RuntimeError, TypeError)) as failed:
                failing([0] * 50 + [wrong, 0])
            assert failed.value.item == 50
            assert note(failed.value)[-1] == "in the call for item 50"
    with pytest.raises(ZeroDivisionError) as divided:
        list(selfsame_ffi.convert(lambda n: 1 // n).imap([1] * 50 + [0]))
    assert divided.value.item == 50 and note(divided.value)[-1] == "in the call for item 50"


def test_what_is_known_of_batches_is_no_attribute(go):
    made = selfsame_ffi.convert(lambda n: n)
    assert selfsame_ffi._core.batch_kind(made) == 0
    _many.note_dtypes(made, '{"type_schema": "{}"}')
    assert selfsame_ffi._core.batch_kind(made) == 0
    _many.note_dtypes(made, '{"dtypes": ["int64", "int64"]}')
    assert selfsame_ffi._core.batch_kind(made) > 0
    assert not any(isinstance(owned, dict) for owned in gc.get_referents(made))
    with pytest.raises(OverflowError):
        selfsame_ffi._core.batch_kind(made, 1 << 32)


@both
@pytest.mark.parametrize("function", ["count_item", "until_done"])
def test_control_c_ends_the_calls(go, function, parallel):
    def interrupt():
        go.await_busy()
        interrupt_main_thread()

    go.items_called()
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    numbers = range(1_000_000)
    with pytest.raises(KeyboardInterrupt):
        getattr(go, function).map(numbers, parallel=parallel)
    interrupter.join()
    assert go.items_called() < len(numbers)


def test_a_cancelled_task_ends_the_calls(go):
    go.items_called()

    async def cancelled():
        call = asyncio.ensure_future(selfsame_ffi.aio(go.until_done.map)([1, 2, 3]))
        await asyncio.get_running_loop().run_in_executor(None, go.await_busy)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(cancelled())


@both
def test_functions_of_other_languages_are_mapped(native, parallel):
    double = selfsame_ffi.convert(lambda n: 2 * n)
    assert double.map(range(10), parallel=parallel) == [2 * n for n in range(10)]
    assert list(double.imap(range(10), parallel=parallel)) == [2 * n for n in range(10)]
    with pytest.raises(ZeroDivisionError) as failed:
        selfsame_ffi.convert(lambda n: 1 // n).map([1, 2, 0, 3], parallel=parallel)
    assert failed.value.item == 2
    pair = selfsame_ffi.get_global_func("ffi.Array")
    assert [list(made) for made in pair.map(["a", 1, None], [2, 3, 4], parallel=parallel)] == [
        ["a", 2],
        [1, 3],
        [None, 4],
    ]
