"""Things that happen to an object before its count is taken.

An event gets a list with the object as its only item, and may put another one there. It is a generator: at its
`yield` native code takes hold of the item. It ends before Python's holder takes the item. An event marked `around` is a
function instead, which calls its second argument for that, in the midst of what happens.
"""

from __future__ import annotations

import copy
import gc
import os
import pickle
import threading
from collections.abc import Generator
from typing import Any, Callable

from package import ffi, native

Cell = list[Any]
EVENTS: dict[str, Callable[[Cell], Generator[None, None, None]]] = {}
AROUND: dict[str, Callable[[Cell, Callable[[Cell], Any]], Any]] = {}
# Native code must hold the object, for otherwise it dies.
NEEDS_NATIVE: set[str] = set()
# Only for the classes of this folder.
NEEDS_BOX: set[str] = set()
# Python then has a copy, which native code does not hold.
GIVES_COPY: set[str] = set()


def event(name: str, *groups: set[str]) -> Callable[[Any], Any]:
    """Put the decorated generator into the list, and its name into the groups."""

    def add(function: Any) -> Any:
        EVENTS[name] = function
        for group in groups:
            group.add(name)
        return function

    return add


def around(name: str, *groups: set[str]) -> Callable[[Any], Any]:
    """Put the decorated function into the list of those with the holder in their midst."""

    def add(function: Any) -> Any:
        AROUND[name] = function
        for group in groups:
            group.add(name)
        return function

    return add


@event("nothing")
def _(cell: Cell) -> Any:
    yield


def after(name: str, what: Callable[[Any], Any], *groups: set[str]) -> None:
    """Put an event into the list that calls `what` with the object and drops the result."""

    def happen(cell: Cell) -> Any:
        yield
        what(cell[0])

    event(name, *groups)(happen)


def replaced(name: str, what: Callable[[Any], Any], *groups: set[str]) -> None:
    """Put an event into the list after which the result of `what` takes the place of the object."""

    def happen(cell: Cell) -> Any:
        yield
        cell.append(what(cell.pop()))

    event(name, *groups)(happen)


def first(items: Any) -> Any:
    """The first item of an iterable."""
    return next(iter(items))


after("passed", native.nothing)
after("passed twice", lambda x: (native.nothing(x), native.nothing(x)))
after("passed in a list", lambda x: native.nothing([x]))
after("passed in a tuple in a dict", lambda x: native.nothing({"k": (x,)}))
after("passed in an Array", lambda x: native.nothing(ffi.Array([x])))
after("passed to a callback that drops it", lambda x: native.call(lambda y: None, x))
after("stored in a List and taken out", lambda x: ffi.List([x]).pop())
after("gc.collect(0)", lambda x: gc.collect(0))
after("gc.collect(1)", lambda x: gc.collect(1))
after("gc.collect()", lambda x: gc.collect())
after("pickled", pickle.dumps, NEEDS_BOX)
after("copied in depth", copy.deepcopy, NEEDS_BOX)
after("its hash and repr", lambda x: (hash(x), repr(x)))
after("compared", lambda x: (x == x, x.same_as(x)))
after("a field read", lambda x: x.n, NEEDS_BOX)
after("a field set", lambda x: setattr(x, "n", 1), NEEDS_BOX)
replaced("returned", native.echo)
replaced("returned twice", lambda x: native.echo(native.echo(x)))
replaced("returned in an Array", lambda x: native.echo([x])[0])
replaced("returned in a Map", lambda x: native.echo({"k": x})["k"])
replaced("the result of a callback", lambda x: native.call(lambda y: y, x))
replaced("the argument that a callback kept", lambda x: (lambda got: (native.call(got.append, x), got[0])[1])([]))
replaced("moved and returned", lambda x: native.echo(x._move()))
replaced("moved to a function that writes", lambda x: native.write_moved(x._move(), 1), NEEDS_BOX, GIVES_COPY)
replaced("through a Python Function", lambda x: ffi.convert(lambda y: y)(x))


