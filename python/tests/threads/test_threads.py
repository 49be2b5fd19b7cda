"""Python threads and native threads use the same native objects."""

# Requirement: C12

import copy
import gc
import random
import threading

import pytest
import selfsame_ffi
from racing import fast_switches, run  # noqa: F401
from waiting import PATIENCE, wait_until


def test_many_threads_get_one_wrapper(native):
    owner = native.Node(native.Leaf(3))
    first = id(owner.x)

    def fetch(_):
        for _ in range(500):
            assert id(owner.x) == first
            assert native.echo(owner.x) is owner.x

    run(16, fetch)


def test_many_threads_share_the_state_of_an_object(native):
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


def test_calls_and_releases_on_many_threads_balance(native):
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


def test_collector_may_run_while_threads_make_objects(native):
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


def test_native_threads_may_call_back_at_once(native):
    results = []

    def call(i):
        for k in range(50):
            results.append(native.apply_on_thread(lambda value: value + 1, k))

    run(6, call)
    assert len(results) == 300


def test_gil_is_released_during_a_native_call(native):
    leaf = native.Leaf(1)
    ran = threading.Event()
    thread = threading.Thread(target=ran.set)

    def callback(_):
        thread.start()
        return ran.wait(PATIENCE)

    assert native.apply_on_thread(callback, leaf) is True
    thread.join()


def test_collector_may_run_while_native_code_changes_an_object(native):
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


# ---- one object, everything at once ----


@pytest.mark.parametrize("rich", [False, True])
def test_object_survives_sixteen_threads(native, rich):
    owner = native.Node(native.rich(7) if rich else native.Leaf(7))
    references = native.owners(owner.x)
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
                assert selfsame_ffi.debug.tie(owner.x)["strong"] >= 2

    run(16, hammer)
    assert owner.x.value == 7
    # drop_later releases on native threads.
    wait_until(lambda: native.owners(owner.x) == references, "native threads do not let go")


def test_threads_may_change_one_list(native):
    """As with a Python list, every value that was added is taken out once."""
    shared = selfsame_ffi.List([])
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


def test_threads_may_change_one_dict(native):
    shared = selfsame_ffi.Dict({})

    def work(i):
        for k in range(60):
            shared[f"{i}.{k}"] = native.Leaf(k)
            assert shared[f"{i}.{k}"].value == k
            if k % 2:
                del shared[f"{i}.{k}"]

    run(8, work)
    assert len(shared) == 8 * 30


@pytest.mark.parametrize("name", ["x", "y"])
def test_threads_may_change_one_field(native, name):
    owner = native.Odd()  # the setter of y is a Function
    setattr(owner, name, native.Leaf(0))

    def work(i):
        for k in range(200):
            setattr(owner, name, native.Leaf(k))
            assert 0 <= getattr(owner, name).value < 200

    run(8, work)


def test_threads_may_change_a_field_of_a_copied_object(native):
    owner = native.rich(0)
    clone = selfsame_ffi._core.clone  # the first step of copy.copy

    def work(i):
        if i == 0:
            for k in range(100_000):
                owner.x = native.Leaf(k)
        else:
            for _ in range(100_000):
                clone(owner)

    for _ in range(5):
        run(2, work)


@pytest.mark.parametrize("pair_in_a_list", [False, True])
def test_threads_may_change_a_converted_dict_or_pair(pair_in_a_list):
    """Threads convert a Python dict, or a pair of key and value in a list, while others change it."""
    plain = {}
    pair = ["a key on the heap", ""]

    def body(i):
        for k in range(6000):
            text = f"made again: {k} times"
            if pair_in_a_list and i < 4:
                pair[:] = [text, text + "."]
            elif pair_in_a_list:
                ((key, value),) = selfsame_ffi.Map([pair]).items()
                assert value in ("", key + ".")
            elif i < 4:
                plain[f"key {k % 20} of {i}"] = text
                if k % 30 == 0:
                    plain.clear()
            else:
                assert all(value.startswith("made again") for value in selfsame_ffi.convert(plain).values())

    run(8, body)


def test_threads_get_one_class_for_a_new_type(native):
    """Several threads may need the class at the same time, but only one makes it."""
    seen = []
    run(8, lambda i: seen.append(type(native.classless("sst.Classless3"))))
    assert len(set(seen)) == 1


def test_repr_is_the_same_on_many_threads(native):
    leaf = native.Leaf(3)
    texts = []
    run(8, lambda i: [texts.append(repr(leaf)) for _ in range(50)])
    assert set(texts) == {repr(leaf)}


def test_class_may_get_attributes_while_its_objects_are_copied(native):
    class Growing(native.Rich):
        pass

    def work(i):
        thing = Growing(1)
        for k in range(3000):
            if i == 0:
                setattr(Growing, f"attribute_{k}", k)
            elif i == 1:
                repr(thing)
            else:
                copy.copy(thing)

    run(3, work)


def test_threads_get_one_shape(native):
    """A native Shape is one tuple as long as any thread refers to that."""
    owner = selfsame_ffi.Array([selfsame_ffi.Shape((2, 3))])

    def fetch(_):
        for _ in range(200):
            shape = owner[0]
            assert shape == (2, 3) and owner[0] is shape
            del shape

    run(8, fetch)
