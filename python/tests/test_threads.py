"""Threads: Python threads and native threads on the same natives."""

import gc
import sys
import threading

import pytest


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
    import time

    deadline = time.monotonic() + 20
    while native.live() > before and time.monotonic() < deadline:
        time.sleep(0.005)
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
        return ran.wait(10)

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
