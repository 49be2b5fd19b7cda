"""C12: Python threads and native threads on the same natives; releases on threads that must not wait."""

import copy
import gc
import random
import sys
import threading
import time

import pytest
import selfsame
from conftest import PATIENCE, wait_for_queue, wait_until


def run(count, target):
    errors = []
    barrier = threading.Barrier(count)

    def body(i):
        try:
            barrier.wait()
            target(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.fixture(autouse=True)
def fast_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_many_threads_fetch_one_object(native):
    owner = native.Node(native.Leaf(3))
    first = id(owner.x)

    def fetch(_):
        for _ in range(500):
            assert id(owner.x) == first
            assert native.echo(owner.x) is owner.x

    run(16, fetch)


def test_many_threads_fetch_one_stateful_object(native):
    owner = native.Node(native.rich(3))
    owner.x.count = 0
    lock = threading.Lock()

    def fetch(_):
        for _ in range(200):
            with lock:
                owner.x.count += 1
            native.echo(owner.x)

    run(8, fetch)
    assert owner.x.count == 1600


def test_stores_and_releases_on_all_sides(native):
    def churn(i):
        for k in range(100):
            leaf = native.Leaf(k)
            native.drop_later(leaf)
            assert native.echo(leaf) is leaf
            assert native.apply_on_thread(lambda value: value, leaf) is leaf

    before = native.live()
    run(4, churn)
    wait_until(lambda: native.live() <= before, "native threads do not let go")
    assert native.live() == before


def test_collector_runs_meanwhile(native):
    stop = threading.Event()

    def work(i):
        if i == 0:
            while not stop.is_set():
                gc.collect()
            return
        for k in range(100):
            owner = native.Node(native.rich(k))
            owner.x.note = owner.x
            del owner
        if i == 1:
            stop.set()

    run(4, work)


def test_callbacks_from_native_threads_at_once(native):
    results = []

    def call(i):
        for k in range(50):
            results.append(native.apply_on_thread(lambda value: value + 1, k))

    run(6, call)
    assert len(results) == 300


def test_lock_is_released_during_a_native_call(native):
    leaf = native.Leaf(1)
    ran = threading.Event()
    thread = threading.Thread(target=ran.set)

    def callback(_):
        thread.start()
        return ran.wait(PATIENCE)

    assert native.apply_on_thread(callback, leaf) is True
    thread.join()


def test_collector_while_native_code_changes_an_object(native):
    plain = native.Plain()
    done = threading.Event()

    def churn():
        native.churn(plain, 20000)
        done.set()

    thread = threading.Thread(target=churn)
    thread.start()
    while not done.is_set():
        gc.collect()
    thread.join()
    assert plain.x.value == 19999


# ---- releases on native threads ----


class Held:
    """A function of the extension, called with the interpreter lock held throughout."""

    def __init__(self, function):
        self.function = function

    def __enter__(self):
        self.before = self.function.release_gil
        self.function.release_gil = False
        return self.function

    def __exit__(self, *_):
        self.function.release_gil = self.before


def fill(native, count, make):
    for i in range(count):
        native.storm_add(make(i))


class Payload:
    """Travels as an opaque object; tells when it dies."""

    died = 0

    def __del__(self):
        Payload.died += 1


def kinds(native):
    def kept_block(i):
        leaf = native.Leaf(i)
        native.storm_add(leaf)  # its wrapper dies first: the native keeps the block
        return leaf

    return [lambda i: (lambda: i), kept_block, lambda i: native.rich(i), lambda i: Payload()]


def test_last_release_while_the_interpreter_is_busy(native):
    """The native thread is joined by a thread that keeps the interpreter lock: it cannot have waited for it."""
    Payload.died = 0
    for make in kinds(native):
        fill(native, 20, make)
        gc.collect()
        with Held(native.storm) as storm:
            storm(1)
    selfsame.debug.counters()
    assert Payload.died == 20


def test_native_lock_held_across_a_release(native):
    """A thread releases under a native lock; the holder of the interpreter wants that lock."""
    for make in kinds(native):
        fill(native, 10, make)
        gc.collect()
        with Held(native.release_under_lock) as release:
            assert release(60.0) is True


@pytest.mark.parametrize("keep_lock", [False, True])
def test_release_storm(native, keep_lock):
    """16 native threads drop what they own at once, while Python threads come and go."""
    Payload.died = 0
    makers = kinds(native)
    fill(native, 1600, lambda i: makers[i % 4](i))
    gc.collect()
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            assert native.echo(native.Node(native.Leaf(1)).x).value == 1

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        if keep_lock:
            with Held(native.storm) as storm:
                storm(16)
        else:
            native.storm(16)
    finally:
        stop.set()
        thread.join()
    wait_for_queue()
    gc.collect()
    assert Payload.died == 400


def test_each_release_waits_once(native):
    """What is in the queue is the memory of what is dead: one entry for each, and none for what is alive."""
    for make, entries in zip(kinds(native), (1, 1, 0, 1)):  # a held wrapper keeps its native alive
        fill(native, 50, make)
        gc.collect()
        before = selfsame.debug.counters()["releases_queued"]
        with Held(native.storm) as storm:
            storm(4)
        assert selfsame.debug.counters()["releases_queued"] - before == 50 * entries


@pytest.mark.parametrize("make", [lambda: selfsame.convert(lambda: 1), lambda: selfsame.opaque(Payload())])
@pytest.mark.parametrize("weak_first", [False, True])
def test_release_that_waits_with_a_native_weak_reference(native, make, weak_first):
    """The weak reference keeps the memory; it goes before the release has run, or after."""
    thing = make()
    native.weak_set(thing)
    native.keep(thing)
    del thing
    gc.collect()
    with Held(native.release_on_thread_then_weak if weak_first else native.release_on_thread) as release:
        release()
    wait_for_queue()
    assert native.weak_get() is None
    native.weak_clear()


def test_queue_is_emptied_while_the_main_thread_sleeps(native):
    """Nobody enters from Python: the main thread is in native code until the releases have run."""

    class Bumping:
        def __del__(self):
            native.bump()

    native.take_bumps()
    # Made on a thread that ends: a free-threaded CPython leaves a last release to the thread that made the object.
    run(1, lambda _: fill(native, 6000, lambda i: Bumping()))
    # All but the last thousand or so: a backlog that small waits for somebody to come by.
    assert native.storm_and_wait(4, 4000, PATIENCE) >= 4000
    wait_for_queue()
    assert native.take_bumps() == 6000


def test_pending_call_empties_the_queue(native):
    """A few releases: the main thread runs Python code, but enters nothing of selfsame's."""
    Payload.died = 0
    fill(native, 3, lambda i: Payload())
    ready = threading.Event()

    def from_a_thread():
        native.storm(1)
        ready.set()

    thread = threading.Thread(target=from_a_thread)
    thread.start()
    while not ready.is_set():
        pass
    thread.join()
    deadline = time.monotonic() + PATIENCE
    while Payload.died < 3 and time.monotonic() < deadline:
        sum(range(100))
    assert Payload.died == 3


# ---- one object, everything at once ----


@pytest.mark.parametrize("rich", [False, True])
def test_sixteen_threads_hammer_one_object(native, rich):
    owner = native.Node(native.rich(7) if rich else native.Leaf(7))
    references = native.use_count(owner.x)
    seed = random.randrange(1 << 30)
    print("seed", seed)

    def hammer(i):
        rng = random.Random(seed + i)
        for _ in range(150):
            kind = rng.randrange(6)
            if kind == 0:
                assert owner.x is owner.x
            elif kind == 1:
                assert native.echo(owner.x) is owner.x
            elif kind == 2:
                child = owner.x
                owner.x = child
            elif kind == 3:
                native.drop_later(owner.x)
            elif kind == 4:
                assert native.apply(lambda value: value, owner.x).value == 7
            elif rich:
                owner.x.note = i
            else:
                assert selfsame.debug.tie(owner.x)["strong"] >= 2

    run(16, hammer)
    assert owner.x.value == 7
    # drop_later lets go on threads of its own.
    wait_until(lambda: native.use_count(owner.x) == references, "native threads do not let go")


def test_threads_change_one_list(native):
    """As with a list of Python's: every value that was put in comes out once."""
    shared = selfsame.List([])
    taken = [[] for _ in range(8)]

    def work(i):
        for k in range(100):
            shared.append(i * 1000 + k)
            if k % 3 == 0:
                shared.insert(0, shared.pop())
            if k % 2:
                taken[i].append(shared.pop())
            for _ in zip(range(3), shared):
                pass

    run(8, work)
    values = sorted(list(shared) + [value for part in taken for value in part])
    assert values == [i * 1000 + k for i in range(8) for k in range(100)]


def test_threads_change_one_dict(native):
    shared = selfsame.Dict({})

    def work(i):
        for k in range(60):
            shared[f"{i}.{k}"] = native.Leaf(k)
            assert shared[f"{i}.{k}"].value == k
            if k % 2:
                del shared[f"{i}.{k}"]

    run(8, work)
    assert len(shared) == 8 * 30


def test_threads_change_one_field(native):
    owner = native.Node(native.Leaf(0))

    def work(i):
        for k in range(200):
            owner.x = native.Leaf(k)
            assert 0 <= owner.x.value < 200

    run(8, work)


def test_move_while_others_use(native):
    """A moved handle is refused or there: no thread sees half of a move."""
    for _ in range(60):
        leaf = native.Leaf(5)

        def use(i, leaf=leaf):
            try:
                if i == 0:
                    native.take(leaf._move())
                else:
                    assert leaf.value == 5
                    assert native.echo(leaf) is leaf
            except RuntimeError as error:
                assert "moved" in str(error)

        run(4, use)


def test_first_sight_of_a_class_on_many_threads(native):
    """Whoever makes the class first, all threads get the same one."""
    seen = []
    run(8, lambda i: seen.append(type(native.classless("sst.Classless3"))))
    assert len(set(seen)) == 1


def test_repr_on_many_threads(native):
    leaf = native.Leaf(3)
    texts = []
    run(8, lambda i: [texts.append(repr(leaf)) for _ in range(50)])
    assert set(texts) == {repr(leaf)}


def shows(thing, word):
    """A repr is for everybody: it tells when the object was moved away, and does not raise."""
    text = repr(thing)
    return word in text or "moved away" in text


class Race:
    """Threads that read objects, each of which one more thread gives away meanwhile."""

    def __init__(self, native):
        self.native = native

    def run(self, make, uses, rounds=30):
        """Each use is a function of the object that either returns what it should, or raises the moved-from error."""
        for _ in range(rounds):
            thing = make()

            def body(i, thing=thing):
                try:
                    if i == 0:
                        self.native.take_any(thing._move())
                        return
                    for use in uses:
                        assert use(thing), use
                except RuntimeError as error:
                    assert "moved" in str(error), error

            run(3, body)


def test_move_while_others_read_a_sequence(native):
    leaf = native.Leaf(5)
    other = selfsame.List([1, leaf, "a text on the heap"])
    uses = [
        lambda s: len(s) == 3,
        lambda s: s[1] is leaf and s[-2] is leaf,
        lambda s: s[:] == [1, leaf, "a text on the heap"],
        lambda s: list(s) == [1, leaf, "a text on the heap"],
        lambda s: 1 in s and leaf in s and "a text on the heap" in s and 2 not in s,
        lambda s: type(s) is selfsame.Array or s == other,
        lambda s: shows(s, "text"),
        lambda s: iter(s).__length_hint__() == 3 and len(s + [4]) == 4,
        lambda s: selfsame.debug.tie(s)["state"] in ("Active", "Moved"),
    ]
    for family in (selfsame.Array, selfsame.List):
        Race(native).run(lambda family=family: family([1, leaf, "a text on the heap"]), uses)


def test_move_while_others_change_a_list(native):
    leaf = native.Leaf(5)

    def change(made):
        made.append(leaf)
        made.insert(1, "a text on the heap")
        made[0] = leaf
        made[0:1] = [leaf, 2]
        made.extend([1, 2, 3])
        made[::2] = [leaf] * len(made[::2])
        made.reverse()
        made.pop()
        del made[0], made[::3]
        made.clear()
        return True

    # One thread changes it: what two do to it between them is anybody's order.
    for _ in range(60):
        made = selfsame.List([leaf] * 3)

        def body(i, made=made):
            try:
                native.take_any(made._move()) if i else change(made)
            except RuntimeError as error:
                assert "moved" in str(error), error

        run(2, body)


def test_move_while_others_read_a_mapping(native):
    leaf = native.Leaf(5)
    content = {"key": leaf, 1: 2, "another": "a text on the heap"}
    uses = [
        lambda m: len(m) == 3,
        lambda m: m["key"] is leaf and m[1] == 2,
        lambda m: "key" in m and "none" not in m,
        lambda m: m.get("none", 7) == 7,
        lambda m: dict(m.items()) == content,
        lambda m: set(m) == set(content) and len(list(m.values())) == 3,
        lambda m: shows(m, "key"),
        lambda m: m == type(m)(content),
    ]
    for family in (selfsame.Map, selfsame.Dict):
        Race(native).run(lambda family=family: family(content), uses)


def test_move_while_others_read_an_error(native):
    cause = selfsame.Error("ValueError", "cause")
    uses = [
        lambda e: e.kind == "KeyError" and e.message == "a message on the heap",
        lambda e: e.backtrace.startswith('  File "f.py"'),
        lambda e: e.update_backtrace('  File "f.py", line 2, in g\n') is None,
        lambda e: e.cause is cause,
        lambda e: isinstance(e.py_error(), KeyError),
        lambda e: shows(e, "message"),
        lambda e: selfsame.Error("E", "m", "", e).cause is e,
    ]
    # Not cause's own wrapper: what two threads' exceptions refer to is the same object as what is moved.
    Race(native).run(
        lambda: selfsame.Error("KeyError", "a message on the heap", '  File "f.py", line 1, in f\n', cause), uses
    )


def test_move_while_others_read_a_tensor(native):
    numpy = pytest.importorskip("numpy")
    source = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    uses = [
        lambda t: t.shape == (2, 3) and t.strides == (3, 1) and t.ndim == 2,
        lambda t: str(t.dtype) == "float32" and t.device.type == "cpu",
        lambda t: t.numel() == 6 and t.size(-1) == 3,
        lambda t: t.data_ptr() != 0 and t.is_contiguous(),
        lambda t: t.__dlpack_device__() == (1, 0),
        lambda t: numpy.from_dlpack(t)[1, 2] == 5,
        lambda t: selfsame.from_dlpack(t) is t,
    ]
    Race(native).run(lambda: selfsame.from_dlpack(source), uses)


def test_move_while_others_use_fields_and_functions(native):
    leaf = native.Leaf(5)

    def node():
        made = native.Node(leaf)
        made.any = "a text on the heap"
        return made

    def put(owner):
        owner.x = leaf
        return True

    uses = [
        lambda o: o.x is leaf and o.any == "a text on the heap",
        put,
        lambda o: native.echo(o) is o,
        lambda o: shows(o, "Node") and o.same_as(o),
        lambda o: copy.copy(o).x is leaf,
    ]
    Race(native).run(node, uses)
    Race(native).run(lambda: selfsame.convert(lambda value: value), [lambda f: f(leaf) is leaf, lambda f: f(1) == 1])


def test_threads_meet_one_shape(native):
    """The tuple of a native Shape is one as long as somebody holds it, whoever comes and goes."""
    owner = selfsame.Array([selfsame.Shape((2, 3))])

    def fetch(_):
        for _ in range(200):
            shape = owner[0]
            assert shape == (2, 3) and owner[0] is shape
            del shape

    run(8, fetch)
