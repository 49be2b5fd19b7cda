"""Greenlets that call Go: a callback returns to Go in its turn, or its greenlet waits; nothing aborts or hangs."""

# Requirement: C12

import os
import subprocess
import sys

import pytest

START = """
import gc, sys
import inventory
store = inventory.Store()
store.add(inventory.Item("x", 2.0))
"""

RAW = """
import greenlet
main = greenlet.getcurrent()
def under_go():
    '''A greenlet that is suspended in a callback from Go.'''
    made = greenlet.greenlet(lambda: store.total(lambda price: (main.switch(), price)[1]))
    made.switch()
    return made
def refused(switch):
    try:
        switch()
    except RuntimeError as error:
        assert "cannot return to Go before" in str(error), error
        return True
"""


def run(go_packages, *parts):
    """What a program prints. It must end by itself, without a signal."""
    paths = [str(go_packages), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-W", "ignore", "-X", "faulthandler", "-c", "".join(parts)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr[-4000:]
    return result


def run_with(package, go_packages, part, body):
    """What `run` gives of a program in which calls under Go are greenlets of a package."""
    pytest.importorskip(package)
    return run(go_packages, START, part, body)


def test_nested_calls_return_in_order(go_packages):
    run_with(
        "greenlet",
        go_packages,
        RAW,
        """
first, second, third = under_go(), under_go(), under_go()
assert [g.switch() for g in (third, second, first)] == [2.0] * 3
assert first.dead and second.dead and third.dead
""",
    )


def test_switch_that_breaks_the_order_raises(go_packages):
    run_with(
        "greenlet",
        go_packages,
        RAW,
        """
first, second, third = under_go(), under_go(), under_go()
for _ in range(2):
    assert refused(first.switch) and refused(second.switch)
assert not first.dead and not second.dead
assert third.switch() == 2.0 and refused(first.switch)
assert second.switch() == 2.0 and first.switch() == 2.0
assert first.dead and second.dead and third.dead
""",
    )


def test_main_greenlet_ends_the_greenlet_that_keeps_it_from_returning(go_packages):
    run_with(
        "greenlet",
        go_packages,
        RAW,
        """
def body():
    try:
        store.total(lambda price: main.switch())
    except RuntimeError as error:
        return str(error)
inner = greenlet.greenlet(body)
ended = []
def price_of(price):
    inner.switch()
    return price
assert store.total(price_of) == 2.0
assert inner.dead
""",
    )


def test_exception_thrown_into_a_waiting_greenlet_is_its_callbacks_error(go_packages):
    run_with(
        "greenlet",
        go_packages,
        RAW,
        """
first, second = under_go(), under_go()
assert refused(first.switch)
assert refused(lambda: first.throw(ValueError("given up")))  # still not its turn
assert second.switch() == 2.0
try:
    first.switch()
except Exception as error:
    assert "given up" in str(error)
else:
    raise AssertionError("the exception is lost")
assert first.dead
""",
    )


def test_dropped_greenlets_end_without_harm(go_packages):
    run_with(
        "greenlet",
        go_packages,
        RAW,
        """
first, second = under_go(), under_go()
del first  # cannot be ended in its turn: greenlet reports it
assert second.switch() == 2.0
kept = [under_go() for _ in range(3)]  # suspended in Go at exit
""",
    )


def test_returns_through_cxx_need_no_order(native):
    greenlet = pytest.importorskip("greenlet")
    main = greenlet.getcurrent()

    def suspended(value):
        made = greenlet.greenlet(lambda: native.apply(lambda given: (main.switch(), given)[1], value))
        made.switch()
        return made

    first, second = suspended(1), suspended(2)
    assert (first.switch(), second.switch()) == (1, 2)


GEVENT = """
import gevent, gevent.event
store.add(inventory.Item("y", 3.0))
def job(n):
    def price_of(price):
        gevent.sleep(0.001 * (n * 7 % 5))
        return price + n
    return store.total(price_of)
"""


def test_gevent_greenlets_wait_for_their_turn(go_packages):
    run_with(
        "gevent",
        go_packages,
        GEVENT,
        """
spawned = [gevent.spawn(job, n) for n in range(8)]
assert job(100) == 205.0  # the main greenlet takes part
gevent.joinall(spawned, raise_error=True)
assert [one.value for one in spawned] == [5.0 + 2 * n for n in range(8)]
""",
    )


def test_gevent_greenlet_is_killed_while_it_waits(go_packages):
    run_with(
        "gevent",
        go_packages,
        GEVENT,
        """
event = gevent.event.Event()
early = gevent.spawn(lambda: store.total(lambda price: (gevent.sleep(0.001), price)[1]))
gevent.sleep(0)
late = gevent.spawn(lambda: store.total(lambda price: (event.wait(), price)[1]))
gevent.sleep(0.05)
assert not early.dead
early.kill(block=False)
gevent.sleep(0.01)
event.set()
gevent.joinall([early, late])
assert late.value == 5.0 and early.dead and early.value != 5.0
""",
    )
