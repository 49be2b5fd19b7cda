"""Functions that worker processes of test_fork.py run. A fresh interpreter can import this file too."""

from __future__ import annotations

import os

import native_build
import selfsame_ffi

selfsame_ffi.load_extension(native_build.build())
g = selfsame_ffi.get_global_func


def registered(key: str) -> type:
    """The class of a type key: the one that conftest.py registered, if there is one."""
    from selfsame_ffi import _core

    return _core.class_of(_core.type_key_to_index(key))


def make_and_use(value: int) -> int:
    """Make objects, check identity, call native code with a callback; return `value` + 1."""
    leaf = registered("sst.Leaf")(value)
    node = registered("sst.Node")(leaf)
    assert node.x is leaf and g("sst.echo")(node) is node
    assert g("sst.apply_on_thread")(lambda got: got, leaf) is leaf
    return node.x.add(1)


def shared_twice(pair: list) -> tuple[bool, bool, list]:
    """Whether both elements are one object, whether their first elements are one object, and the pair itself."""
    first, second = pair
    return first is second, first[0] is second[0], pair


def needs_go(_: object = None) -> str:
    """Register a function, which needs Go: the text of the error, or "ran"."""
    try:
        selfsame_ffi.register_global_func(f"sst.task.{os.getpid()}", lambda: 1, override=True)
    except RuntimeError as error:
        return str(error)
    return "ran"


def run_cloudpickled(payload: bytes) -> bytes:
    """Call a pickled (function, arguments); return the pickled result."""
    import cloudpickle

    function, args = cloudpickle.loads(payload)
    return cloudpickle.dumps(function(*args))
