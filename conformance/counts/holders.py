"""Ways in which Python holds an object. Each takes the object and returns a function that gives it, or None."""

from __future__ import annotations

import asyncio
import collections
import contextvars
import dataclasses
import functools
import gc
import itertools
import queue
import threading
import types
import weakref
from typing import Any, Callable, NamedTuple

from package import ffi, native

Get = Callable[[], Any]
Holder = Callable[[Any], Get]

HOLDERS: dict[str, Holder] = {}
# Stock has no such holder: what it gives is dead there, or another object. They are compared with its variable.
LIKE_VARIABLE: set[str] = set()
# The class of the object must have weak references, or a __dict__.
NEEDS_WEAK: set[str] = set()
NEEDS_DICT: set[str] = set()


def holder(name: str, *groups: set[str]) -> Callable[[Holder], Holder]:
    """Put the decorated function into the list, and its name into the groups."""

    def add(function: Holder) -> Holder:
        HOLDERS[name] = function
        for group in groups:
            group.add(name)
        return function

    return add


HOLDERS["a variable"] = lambda x: lambda: x
HOLDERS["nothing: Python has dropped it"] = lambda x: lambda: None


def through(name: str, wrap: Callable[[Any], Any], take: Callable[[Any], Any]) -> None:
    """Put a holder into the list that is a value with the object inside."""

    def hold(x: Any) -> Get:
        inside = wrap(x)
        del x
        return lambda: take(inside)

    HOLDERS[name] = hold


def first(items: Any) -> Any:
    """The first item of an iterable."""
    return next(iter(items))


class Plain:
    """A class of Python's own."""

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclasses.dataclass
class Record:
    value: Any


class Named(NamedTuple):
    value: Any


def in_module(x: Any) -> types.ModuleType:
    """A module with a variable."""
    module = types.ModuleType("holding")
    module.value = x
    return module


def in_cache(x: Any) -> Callable[[], Any]:
    """A function whose result is cached."""
    cell = [x]
    function = functools.lru_cache(cell.pop)
    function()
    return function


def in_cycle(x: Any) -> list[Any]:
    """A list that contains itself."""
    items = [x]
    items.append(items)
    return items


through("a list", lambda x: [x], first)
through("a tuple", lambda x: (x,), first)
through("a dict's value", lambda x: {"k": x}, lambda d: d["k"])
through("a dict's key", lambda x: {x: 1}, first)
through("a set", lambda x: {x}, first)
through("a frozenset", lambda x: frozenset([x]), first)
through("a deque", lambda x: collections.deque([x]), first)
through("an attribute", Plain, lambda o: o.value)
through("a dataclass", Record, lambda o: o.value)
through("a named tuple", Named, lambda o: o.value)
through("a SimpleNamespace", lambda x: types.SimpleNamespace(value=x), lambda o: o.value)
through("a class attribute", lambda x: type("Holding", (), {"value": x}), lambda o: o.value)
through("a module's variable", in_module, lambda m: m.value)
through("a partial", lambda x: functools.partial(print, x), lambda p: p.args[0])
through("a partial's keyword", lambda x: functools.partial(print, end=x), lambda p: p.keywords["end"])
through("a default argument", lambda x: lambda value=x: value, lambda f: f())
through("a keyword's default", lambda x: lambda *, value=x: value, lambda f: f())
through("an exception's argument", ValueError, lambda e: e.args[0])
through("a bound method", lambda x: x.method, lambda m: m.__self__)
through("an iterator", lambda x: itertools.repeat(x), first)
through("an lru_cache", in_cache, lambda f: f())
through("a cycle of Python's", in_cycle, first)


@holder("a closure's cell")
def _(x: Any) -> Get:
    def inner() -> Any:
        def innermost() -> Any:
            return x

        return innermost()

    return inner


@holder("a generator's frame")
def _(x: Any) -> Get:
    def generate(x: Any) -> Any:
        while True:
            yield x

    running = generate(x)
    del x
    next(running)
    return lambda: next(running)


@holder("a coroutine's frame")
def _(x: Any) -> Get:
    async def work(x: Any) -> None:
        while True:
            await asyncio.sleep(0)

    running = work(x)
    del x
    running.send(None)
    return lambda: running.cr_frame.f_locals["x"]


@holder("an exception's traceback")
def _(x: Any) -> Get:
    def fails(x: Any) -> None:
        raise ValueError

    try:
        fails(x)
    except ValueError as error:
        caught = error
    del x
    frames = caught.__traceback__
    caught.__traceback__ = frames.tb_next  # without this function's frame
    del frames
    return lambda: caught.__traceback__.tb_frame.f_locals["x"]


@holder("an exception that native code raised again", LIKE_VARIABLE)
def _(x: Any) -> Get:
    def raises() -> None:
        raise ValueError(cell.pop())

    cell = [x]
    del x
    try:
        native.call(lambda _: raises(), None)
    except ValueError as error:
        caught = error.with_traceback(None)
    return lambda: caught.args[0]


@holder("a context variable")
def _(x: Any) -> Get:
    variable: contextvars.ContextVar[Any] = contextvars.ContextVar("variable")
    context = contextvars.Context()
    context.run(variable.set, x)
    return lambda: context[variable]


@holder("another thread's frame")
def _(x: Any) -> Get:
    cell, answers, asked = [x], queue.SimpleQueue(), queue.SimpleQueue()
    del x

    def work() -> None:
        held = cell.pop()
        answers.put(None)
        while asked.get():
            answers.put(held)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    answers.get()

    def get() -> Any:
        asked.put(True)
        return answers.get()

    weakref.finalize(get, asked.put, False)
    return get


# ---- native objects that Python holds ----

