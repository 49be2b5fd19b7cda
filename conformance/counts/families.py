"""What is counted: an object of each kind of Python class, and of each builtin class."""

from __future__ import annotations

from typing import Any, Callable

from package import dataclasses, ffi, native

MAKERS: dict[str, Callable[[], Any]] = {}


def family(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Put the decorated maker of objects into the list."""

    def add(maker: Callable[[], Any]) -> Callable[[], Any]:
        MAKERS[name] = maker
        return maker

    return add


@ffi.register_object("counts.Box")
class Box(ffi.Object):
    __slots__ = ()

    def method(self) -> None:
        """Do nothing."""


@ffi.register_object("counts.Owner")
class Owner(ffi.Object):
    __slots__ = ()


@ffi.register_object("counts.L")
class Lean(Box):
    __slots__ = ()


@ffi.register_object("counts.D")
class WithDict(Box):
    __slots__ = ("__dict__",)


@ffi.register_object("counts.W")
class Rich(Box):
    __slots__ = ("__dict__", "__weakref__")


@ffi.register_object("counts.S")
class WithSlots(Box):
    __slots__ = ("first", "second")


@ffi.register_object("counts.F")
class WithDel(Box):
    __slots__ = ("__dict__", "__weakref__")

    def __del__(self) -> None:
        pass


@ffi.register_object("counts.P")
class Base(Box):
    __slots__ = ("__dict__", "__weakref__")


class Sub(Base):
    """A subclass that is not registered."""

    __slots__ = ("more",)

    def __init__(self, n: int) -> None:
        self.__init_handle_by_constructor__(native.make_P, n)


@ffi.register_object("counts.G")
class GivenDel(Box):
    __slots__ = ("__dict__", "__weakref__")


def with_state(maker: Callable[[int], Any]) -> Callable[[], Any]:
    """A maker of an object with an attribute."""

    def make() -> Any:
        made = maker(1)
        made.note = [1]
        return made

    return make


RICH = "`__dict__` and weak references"
MAKERS[RICH] = lambda: native.make_W(1)
MAKERS["the same, with an attribute"] = with_state(native.make_W)
MAKERS["`__slots__ = ()`"] = lambda: native.make_L(1)
MAKERS["`__dict__`"] = with_state(native.make_D)


@family("slots")
def _() -> Any:
    made = native.make_S(1)
    made.first = [1]
    return made


MAKERS["`__del__`"] = with_state(native.make_F)


@family("a subclass that is not registered")
def _() -> Any:
    made = Sub(1)
    made.more = [1]
    return made


@family("`__del__` set after the object was made")
def _() -> Any:
    if "__del__" in vars(GivenDel):
        del GivenDel.__del__
    made = native.make_G(1)
    made.note = [1]
    GivenDel.__del__ = lambda self: None
    return made


@dataclasses.py_class("counts.Declared")
class Declared(ffi.Object):
    n: int


MAKERS["declared in Python"] = lambda: Declared(1)
MAKERS["an Array"] = lambda: ffi.Array([1, 2])
MAKERS["a List"] = lambda: ffi.List([1, 2])
MAKERS["a Map"] = lambda: ffi.Map({"a": 1})
MAKERS["a Dict"] = lambda: ffi.Dict({"a": 1})
MAKERS["a Shape"] = lambda: ffi.Shape((1, 2))
MAKERS["a native Function"] = lambda: native.closure()
MAKERS["a Function of a Python function"] = lambda: ffi.convert(lambda: None)
MAKERS["a Tensor"] = lambda: native.tensor()
MAKERS["an Error"] = lambda: native.error()
