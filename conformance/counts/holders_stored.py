"""Ways in which Python holds an object: values of the standard library, of NumPy and of native code with it inside."""

from __future__ import annotations

import concurrent.futures
import copy
import ctypes
import functools
import io
import itertools
import operator
import pickle
import sys
import threading
import types
import unittest.mock
import weakref
from typing import Any, Generic, TypeVar

from holders import NEEDS_DICT, NEEDS_WEAK, Get, Plain, first, holder, through
from package import dataclasses, ffi, native

T = TypeVar("T")


class Cached:
    """A property that is computed once."""

    def __init__(self, cell: list[Any]) -> None:
        self.cell = cell

    @functools.cached_property
    def value(self) -> Any:
        """The object of the cell."""
        return self.cell.pop()


def cached(x: Any) -> Cached:
    """An object whose cached property has been read."""
    made = Cached([x])
    del x
    assert made.value is not None
    return made


class Typed(Generic[T]):
    """A generic class."""

    def __init__(self, value: T) -> None:
        self.value = value


class Descriptor:
    """Keeps its value for each instance."""

    def __init__(self) -> None:
        self.values: dict[int, Any] = {}

    def __get__(self, instance: Any, owner: type) -> Any:
        return self.values[id(instance)]

    def __set__(self, instance: Any, value: Any) -> None:
        self.values[id(instance)] = value


class Described:
    value = Descriptor()


def described(x: Any) -> Described:
    """An object with a descriptor."""
    made = Described()
    made.value = x
    return made


def with_cause(x: Any) -> Exception:
    """An exception that was raised from another."""
    error = RuntimeError("later")
    error.__cause__ = ValueError(x)
    return error


def pickling(x: Any) -> pickle.Pickler:
    """A pickler that has met the object."""
    pickler = pickle.Pickler(io.BytesIO())
    pickler.dump([x])
    return pickler


class Keeps(pickle.Pickler):
    """Writes objects as references, as shelves do."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO())
        self.kept: list[Any] = []

    def persistent_id(self, obj: Any) -> Any:
        """Keep what is no dict and no key of one."""
        if isinstance(obj, (dict, str)):
            return None
        self.kept.append(obj)
        return len(self.kept)


def kept_by_pickler(x: Any) -> Keeps:
    """A pickler that has kept the object."""
    pickler = Keeps()
    pickler.dump({"k": x})
    return pickler


def in_future(x: Any) -> concurrent.futures.Future:
    """A future with its result."""
    future: concurrent.futures.Future = concurrent.futures.Future()
    future.set_result(x)
    return future


def in_local(x: Any) -> threading.local:
    """A thread's variable."""
    local = threading.local()
    local.value = x
    return local


def in_group(x: Any) -> Any:
    """An exception with others inside."""
    if sys.version_info >= (3, 11):
        return ExceptionGroup("some", [ValueError(x)])  # noqa: F821
    return types.SimpleNamespace(exceptions=[ValueError(x)])


through("a copy of a list", lambda x: copy.copy([x]), first)
through("a slice", lambda x: slice(x), lambda s: s.stop)
through("a read-only mapping", lambda x: types.MappingProxyType({"k": x}), lambda m: m["k"])
through("a method's object", lambda x: types.MethodType(print, x), lambda m: m.__self__)
through("a static method", lambda x: staticmethod(x.__repr__), lambda s: s.__func__.__self__)
through("a slot wrapper of its class", lambda x: x.__hash__, lambda m: m.__self__)
through("a property's function", lambda x: property(lambda _: x), lambda p: p.fget(None))
through("a cached property", cached, lambda o: o.value)
through("an attribute of a generic class", Typed, lambda o: o.value)
through("a descriptor", described, lambda o: o.value)
through("a chain of iterators", lambda x: itertools.chain([x] * 500, [x] * 500), next)
through("a tee", lambda x: itertools.tee(iter([x] * 1000))[1], next)
through("a cycle of itertools", lambda x: itertools.cycle([x]), next)
through("an accumulation", lambda x: itertools.accumulate([x] * 1000, lambda a, b: a), next)
through("a zip", lambda x: zip([x] * 1000, itertools.count()), lambda z: next(z)[0])
through("an enumeration", lambda x: enumerate([x] * 1000), lambda e: next(e)[1])
through("a reversed list", lambda x: reversed([x] * 1000), next)
through("an item getter", lambda x: operator.itemgetter(x), lambda g: g.__reduce__()[1][0])
through("an exception's cause", with_cause, lambda e: e.__cause__.args[0])
through("a StopIteration", StopIteration, lambda e: e.value)
through("an exception in a group", in_group, lambda e: e.exceptions[0].args[0])
through("a pickler", kept_by_pickler, lambda p: p.kept[0])
through("a future", in_future, lambda f: f.result())
through("a thread's variable", in_local, lambda v: v.value)
through("an object of ctypes", ctypes.py_object, lambda o: o.value)
through("a mock", lambda x: unittest.mock.Mock(return_value=x), lambda m: m())
through("an attribute of a function", lambda x: set_on(lambda: None, x), lambda f: f.value)
through("a finalize's argument", lambda x: finalizes(x), lambda f: f[1].peek()[2][0])
through("a weak key's value", lambda x: weak_key(x), lambda pair: pair[1][pair[0]])
through("a NumPy array of objects", lambda x: numpy_array(x), lambda a: a[0])


