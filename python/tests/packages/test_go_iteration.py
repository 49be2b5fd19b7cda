"""Iterators between Go and Python: in batches ahead of Python, or one element at a time; any iterable in Go."""

# Requirement: D10

import gc
import itertools
import threading

import pytest
import selfsame_ffi
from waiting import wait_until

MOST_AHEAD = 256


def live_counters():
    return selfsame_ffi.debug.live_objects().get("signatures.Counter", 0)


def test_iterators_are_lazy(go):
    squares = go.squares()
    assert go.looping() == 0
    assert list(itertools.islice(squares, 5)) == [0, 1, 4, 9, 16]
    assert go.looping() == 1
    squares.close()
    wait_until(lambda: go.looping() == 0, "the loop of a closed iterator goes on")
    assert list(squares) == []
    with go.squares() as more:
        assert next(more) == 0
    wait_until(lambda: go.looping() == 0, "the loop goes on after the with block")
    for _ in go.squares():
        break
    gc.collect()
    wait_until(lambda: go.looping() == 0, "the loop of a dropped iterator goes on")
    assert list(go.Counter(3).upto()) == [0, 1, 2]


def test_iterators_of_pairs_and_errors(go):
    assert list(go.items({"b": 2, "a": 1})) == [("a", 1), ("b", 2)]
    failing = go.failing()
    assert next(failing) == 1
    with pytest.raises(KeyError, match="no more"):
        next(failing)
    assert list(failing) == []
    assert list(go.ticks(3)) == ["tick 0", "tick 1", "tick 2"]


def test_go_iterates_over_any_iterable(go):
    for values in ([1.5, 2], (1.5, 2), {1.5: "x", 2.0: "y"}, range(3), {1, 2}, iter([3.0]), (x / 2 for x in range(4))):
        copy = list(values) if not hasattr(values, "__next__") else None
        assert go.total(values) == (sum(copy) if copy is not None else 3)
    taken = []
    assert go.first_of(taken.append(n) or n for n in itertools.count(5)) == 5
    assert taken == [5]  # lazily
    assert go.collect({"a": 1}) == {"a": 1}
    assert go.collect((k, len(k)) for k in ["x", "yy"]) == {"x": 1, "yy": 2}
    with pytest.raises(TypeError, match="argument .values.: element 0: expected float, got str"):
        go.total(["x"])
    with pytest.raises(TypeError, match=r"expected Iterable\[float\], got object"):
        go.total(object())

    class Mine(Exception):
        pass

    def broken():
        yield 1.0
        raise raised

    raised = Mine("from the generator")
    with pytest.raises(Mine) as caught:
        go.total(broken())
    assert caught.value is raised


@pytest.mark.usefixtures("collected")
def test_iterators_that_fail_raise(go):
    numbers = go.fails_after(2)
    assert next(numbers) == 0 and next(numbers) == 1
    with pytest.raises(LookupError, match="no more than 2"):
        next(numbers)
    with pytest.raises(StopIteration):
        next(numbers)


@pytest.mark.usefixtures("collected")
def test_errors_of_iterables_reach_the_loop(go):
    def failing():
        yield 1
        yield 2
        raise KeyError("in the iterable")

    assert go.sum_or_fail(range(4)) == 6
    with pytest.raises(KeyError, match="after 3: .*in the iterable"):
        go.sum_or_fail(failing())
    with pytest.raises(TypeError, match="after 1: .*expected int, got str"):
        go.sum_or_fail([1, "2"])


@pytest.mark.parametrize("function", ["counting", "counting_lazily", "buffered"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 255, 256, 257, 5000])
def test_elements_come_in_order_and_once(go, function, n):
    assert list(getattr(go, function)(n)) == list(range(n))
    assert [row[0] for row in go.numbered(n)] == list(range(n))


def test_a_loop_runs_ahead_by_as_much_as_was_taken(go):
    go.elements_made()
    for taken in (1, 2, 3, 7, 100, 1000):
        numbers = go.counting(100_000)
        assert [next(numbers) for _ in range(taken)] == list(range(taken))
        made = go.elements_made()
        assert taken <= made <= min(2 * taken, taken + MOST_AHEAD)
        numbers.close()
        assert list(numbers) == []


TEXTS = ["", "few", "more than seven", "Grüße aus Köln", "zero \0 within", "x" * 9_000, "after a long one"]


