"""Helpers for tests with threads: start threads together, and switch between them often."""

import sys
import threading

import pytest


def run(count, target):
    """Call `target(i)` on `count` threads at the same time, join them, and raise the first exception of any of them."""
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
    """The GIL changes hands every 10 microseconds. Tests that import this fixture get it automatically."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)
