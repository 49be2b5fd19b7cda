"""What the worker processes of test_fork.py run: importable in a fresh interpreter, too."""

from __future__ import annotations

import os

import native_build
import selfsame_ffi

selfsame_ffi.load_extension(native_build.build())
g = selfsame_ffi.get_global_func


def registered(key: str) -> type:
    """The class of a type key; one that conftest.py registered when there is one."""
    from selfsame_ffi import _core

    return _core.class_of(_core.type_key_to_index(key))


def make_and_use(value: int) -> int:
    """Makes objects, keeps identity, calls native code and a callback."""
    leaf = registered("sst.Leaf")(value)
    node = registered("sst.Node")(leaf)
    assert node.x is leaf and g("sst.echo")(node) is node
    assert g("sst.apply_on_thread")(lambda got: got, leaf) is leaf
    return node.x.add(1)


def shared_twice(pair: list) -> tuple[bool, bool, list]:
    """Whether the two are still one object, and whether the first is its own element's neighbour."""
    first, second = pair
    return first is second, first[0] is second[0], pair


def needs_go(_: object = None) -> str:
    """Registers a function, which the Go side does: the error's text, or "ran"."""
    try:
        selfsame_ffi.register_global_func(f"sst.task.{os.getpid()}", lambda: 1, override=True)
    except RuntimeError as error:
        return str(error)
    return "ran"


def run_cloudpickled(payload: bytes) -> bytes:
    """Runs a pickled (function, arguments); the result, pickled."""
    import cloudpickle

    function, args = cloudpickle.loads(payload)
    return cloudpickle.dumps(function(*args))
