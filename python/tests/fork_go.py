"""Go packages built by the tool, in a forked child: calls that need Go are refused at once, all others work.

Usage: fork_go.py FOLDER     the folder with the packages geo and inventory

Prints "refused N, worked M" at the end, or the failure.
"""

from __future__ import annotations

import os
import signal
import sys

sys.path.insert(0, sys.argv[1])

import geo  # noqa: E402
import inventory  # noqa: E402
import selfsame_ffi  # noqa: E402

point = geo.Point(3.0, 4.0)
point.next = after = geo.Point(6.0, 8.0)
array = selfsame_ffi.Array([point, after])
store, item = inventory.Store(), inventory.Item("lamp", 5.0)
store.add(item)
norm, nearest = type(point).norm, geo.nearest
red = inventory.color("red")
assert nearest(array) is point and norm(point) == 5.0 and store.cheapest()[0] is item
scaled = selfsame_ffi.convert(lambda price: 2 * price)

# Constructors, methods and functions written in Go, with arguments whose conversion needs Go and with others.
REFUSED = {
    "constructor": lambda: geo.Point(1.0, 2.0),
    "constructor with a default": lambda: inventory.Item("chair"),
    "constructor without arguments": lambda: inventory.Store(),
    "method": lambda: point.norm(),
    "method of the class": lambda: norm(after),
    "method that takes an object": lambda: store.add(item),
    "method that returns objects": lambda: store.cheapest(1),
    "method that takes a callback": lambda: store.total(scaled),
    "method that makes a tensor": lambda: item.draw(2, 2),
    "function of objects": lambda: nearest(array),
    "function of a list": lambda: nearest([point]),
    "function by its name": lambda: inventory.color("red"),
    "function looked up again": lambda: selfsame_ffi.get_global_func("geo.nearest")(array),
    "printing, which asks Go": lambda: str(item),
    "a function that is registered": lambda: selfsame_ffi.register_global_func("sst.py.child", len),
}


def subclassed() -> None:
    class Mine(geo.Point):
        pass

    mine = Mine.__new__(Mine)
    mine.note = 1
    try:
        mine.__init__(1.0, 2.0)
    except RuntimeError:
        assert mine.note == 1 and selfsame_ffi.debug.tie(mine)["state"] == "Detached"
    else:
        raise AssertionError("a subclass was initialised")


def reads_and_writes() -> None:
    assert point.next is after and point.next.x == 6.0 and array[0] is point
    point.x, point.next = 5.0, None
    assert point.x == 5.0 and point.next is None
    assert item.name == "lamp" and store.items[0] is item and item.color is None
    item.color = red
    assert item.color is red and red.value == 1


def releases() -> None:
    """The last references to objects of Go classes are dropped, with and without a Go handle."""
    global point, after, array, store, item
    before = selfsame_ffi.debug.live_objects().get("geo.Point", 0)
    assert before >= 2
    del point, after, array
    left = selfsame_ffi.debug.live_objects().get("geo.Point", 0)
    assert left <= before, (before, left)
    del store, item


WORKS = [reads_and_writes, subclassed, lambda: scaled(2) == 4 or 1 / 0, releases]


def child() -> None:
    for name, use in REFUSED.items():
        try:
            use()
        except RuntimeError as error:
            assert "forked child" in str(error) and "spawn" in str(error), f"{name}: {error}"
        else:
            raise AssertionError(f"{name}: not refused")
    for work in WORKS:
        work()


def main() -> None:
    pid = os.fork()
    if pid == 0:
        signal.alarm(120)  # kills a child that hangs
        try:
            child()
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    # The parent and its Go runtime still work.
    assert norm(after) == 10.0 and geo.Point(5.0, 12.0).norm() == 13.0 and nearest(array) is point
    assert store.total(scaled) == 10.0 and item.color is None
    if status == 0:
        print(f"refused {len(REFUSED)}, worked {len(WORKS)}")
    elif os.WIFSIGNALED(status):
        print("ended by signal", os.WTERMSIG(status))


main()