through("an Array in Python", lambda x: ffi.Array([x]), lambda a: a[0])
through("a List in Python", lambda x: ffi.List([x]), lambda a: a[0])
through("a Map in Python", lambda x: ffi.Map({"k": x}), lambda a: a["k"])
through("a Dict in Python", lambda x: ffi.Dict({"k": x}), lambda a: a["k"])
through("a field of an object in Python", native.owner, lambda a: a.x)
through("a Function of a Python closure", lambda x: ffi.convert(lambda: x), lambda f: f())


# ---- weak references ----


@holder("a weak reference, not called", NEEDS_WEAK)
def _(x: Any) -> Get:
    reference = weakref.ref(x)
    del x
    return lambda: None if reference is None else None


@holder("a weak reference, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    reference = weakref.ref(x)
    del x
    strong = reference()
    return lambda: strong


@holder("a variable and a weak reference", NEEDS_WEAK)
def _(x: Any) -> Get:
    reference = weakref.ref(x)
    return lambda: x if reference() is x else None


@holder("a weak reference with a callback, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    reference = weakref.ref(x, lambda _: None)
    del x
    strong = reference()
    return lambda: strong if reference() is strong else None


@holder("a weak reference of a subclass, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    reference = weakref.KeyedRef(x, None, "k")
    del x
    strong = reference()
    return lambda: strong


@holder("a WeakValueDictionary, asked", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakValueDictionary(k=x)
    del x
    strong = table.get("k")
    return lambda: strong


@holder("a WeakValueDictionary, iterated", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakValueDictionary(k=x)
    del x
    strong = list(table.values())
    return lambda: strong[0] if strong else None


@holder("a WeakSet, iterated", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    weak = weakref.WeakSet([x])
    del x
    strong = list(weak)
    return lambda: strong[0] if strong else None


@holder("a WeakKeyDictionary, iterated", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakKeyDictionary({x: 1})
    del x
    strong = list(table)
    return lambda: strong[0] if strong else None


def holder_of(value: Any, kind: type, address: int) -> Any:
    """The object at an address that has the value in an attribute, as the collector tells it, or None."""
    owners = [value, *gc.get_referrers(value)]
    found = [*owners, *(owner for one in owners[1:] if type(one) is dict for owner in gc.get_referrers(one))]
    return next((one for one in found if id(one) == address and type(one) is kind), None)


@holder("a WeakValueDictionary, popped", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakValueDictionary(k=x)
    del x
    strong = table.pop("k", None)
    return lambda: strong


@holder("a WeakValueDictionary's valuerefs, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakValueDictionary(k=x)
    del x
    strong = [reference() for reference in table.valuerefs()]
    return lambda: strong[0] if strong else None


@holder("a WeakSet, popped", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    weak = weakref.WeakSet([x])
    del x
    strong = weak.pop() if len(weak) else None
    return lambda: strong


@holder("a WeakKeyDictionary's keyrefs, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    table = weakref.WeakKeyDictionary({x: 1})
    del x
    strong = [reference() for reference in table.keyrefs()]
    return lambda: strong[0] if strong else None


@holder("a method of a weakref.proxy", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    proxy = weakref.proxy(x)
    del x
    try:
        method = proxy.method
    except ReferenceError:
        return lambda: None
    return lambda: method.__self__


@holder("an attribute of a weakref.proxy", NEEDS_WEAK, NEEDS_DICT, LIKE_VARIABLE)
def _(x: Any) -> Get:
    x.me = x
    proxy = weakref.proxy(x)
    del x
    strong = proxy.me
    return lambda: strong


@holder("gc.get_referrers, not used", NEEDS_DICT, LIKE_VARIABLE)
def _(x: Any) -> Get:
    kind, address = type(x), id(x)
    x.mark = mark = []
    del x
    strong = holder_of(mark, kind, address)
    return lambda: strong


@holder("a finalize, peeked", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    end = weakref.finalize(x, int)
    end.atexit = False
    del x
    found = end.peek()
    strong = found[0] if found else None
    return lambda: strong


@holder("a WeakMethod, called", NEEDS_WEAK, LIKE_VARIABLE)
def _(x: Any) -> Get:
    method = weakref.WeakMethod(x.method)
    del x
    strong = method()
    return lambda: strong.__self__ if strong else None


def among_objects(kind: type, address: int) -> Any:
    """The object of a class at an address, as the collector tells it. None when there is none."""
    return next((found for found in gc.get_objects() if id(found) == address and type(found) is kind), None)


@holder("gc.get_objects, then used", NEEDS_DICT, LIKE_VARIABLE)
def _(x: Any) -> Get:
    kind, address, x = type(x), id(x), None
    strong = among_objects(kind, address)
    if strong is not None:
        assert strong.n == 1
    return lambda: strong


@holder("gc.get_objects, not used", NEEDS_DICT, LIKE_VARIABLE)
def _(x: Any) -> Get:
    kind, address, x = type(x), id(x), None
    strong = among_objects(kind, address)
    return lambda: strong


@holder("gc.get_referents, not used", NEEDS_DICT, LIKE_VARIABLE)
def _(x: Any) -> Get:
    x.me = x
    state, kind, address, x = [x.__dict__], type(x), id(x), None
    strong = next((found for found in gc.get_referents(*state) if type(found) is kind and id(found) == address), None)
    return lambda: strong


# ---- cycles ----


@holder("its own attribute", NEEDS_DICT)
def _(x: Any) -> Get:
    x.me = x
    return lambda: None


@holder("an object in its attribute", NEEDS_DICT)
def _(x: Any) -> Get:
    x.other = [x]
    return lambda: None


@holder("a variable, in a cycle", NEEDS_DICT)
def _(x: Any) -> Get:
    x.me = x
    return lambda: x


# These are combined with every place and event; the holders of the other files in pairs.
EVERYWHERE = frozenset(HOLDERS)
