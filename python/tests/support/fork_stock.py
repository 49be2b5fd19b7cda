"""A package that selfsame-ffi built for the stock tvm_ffi, in forked children: run by test_fork_packages.py.

Usage: fork_stock.py FOLDER     the folder with the package forking
"""

from __future__ import annotations

import os
import signal
import sys
import traceback

sys.path.insert(0, sys.argv[1])

import forking  # noqa: E402


def raises(kind: type, function, *args, text: str) -> None:
    try:
        function(*args)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


def use(root: forking.Node) -> None:
    assert root.total() == 3.0 and root.left.name == "left" and forking.twice(4) == 8
    made = forking.Node("made")
    made.left = root
    made.add(forking.Node("child"))
    assert made.total() == 6.0 and made.grow().left.same_as(made)
    names = []
    made.visit(lambda node: names.append(str(node.name)) or True)
    assert names == ["made", "root", "left"], names
    raises(ValueError, forking.Node, "", text="a node needs a name")
    raises(KeyError, forking.fail, "KeyError", "text", text="text")
    assert forking.on_goroutines(lambda number: number, 10) == 45
    assert forking.sum(forking.numbers(5)) == 10.0 and forking.index(["a", "b"])["b"] == 1
    assert [shape.value for shape in forking.shapes()] == [1, 2]
    forking.garbage(100)
    forking.collect()


def child(root: forking.Node, add, left: int) -> None:
    raises(RuntimeError, add, 1, text="made at run time before the process forked")
    use(root)
    assert list(forking.restarts()) == ["first 8 10", "second"] and forking.count() == 1
    # The stock runtime is C++: it registers functions in the child as anywhere.
    name = f"forking.of_generation_{left}"
    forking.register_adder(name, 30)
    import tvm_ffi

    assert tvm_ffi.get_global_func(name)(4) == 34
    if left:
        forks(forking.Node("root"), left - 1)


def forks(root: forking.Node, left: int) -> None:
    root.left = forking.Node("left")
    add = forking.adder(3)
    assert add(1) == 4
    use(root)
    pid = os.fork()
    if pid == 0:
        signal.alarm(240)
        try:
            child(root, add, left)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status == 0, status
    use(root)
    assert add(1) == 4


forks(forking.Node("root"), 3)
print("passed")