def test_texts_come_as_they_were_when_the_loop_yielded_them(go):
    """The loop writes the memory of each text again for the next one, as code with unsafe.String may do."""
    texts = [*TEXTS, *(f"text number {i}" for i in range(2_000)), *reversed(TEXTS)]
    assert list(go.texts_yielded(texts)) == texts
    for left in (0, 1, 2, 3, 7, 300):
        loop = go.texts_yielded(texts)
        assert list(itertools.islice(loop, left)) == texts[:left]
        loop.close()
        assert list(loop) == []


def test_texts_are_asked_for_one_at_a_time_and_in_any_number(go):
    """The native iterator gives single elements, and keeps what a caller did not ask for."""
    texts = [*TEXTS, *(f"text number {i}" for i in range(40))]
    loop = go.texts_yielded(texts)
    ask = loop._next
    made = [*ask(5), ask(), *ask(20), *ask(1), ask()]
    while len(made) < len(texts):
        made += ask(3)
    assert made == texts
    with pytest.raises(StopIteration):
        ask()


@pytest.mark.parametrize("before", [0, 1, 2, 6, 300])
def test_a_text_that_is_not_utf_8_ends_the_loop_where_it_is(go, before):
    texts = [f"text number {i}" for i in range(before)]
    loop = go.texts_yielded([*texts, "wrong", "behind it"])
    assert [next(loop) for _ in texts] == texts
    with pytest.raises(ValueError, match="UTF-8"):
        next(loop)
    assert list(loop) == []


def test_threads_share_a_loop_of_texts(go):
    texts = [f"text number {i}" for i in range(3_000)]
    loop, got = go.texts_yielded(texts), []

    def take():
        for text in loop:
            got.append(text)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted(texts)


@pytest.mark.parametrize("function", ["counting_lazily", "numbered_lazily"])
def test_a_lazy_loop_makes_one_element_at_a_time(go, function):
    go.elements_made()
    numbers = getattr(go, function)(100)
    assert go.elements_made() == 0
    for _ in range(20):
        next(numbers)
        assert go.elements_made() == 1
    numbers.close()


def test_an_error_comes_after_the_elements_before_it(go):
    for n in (0, 1, 2, 5, 300):
        numbers = go.panics_after(n)
        assert [next(numbers) for _ in range(n)] == list(range(n))
        with pytest.raises(Exception, match="the loop broke"):
            next(numbers)
        assert list(numbers) == []


def test_a_loop_that_waits_hands_over_what_it_has(go):
    for n in (1, 2, 3, 6, 100, 600):
        numbers = go.paused(n)
        assert [next(numbers) for _ in range(n)] == list(range(n))
        opener = threading.Thread(target=go.go_on)
        opener.start()
        assert list(numbers) == [n]
        opener.join()


def test_objects_made_ahead_are_released(go):
    before = live_counters()
    with go.counters(10_000) as counters:
        kept = [next(counters) for _ in range(40)]
        assert [counter.add() for counter in kept] == list(range(40))
        assert live_counters() > before + 40
    del counters
    gc.collect()
    selfsame_ffi.collect()
    assert live_counters() == before + 40
    del kept
    selfsame_ffi.collect()
    assert live_counters() == before


def test_an_element_that_python_drops_is_gone_before_its_batch(go):
    selfsame_ffi.collect()
    before = live_counters()
    counters = go.counters(64)
    for _ in range(33):
        next(counters)  # the batch of 32 has begun
    selfsame_ffi.collect()
    assert live_counters() - before <= 31
    counters.close()


def test_threads_share_an_iterator(go):
    numbers, taken = go.counting(20_000), [[], []]
    threads = [threading.Thread(target=mine.extend, args=(numbers,)) for mine in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken[0] + taken[1]) == list(range(20_000))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 255, 256, 257, 3000])
def test_go_takes_the_elements_of_an_iterable_in_order_and_once(go, n):
    for ahead in (iter, selfsame_ffi.ahead):
        assert go.collect_floats(ahead(x / 2 for x in range(n))) == [x / 2 for x in range(n)]
        assert go.collect_texts(ahead(f"text {x}" for x in range(n))) == [f"text {x}" for x in range(n)]
        counters = [go.Counter(i) for i in range(n)]
        assert all(a is b for a, b in zip(go.collect_counters(ahead(counters)), counters))
        assert go.collect_lists(ahead([float(x)] for x in range(n))) == [[float(x)] for x in range(n)]
    assert len(go.collect_counters(set(counters))) == n
    floats = [float(x) for x in range(n)]
    assert go.collect_floats(range(n)) == go.collect_floats(dict.fromkeys(floats).keys()) == floats
    assert list(go.labels([f"{x}" for x in range(n)])) == [f"{x}" for x in range(n)]