def set_on(target: Any, x: Any) -> Any:
    """The target, with the object as an attribute."""
    target.value = x
    return target


def finalizes(x: Any) -> Any:
    """A finalize that passes the object on."""
    other = Plain(None)
    end = weakref.finalize(other, id, x)
    end.atexit = False
    return other, end


def weak_key(x: Any) -> Any:
    """A WeakKeyDictionary whose value is the object."""
    key = Plain(None)
    return key, weakref.WeakKeyDictionary({key: x})


def numpy_array(x: Any) -> Any:
    """An array of NumPy."""
    import numpy

    made = numpy.empty(1, dtype=object)
    made[0] = x
    return made


# ---- native objects ----


@dataclasses.py_class("counts.Typed")
class Fields(ffi.Object):
    # No field with the object itself: stock never lets go of what its constructor stores there.
    several: list[Any]
    by_name: dict[str, Any]


through("a list field of a class declared in Python", lambda x: Fields([x], {}), lambda o: o.several[0])
through("a dict field of a class declared in Python", lambda x: Fields([], {"k": x}), lambda o: o.by_name["k"])
through("an Array in an Array", lambda x: ffi.Array([ffi.Array([x])]), lambda a: a[0][0])
through("a Map's key", lambda x: ffi.Map({x: 1}), first)
through("a List that grew", lambda x: grown(x), lambda a: a[-1])
through("a Dict that grew", lambda x: filled(x), lambda a: a["k"])
through("an Array's iterator", lambda x: iter(ffi.Array([x] * 1000)), next)
through("a List's iterator", lambda x: iter(ffi.List([x] * 1000)), next)
through("a Map's values", lambda x: ffi.Map({"k": x}).values(), first)
through("a Dict's items", lambda x: ffi.Dict({"k": x}).items(), lambda i: first(i)[1])
through("a tuple that native code gives", lambda x: native.echo((x, 1)), first)
through("an item of an Array", lambda x: ffi.Array([x])[0], lambda y: y)
through("an item of an Array that lives", lambda x: (lambda a: (a, a[0]))(ffi.Array([x])), lambda pair: pair[1])
through("a loop over an Array", lambda x: [y for y in ffi.Array([x, x])], first)
through("a List's popped item", lambda x: ffi.List([x]).pop(), lambda y: y)
through("a field that is fetched twice", lambda x: (lambda o: (o, o.x, o.x))(native.owner(x)), lambda t: t[2])
through("a native closure's result", lambda x: native.call(lambda _: x, None), lambda y: y)


def grown(x: Any) -> Any:
    """A List that was appended to."""
    made = ffi.List([])
    for _ in range(20):
        made.append(x)
    return made


def filled(x: Any) -> Any:
    """A Dict that was assigned to."""
    made = ffi.Dict({})
    made["k"] = x
    return made


# ---- weak references ----


@holder("a proxy's operation that keeps its object", NEEDS_WEAK)
def _(x: Any) -> Get:
    proxy = weakref.proxy(x)
    strong = proxy.__repr__.__self__
    del x
    return lambda: strong


@holder("a weak reference's callback", NEEDS_WEAK)
def _(x: Any) -> Get:
    class Other:
        pass

    other = Other()
    reference = weakref.ref(other, lambda _, x=x: x)
    del x
    return lambda: reference.__callback__(None) if other else None


@holder("an attribute of an attribute, and a variable", NEEDS_DICT)
def _(x: Any) -> Get:
    x.other = Plain(x)
    inside = x.other
    del x
    return lambda: inside.value