def fetched_on_thread(_: Any) -> Any:
    """What native code holds, fetched by another thread."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(native.fetch(0)))
    thread.start()
    thread.join()
    return found[0]


after("fetched again, which is dropped", lambda x: native.fetch(0), NEEDS_NATIVE)
after("fetched by another thread, which drops it", fetched_on_thread, NEEDS_NATIVE)
replaced("fetched again, the first is dropped", lambda x: native.fetch(0), NEEDS_NATIVE)
replaced("fetched by another thread", fetched_on_thread, NEEDS_NATIVE)


@event("dropped and fetched again", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    cell.append(native.fetch(0))


@event("dropped, collected and fetched again", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    gc.collect()
    cell.append(native.fetch(0))


@event("dropped and fetched again, three times", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    for _ in range(3):
        cell.clear()
        cell.append(native.fetch(0))


@event("dropped, and fetched by another thread", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    cell.clear()
    cell.append(fetched_on_thread(None))


@event("dropped by another thread, and fetched", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    thread = threading.Thread(target=cell.clear)
    thread.start()
    thread.join()
    cell.append(native.fetch(0))


@event("unpickled", NEEDS_BOX)
def _(cell: Cell) -> Any:
    cell.append(pickle.loads(pickle.dumps(cell.pop())))
    yield


@event("a deep copy", NEEDS_BOX)
def _(cell: Cell) -> Any:
    cell.append(copy.deepcopy(cell.pop()))
    yield


@event("a shallow copy", NEEDS_BOX)
def _(cell: Cell) -> Any:
    cell.append(copy.copy(cell.pop()))
    yield


@event("moved to native code and fetched", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    yield
    native.nothing(cell.pop()._move())
    cell.append(native.fetch(0))


@event("a native weak reference")
def _(cell: Cell) -> Any:
    yield
    native.weak(cell[0])


@event("promoted from a native weak reference")
def _(cell: Cell) -> Any:
    native.weak(cell[0])
    yield
    native.promote_and_hold()


@event("promoted after the drop, and fetched", NEEDS_NATIVE)
def _(cell: Cell) -> Any:
    native.weak(cell[0])
    yield
    cell.clear()
    native.promote_and_hold()
    cell.append(native.fetch(0))


@event("an exception with it went through native code")
def _(cell: Cell) -> Any:
    yield

    def fails() -> None:
        raise ValueError(cell[0])

    native.catch(fails)


# ---- in the midst ----


@around("in a forked child")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.write(writing, pickle.dumps(rest(cell)))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    if os.waitpid(pid, 0)[1] != 0:
        raise RuntimeError("the forked child failed")
    return pickle.loads(answer)


def run(how: Callable[[Callable[[], None]], Any], cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    """The result of `rest`, called in a function that `how` calls."""
    answers = []
    how(lambda *_: answers.append(rest(cell)))
    return answers[0]


@around("on another thread")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    def on_thread(work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    return run(on_thread, cell, rest)


@around("in a callback without it")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    return run(lambda work: native.call(work, None), cell, rest)


@around("in a callback on a native thread")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    return run(lambda work: native.call_on_thread(work, None), cell, rest)


@around("a callback's argument that the caller has lent")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    answers = []
    native.call_borrowing(lambda x: answers.append(rest([x])), cell[0])
    return answers[0]


@around("a callback's argument that the caller has given")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    answers = []
    native.call(lambda x: answers.append(rest([x])), cell[0])
    return answers[0]


@around("a callback's argument, moved")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    answers = []
    native.call(lambda x: answers.append(rest([x])), cell.pop()._move())
    return answers[0]


@around("a callback's argument on a native thread")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    answers = []
    native.call_on_thread(lambda x: answers.append(rest([x])), cell[0])
    return answers[0]


@around("a callback's argument, held natively", NEEDS_NATIVE)
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    answers = []
    cell.clear()
    native.call_with_held(lambda x: answers.append(rest([x])))
    return answers[0]


@around("while another fetch of it lives", NEEDS_NATIVE)
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    other = native.fetch(0)
    return (rest(cell), other)[0]


@around("while two other fetches of it live", NEEDS_NATIVE)
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    others = [native.fetch(0), native.fetch(0)]
    return (rest(cell), others)[0]


@around("while a result of it lives")
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    other = native.echo(cell[0])
    return (rest(cell), other)[0]


@around("while another fetch lives, the first is dropped", NEEDS_NATIVE)
def _(cell: Cell, rest: Callable[[Cell], Any]) -> Any:
    other = native.fetch(0)
    cell.append(native.fetch(0))
    del cell[0]
    return (rest(cell), other)[0]


# These are combined with every holder and place; the events of the other file in pairs.
EVERYWHERE = frozenset([*EVENTS, *AROUND])
