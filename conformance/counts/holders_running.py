"""Ways in which Python holds an object: frames and tasks that have begun, and objects that come back to life."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import contextvars
import sys
import threading
from importlib.util import find_spec
from typing import Any

from holders import NEEDS_DICT, Get, first, holder, through


@holder("a task's frame")
def _(x: Any) -> Get:
    async def work(x: Any) -> None:
        await asyncio.Event().wait()

    loop = asyncio.new_event_loop()
    task = loop.create_task(work(x))
    del x
    loop.run_until_complete(asyncio.sleep(0))
    coroutine = task.get_coro()
    task.__class__  # noqa: B018
    keep = (loop, task)
    return lambda: coroutine.cr_frame.f_locals["x"] if keep else None


def closed_loop(work: Any) -> Any:
    """What a coroutine returns in a loop that is closed then."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


@holder("a task's result")
def _(x: Any) -> Get:
    async def work(x: Any) -> Any:
        return x

    async def outer(x: Any) -> Any:
        task = asyncio.ensure_future(work(x))
        await task
        return task

    task = closed_loop(outer(x))
    del x
    return lambda: task.result()


@holder("an asyncio queue")
def _(x: Any) -> Get:
    async def fill(x: Any) -> Any:
        queue: asyncio.Queue = asyncio.Queue()
        await queue.put(x)
        return queue

    queue = closed_loop(fill(x))
    del x
    return lambda: queue._queue[0]


@holder("a callback that a loop will call")
def _(x: Any) -> Get:
    loop = asyncio.new_event_loop()
    handle = loop.call_soon(print, x)
    del x
    return lambda: handle._args[0] if loop else None


@holder("an asynchronous generator's frame")
def _(x: Any) -> Get:
    async def generate(x: Any) -> Any:
        while True:
            yield x

    running = generate(x)
    del x

    def step() -> Any:
        try:
            running.asend(None).send(None)
        except StopIteration as stop:
            return stop.value

    step()
    return step


@holder("what was sent to a generator")
def _(x: Any) -> Get:
    def generate() -> Any:
        got = None
        while True:
            got = (yield got) or got

    running = generate()
    next(running)
    running.send(x)
    del x
    return lambda: next(running)


@holder("a generator inside another")
def _(x: Any) -> Get:
    def inner(x: Any) -> Any:
        while True:
            yield x

    def outer(items: list[Any]) -> Any:
        yield from inner(items.pop())

    running = outer([x])
    del x
    next(running)
    return lambda: next(running)


@holder("a generator's expression")
def _(x: Any) -> Get:
    running = (y for y in [x] * 1000)
    del x
    return lambda: next(running)


if find_spec("greenlet"):
    import greenlet

    @holder("a greenlet's frame")
    def _(x: Any) -> Get:
        def work(x: Any) -> None:
            while True:
                greenlet.getcurrent().parent.switch(x)

        running = greenlet.greenlet(work)
        running.switch(x)
        del x
        return lambda: running.switch()


@holder("a frame's locals")
def _(x: Any) -> Get:
    def frame_of(x: Any) -> Any:
        return sys._getframe().f_locals

    names = frame_of(x)
    del x
    return lambda: names["x"]


@holder("a frame that has ended")
def _(x: Any) -> Get:
    def frame_of(x: Any) -> Any:
        return sys._getframe()

    frame = frame_of(x)
    del x
    return lambda: frame.f_locals["x"]


@holder("an exception's context")
def _(x: Any) -> Get:
    def fails(x: Any) -> None:
        try:
            raise KeyError(x)
        except KeyError:
            raise ValueError  # noqa: B904

    try:
        fails(x)
    except ValueError as error:
        caught = error.with_traceback(None)
    caught.__context__.__traceback__ = None
    del x
    return lambda: caught.__context__.args[0]


@holder("an exit stack")
def _(x: Any) -> Get:
    stack = contextlib.ExitStack()
    stack.enter_context(contextlib.nullcontext(x))
    del x
    return lambda: stack._exit_callbacks[0][1].__self__.enter_result


@holder("a token of a context variable")
def _(x: Any) -> Get:
    variable: contextvars.ContextVar[Any] = contextvars.ContextVar("variable")
    context = contextvars.Context()
    context.run(variable.set, x)
    del x
    token = context.run(variable.set, None)
    return lambda: token.old_value if context else None


@holder("a copy of a context")
def _(x: Any) -> Get:
    variable: contextvars.ContextVar[Any] = contextvars.ContextVar("variable")

    def copied(x: Any) -> Any:
        variable.set(x)
        return contextvars.copy_context()

    context = contextvars.Context().run(copied, x)
    del x
    return lambda: context[variable]


@holder("a pool's result")
def _(x: Any) -> Get:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        future = pool.submit(lambda y: y, x)
        del x
        concurrent.futures.wait([future])
    return lambda: future.result()


@holder("a thread that has not started")
def _(x: Any) -> Get:
    thread = threading.Thread(target=print, args=(x,))
    del x
    return lambda: thread._args[0]


@holder("a function to call at exit")
def _(x: Any) -> Get:
    cell = [x]
    del x

    def at_exit(cell: list[Any] = cell) -> None:
        cell.clear()

    atexit.register(at_exit)
    atexit.unregister(at_exit)
    return lambda: cell[0] if at_exit else None


@holder("a trace function's frame")
def _(x: Any) -> Get:
    frames = []

    def traced(y: Any) -> None:
        del y

    def trace(frame: Any, kind: str, _: Any) -> None:
        if kind == "call" and frame.f_code is traced.__code__:
            frames.append(frame.f_locals["y"])

    sys.setprofile(trace)
    try:
        traced(x)
    finally:
        sys.setprofile(None)
    del x
    return lambda: frames[0]


@holder("code that was executed")
def _(x: Any) -> Get:
    names = {"x": x}
    del x
    exec("def get(): return x", names)
    return names["get"]


@holder("an object that came back in its owner's end")
def _(x: Any) -> Get:
    back = []

    class Owner:
        def __init__(self, x: Any) -> None:
            self.x = x

        def __del__(self) -> None:
            back.append(self.x)

    Owner(x)
    del x
    return lambda: back[0]


@holder("a matched name", NEEDS_DICT)
def _(x: Any) -> Get:
    x.note = [x]
    (inside,) = x.note
    x.note = None
    del x
    return lambda: inside


through("a loop's variable", lambda x: [y for z in [x] for y in [z]], first)
