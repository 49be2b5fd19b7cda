"""Events in which the interpreter or the package calls Python code, and the holder is made in that code."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import weakref
from importlib.util import find_spec
from typing import Any, Callable

from events import GIVES_COPY, NEEDS_BOX, NEEDS_NATIVE, Cell, after, around, event, replaced, run
from package import ffi, native


class Ends:
    """Calls a function when it is dropped."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work

    def __del__(self) -> None:
        self.work()


def in_collection(work: Callable[[], None], phase: str) -> None:
    """Call a function when a collection begins or ends."""
    called = []

    def callback(now: str, _: Any) -> None:
        if now == phase and not called:
            called.append(None)
            work()

    gc.callbacks.append(callback)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(callback)


def in_finalizer(work: Callable[[], None]) -> None:
    """Call a function in the finalizer of garbage."""
    ends = Ends(work)
    ends.me = ends
    del ends
    gc.collect()


def in_weak_callback(work: Callable[[], None]) -> None:
    """Call a function when a weak reference's object dies."""
    other = Ends(lambda: None)
    reference = weakref.ref(other, lambda _: work())
    del other
    assert reference() is None


def in_signal(work: Callable[[], None]) -> None:
    """Call a function in a signal's handler."""
    before = signal.signal(signal.SIGUSR1, lambda *_: work())
    try:
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


def in_trace(work: Callable[[], None]) -> None:
    """Call a function in a profiler."""

    def trace(*_: Any) -> None:
        sys.setprofile(None)
        work()

    sys.setprofile(trace)
    len(())


def in_task(work: Callable[[], None]) -> None:
    """Call a function in a task."""

    async def main() -> None:
        await asyncio.sleep(0)
        work()

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(main())
    finally:
        loop.close()


def in_generator(work: Callable[[], None]) -> None:
    """Call a function in a generator that native code's callback runs."""
    native.call(lambda _: list(work() for _ in (1,)), None)


def in_except(work: Callable[[], None]) -> None:
    """Call a function while an exception is handled."""
    try:
        native.call(lambda _: {}["no"], None)
    except KeyError:
        work()


def in_init(work: Callable[[], None]) -> None:
    """Call a function while an object is made."""

    class Made(type(ffi.Array([]))):
        def __init__(self) -> None:
            work()
            super().__init__([])

    Made()


def in_container_iteration(work: Callable[[], None]) -> None:
    """Call a function while a container is made from an iterator."""

    def items() -> Any:
        yield 1
        work()

    ffi.Array(list(items()))


for name, how in (
    ("when a collection begins", lambda work: in_collection(work, "start")),
    ("when a collection ends", lambda work: in_collection(work, "stop")),
    ("in a finalizer of garbage", in_finalizer),
    ("in `__del__`", lambda work: Ends(work)),
    ("in a weak reference's callback", in_weak_callback),
    ("in a signal's handler", in_signal),
    ("in a profiler", in_trace),
    ("in a task", in_task),
    ("in a generator in a callback", in_generator),
    ("while an exception is handled", in_except),
    ("while another object is made", in_init),
    ("while a container is made", in_container_iteration),
    ("in a context", lambda work: contextvars.copy_context().run(work)),
    ("in a callback of a callback", lambda work: native.call(lambda _: native.call(work, None), None)),
    ("with the collector on", lambda work: with_collector(work)),
):
    around(name)(functools.partial(lambda how, cell, rest: run(how, cell, rest), how))

if find_spec("greenlet"):
    import greenlet

    around("in a greenlet")(lambda cell, rest: run(lambda work: greenlet.greenlet(work).switch(), cell, rest))


def with_collector(work: Callable[[], None]) -> None:
    """Call a function with a collection at nearly each allocation."""
    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    gc.enable()
    try:
        work()
    finally:
        gc.disable()
        gc.set_threshold(*before)


# ---- what happened before ----


def fails_with(x: Any) -> None:
    """A callback that raises with the object in its frame."""

    def callback(y: Any) -> None:
        raise ValueError("no")

    try:
        native.call(callback, x)
    except ValueError:
        pass