def test_go_takes_the_numbers_of_an_array(go):
    numpy = pytest.importorskip("numpy")
    for numbers in (numpy.arange(6.0), numpy.arange(6)[::-2], numpy.arange(6, dtype="f4")[::2], numpy.zeros(0)):
        assert list(go.collect_floats(numbers)) == numbers.tolist()
        assert list(go.collect_floats(selfsame_ffi.from_dlpack(numbers.copy()))) == numbers.tolist()
    assert go.first_few(numpy.arange(9), 3) == [0, 1, 2]
    with pytest.raises(ValueError, match=r"expected a tensor of one dimension, got shape \[2 2\] \(argument #0"):
        go.collect_floats(numpy.ones((2, 2)))
    with pytest.raises(OverflowError, match="does not fit into 64 bits"):
        go.first_few(numpy.array([2**64 - 1], dtype="u8"), 1)


def test_an_iterable_runs_ahead_of_go_only_when_it_may(go):
    for taken in (1, 2, 3, 7, 100, 1000):
        numbers = itertools.count()
        assert go.first_few(selfsame_ffi.ahead(numbers), taken) == list(range(taken))
        assert taken <= next(numbers) <= min(2 * taken, taken + MOST_AHEAD)
        for function, values in ((go.first_few, iter), (go.first_few_lazily, selfsame_ffi.ahead)):
            for numbers in (itertools.count(), iter(range(2000)), (n for n in range(2000))):
                assert function(values(numbers), taken) == list(range(taken))
                assert next(numbers) == taken


def test_an_iterable_may_depend_on_what_go_does_with_its_elements(go):
    def crawl():
        while waiting:
            yield waiting.pop()

    waiting = ["root"]
    links = {"root": ["a", "b"], "b": ["c"]}
    seen = []

    def visit(name):
        seen.append(name)
        waiting.extend(links.get(name, ()))

    go.after_each(crawl(), visit)
    assert seen == ["root", "b", "c", "a"]


@pytest.mark.usefixtures("collected")
def test_an_error_of_an_iterable_comes_after_the_elements_before_it(go):
    def failing(n):
        yield from map(str, range(n))
        raise KeyError("in the iterable")

    for n, ahead in itertools.product((0, 1, 2, 5, 300), (iter, selfsame_ffi.ahead)):
        seen = []
        with pytest.raises(KeyError, match="in the iterable"):
            go.after_each(ahead(failing(n)), seen.append)
        assert seen == [str(i) for i in range(n)]
    with pytest.raises(TypeError, match="argument .values.: element 1: expected str, got int"):
        go.after_each(iter(["a", 1]), seen.append)
    assert seen[-1] == "a"
    with pytest.raises(OverflowError, match="int8"):
        go.collect_small(iter([1, 128]))
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        selfsame_ffi.ahead(1)


def test_batches_of_an_iterable_check_what_they_are_given():
    batches = selfsame_ffi._core.IterableBatches
    take = batches("abcde").take
    assert [take(2), take(1), take(9), take(1)] == [("a", "b"), ("c",), ("d", "e"), ()]
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"take: expected a number of elements from 1, got {wrong}"):
            take(wrong)
    with pytest.raises(TypeError):
        batches(1)
    with pytest.raises(RuntimeError, match="__init__ was not called"):
        batches.__new__(batches).take(1)


def test_lazy_is_for_iterators(go):
    assert "the option Lazy is for funcs that take or return an iter.Seq or iter.Seq2" in go.lazy_sum_refused()


def test_the_iterator_checks_what_it_is_given():
    with pytest.raises(TypeError, match="argument 'next_': expected a function, got int"):
        selfsame_ffi.Iterator(5)
    with pytest.raises(TypeError, match="expected an Array of elements from the Go loop, got int"):
        next(selfsame_ffi.Iterator(lambda *_: 5))
    bare = selfsame_ffi.Iterator.__new__(selfsame_ffi.Iterator)
    with pytest.raises(RuntimeError, match="__init__ was not called"):
        next(bare)
