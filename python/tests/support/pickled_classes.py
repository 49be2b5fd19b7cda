"""Python classes that pickles refer to by name, importable in any process after the test extension is loaded."""

from __future__ import annotations

import selfsame_ffi
from selfsame_ffi import _core


def _class_of(key: str) -> type:
    return _core.class_of(_core.type_key_to_index(key))


class Tagged(_class_of("sst.Open")):
    """A subclass with a ``__dict__``, named slots and a private slot."""

    __slots__ = ("__dict__", "__hidden", "__weakref__", "extra", "tag")

    def set_hidden(self, value):
        self.__hidden = value

    def hidden(self):
        return self.__hidden


class OwnState(_class_of("sst.Open")):
    """A subclass with ``__getstate__`` and ``__setstate__``."""

    __slots__ = ("__dict__",)

    def __getstate__(self):
        return {"kept": self.kept}

    def __setstate__(self, state):
        self.kept = state["kept"]
        self.restored = True


class OwnReduce(_class_of("sst.Leaf")):
    """A subclass with ``__reduce__``."""

    __slots__ = ("__dict__",)

    def __reduce__(self):
        return (OwnReduce, (self.value,), {"note": getattr(self, "note", None)})


class Lean(_class_of("sst.Plain")):
    """A lean subclass."""

    __slots__ = ()


class Rows(selfsame_ffi.List):
    """A mutable container with state."""

    __slots__ = ("__dict__",)


class Table(selfsame_ffi.Dict):
    """A mutable container with state."""

    __slots__ = ("__dict__",)


class Fixed(selfsame_ffi.Map):
    """A container with state."""

    __slots__ = ("__dict__",)


class Row(selfsame_ffi.Array):
    """A container with state."""

    __slots__ = ("__dict__",)