after("passed to a callback that fails", fails_with)
after("passed to a callback twice", lambda x: (native.call(lambda y: None, x), native.call(lambda y: None, x)))
after("passed in a deep list", lambda x: native.nothing([[[x]], {"k": [x]}]))
after("put into a Dict and taken out", lambda x: ffi.Dict({"k": x}).pop("k"))
after("put into a List that is cleared", lambda x: ffi.List([x]).clear())
after("an Array with it iterated", lambda x: [None for _ in ffi.Array([x, x])])
after("looked for in an Array", lambda x: x in ffi.Array([x]))
after("a key of a Map that is asked", lambda x: ffi.Map({x: 1}).get(x))
after("a field of another object, which is dropped", lambda x: native.owner(x).x)
after("copied", copy.copy, NEEDS_BOX)
after("pickled in a list", lambda x: pickle.dumps([x, x]), NEEDS_BOX)
after("passed by a partial", lambda x: functools.partial(native.nothing, x)())
after("passed to many functions", lambda x: [native.nothing(x) for _ in range(100)])
after("fetched a thousand times", lambda x: [native.fetch(0) for _ in range(1000)] and None, NEEDS_NATIVE)
after("its weak reference made and dropped", lambda x: hasattr(type(x), "__weakref__") and weakref.ref(x) and None)
replaced("returned in a tuple of a dict", lambda x: native.echo({"k": (x, x)})["k"][1])
replaced("moved into a list", lambda x: native.echo([x._move()])[0])
replaced("moved through a callback", lambda x: native.call(lambda y: y, x._move()))
replaced("moved into an Array", lambda x: ffi.Array([x._move()])[0])
replaced("moved into a field", lambda x: native.owner(x._move()).x)
replaced("a variable of an ended frame", lambda x: (lambda y: sys._getframe())(x).f_locals["y"])
replaced("through a pool's thread", lambda x: on_thread(lambda: native.echo(x)))
replaced("through a list's sort", lambda x: sorted([x], key=lambda y: 0)[0])
replaced("an item of an Array that is dropped", lambda x: ffi.Array([x])[0])
replaced("an item of a List, made twice", lambda x: (ffi.List([x])[0], ffi.List([x])[0])[1])
replaced("out of a Dict", lambda x: ffi.Dict({"k": x}).pop("k"))


def on_thread(work: Callable[[], Any]) -> Any:
    """The result of a function, called on another thread."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found.pop()


@event("dropped, a young collection, and fetched", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    gc.collect(0)
    gc.collect(1)
    cell.append(native.fetch(0))


@event("dropped in a cycle, and fetched", NEEDS_NATIVE, NEEDS_BOX)
def _(cell: Cell) -> Any:
    yield
    if hasattr(cell[0], "__dict__"):
        cell[0].me = cell[0]
    cell.clear()
    gc.collect()
    cell.append(native.fetch(0))
    if hasattr(cell[0], "__dict__"):
        vars(cell[0]).clear()


@event("dropped in a callback that has it", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    native.call(lambda y: cell.clear(), cell[0])
    cell.append(native.fetch(0))


@event("dropped in a collection's callback", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    in_collection(cell.clear, "start")
    cell.append(native.fetch(0))


@event("dropped in a finalizer of garbage", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    in_finalizer(cell.clear)
    cell.append(native.fetch(0))


@event("garbage in a cycle of Python's, and fetched", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cycle = [cell.pop()]
    cycle.append(cycle)
    del cycle
    gc.collect()
    cell.append(native.fetch(0))


@event("saved by a finalizer of garbage")
def _(cell: Cell) -> Any:
    yield
    cycle = Ends(lambda: None)
    cycle.items = [cell.pop(), cycle]
    cycle.work = functools.partial(lambda items, cell: cell.append(items[0]), cycle.items, cell)
    del cycle
    gc.collect()


@event("fetched in a finalizer of garbage", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cycle = Ends(lambda: cell.append(native.fetch(0)))
    cycle.items = [cell.pop(), cycle]
    del cycle
    gc.collect()


@event("fetched in a weak reference's callback", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    in_weak_callback(lambda: cell.append(native.fetch(0)))


@event("fetched by eight threads at once", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    found: list[Any] = []
    gate = threading.Barrier(8)

    def work() -> None:
        gate.wait()
        found.append(native.fetch(0))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cell.append(found.pop())
    found.clear()


@event("dropped in a forked child", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            cell.clear()
            gc.collect()
            status = 0 if native.fetch(0) is not None else 1
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0


def unpickled(x: Any) -> Any:
    """Pickled by its state, in the middle of another pickle."""
    return pickle.loads(pickle.dumps({"a": [x], "b": x}, 2))["b"]


replaced("unpickled out of a dict", unpickled, NEEDS_BOX, GIVES_COPY)


@around("in a child of multiprocessing")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(False)

    def work() -> None:
        writing.send(rest(cell))

    child = context.Process(target=work)
    child.start()
    answer = reading.recv()
    child.join()
    return answer
