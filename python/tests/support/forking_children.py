"""Forked children, and what the Go package `forking` must do in them: used by fork_packages.py and fork_processes.py.

The folder of the packages must be in sys.path.
"""

from __future__ import annotations

import os
import signal
import traceback

import forking
from selfsame_ffi import _core

SECONDS = 240  # after which a child counts as hanging


def raises(kind: type, function, *args, text: str = "") -> BaseException:
    """The exception of that kind that a call raises."""
    try:
        result = function(*args)
    except kind as error:
        assert text in str(error), f"{error!r} does not contain {text!r}"
        return error
    raise AssertionError(f"no {kind.__name__} but {result!r}")


def start_child(body) -> int:
    """Fork a child that runs `body` and exits; it is killed if it hangs."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(SECONDS)
        try:
            body()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return pid


def finish(pid: int, status: int = 0) -> None:
    got = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert got == status, f"the child ended with {got}, not {status}"


def in_child(body, status: int = 0) -> None:
    finish(start_child(body), status)


class Named(forking.Node):
    """A subclass in Python that overrides a method."""

    def total(self) -> float:
        return 100.0 + super().total()


def tree() -> forking.Node:
    root = forking.Node("root")
    root.left = forking.Node("left")
    root.add(forking.Node("child"))
    root.shape = forking.Shape.square
    return root


def use_everything(root: forking.Node) -> None:
    """Functions, methods, fields, callbacks, errors, objects and containers of the package."""
    assert root.total() == 4.5 and root.name == "root" and root.left.name == "left"
    assert forking.same(root) is root and forking.same(root.left) is root.left
    assert root.shape is forking.Shape.square is forking.square()
    assert root.children[0].name == "child"
    made = forking.Node("made")
    made.left, made.weight = root, 0.5
    assert made.total() == 5.0 and made.left is root and made.grow().left is made
    made.add(root)
    assert made.total() == 9.5
    assert raises(ValueError, forking.Node, "", text="a node needs a name").__traceback__ is not None
    raises(TypeError, forking.Node, 3)
    raises(TypeError, setattr, made, "left", 3)
    assert forking.Pair(1).second == 7 and forking.Pair.of(4).first == 4
    equal = _core.type_attr(_core.type_key_to_index("forking.Leaf"), "__any_equal__")
    assert equal(forking.Leaf(3), forking.Leaf(3)) and not equal(forking.Leaf(3), forking.Leaf(4))
    seen = []
    made.visit(lambda node: seen.append(node) or True)
    assert [node.name for node in seen] == ["made", "root", "left"] and seen[1] is root
    thrown = KeyError("from Python")

    def throw(_node: object) -> bool:
        raise thrown

    assert raises(KeyError, made.visit, throw) is thrown
    failure = raises(OSError, forking.fail, "OSError", "text", text="text")
    frames = "".join(traceback.format_exception(type(failure), failure, failure.__traceback__))
    assert "forking.go" in frames, frames
    raises(RuntimeError, forking.panic, text="a panic")
    raises(RuntimeError, forking.isolated, text="Goexit")
    assert forking.twice(4) == 8 and forking.apply(lambda value: [value, 1], 2)[0] == 2
    assert forking.on_goroutines(lambda number: number, 20) == 190
    found = forking.index(["a", "b", "c"])
    assert found["c"] == 2 and len(found) == 3
    assert forking.sum(forking.numbers(5)) == 10.0
    assert [shape.value for shape in forking.shapes()] == [1, 2]
