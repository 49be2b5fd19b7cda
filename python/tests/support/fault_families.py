"""The scenarios of fault_program.py that exercise one family of families.py each."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace

import families
import selfsame_ffi


def _same(value):
    return value


def family(name, native, Leaf, Node, Plain):
    """A scenario that makes, passes, keeps, fetches and frees native objects of one family of families.py.

    native: the functions of the test extension by name; Leaf, Node and Plain are its classes.
    """
    echo, apply, keep, kept, release = (native[n] for n in ("echo", "apply", "keep", "kept", "release"))
    made = families.makers(SimpleNamespace(Leaf=Leaf))
    # Not with NumPy, which leaks by itself.
    made["Tensor"] = lambda: selfsame_ffi._core.tensor_from_bytes((2, 32, 1), (2,), b"\0" * 8)
    make = made[name]
    base = type(make())
    mine = None if name == "Shape" else type("Mine", (base,), {"__del__": lambda self: None})
    comes_back = name != "opaque"  # native code returns the Python value, not the wrapper

    def make_mine():
        if name in families.CONSTRUCTED:
            return families.CONSTRUCTED[name](mine)
        thing = mine.__new__(mine)
        thing.__move_handle_from__(make())
        return thing

    def check_identity(thing):
        """Calls, callbacks, containers and fields give the same object back."""
        expected = thing if comes_back else thing.pyobject()
        assert echo(thing) is expected and native["count_args"](thing, thing) == 2
        if comes_back or not isinstance(expected, list):
            assert apply(_same, thing) is expected and native["apply_on_thread"](_same, thing) is expected
        holder = selfsame_ffi.List([thing])
        node, plain = Node(None), Plain()
        node.any = plain.any = thing
        assert holder[0] is expected and node.any is expected and plain.any is expected

    def scenario():
        thing = make()
        check_identity(thing)
        keep(thing)
        first = id(thing)
        del thing
        if comes_back and name != "Shape":
            assert id(kept(0)) == first and kept(0) is kept(0)
        kept(0)
        native["release_on_thread"]()
        if mine is None:
            return
        thing = make_mine()
        thing.note = [1]
        check_identity(thing)
        keep(thing)
        ref = weakref.ref(thing)
        del thing
        assert ref().note == [1]
        release()
        gc.collect()
        assert ref() is None
        make_mine().note = native  # this one is freed at once

    return scenario
