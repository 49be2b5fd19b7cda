"""Packages that selfsame-ffi built, in forked children, one function per case: run by test_fork_packages.py.

Usage: fork_packages.py FOLDER CASE     FOLDER has the packages forking, geo and inventory

Each case sets things up, forks, and checks them in the child, and in the parent afterwards. Prints "passed" at the end.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading

sys.path.insert(0, sys.argv[1])

import fork_processes  # noqa: E402
import forking  # noqa: E402
import selfsame_ffi  # noqa: E402
from forking_children import SECONDS, Named, in_child, raises, tree, use_everything  # noqa: E402


def everything() -> None:
    root = tree()
    use_everything(root)
    in_child(lambda: use_everything(root))
    use_everything(root)


def everything_unused() -> None:
    """The parent has loaded the package and called nothing."""
    in_child(lambda: use_everything(tree()))


def generations() -> None:
    """A child of a child and so on, each of which uses the package; with objects of all generations before."""
    import geo

    made = [tree()]

    def body(left: int) -> None:
        for root in made:
            assert root.total() == 4.5 and forking.same(root) is root
        use_everything(made[-1])
        assert geo.Point(3.0, 4.0).norm() == 5.0
        made.append(tree())
        if left:
            in_child(lambda: body(left - 1))

    in_child(lambda: body(40))


def skipped_generation() -> None:
    """A child that does not use the package has a child that does."""
    root = tree()
    use_everything(root)
    in_child(lambda: in_child(lambda: use_everything(root)))


def functions_from_before() -> None:
    """Functions, methods and Function objects that Python variables hold."""
    root, twice, total = tree(), forking.twice, forking.Node.total
    held = selfsame_ffi.get_global_func("forking.twice")
    bound = root.total

    def body() -> None:
        assert held(4) == 8 and twice(5) == 10 and total(root) == bound() == 4.5
        assert selfsame_ffi.get_global_func("forking.twice") is held

    in_child(body)


def overridden() -> None:
    """A global function that Python replaced stays replaced, and the one before it still works."""
    before = selfsame_ffi.get_global_func("forking.twice")
    selfsame_ffi.register_global_func("forking.twice", lambda value: 3 * value, override=True)

    def body() -> None:
        assert before(4) == 8
        assert selfsame_ffi.get_global_func("forking.twice")(4) == 12
        assert forking.doubled_at_start() == 63  # the init function called the present one

    in_child(body)
    assert before(4) == 8


def subclasses() -> None:
    before = Named("before")
    before.extra = [1]

    def body() -> None:
        assert type(forking.same(before)) is Named and before.extra == [1] and before.total() == 101.5
        after = Named("after")
        after.left = before
        assert after.left is before and after.total() == 103.0

    in_child(body)


def made_at_run_time() -> None:
    """Go funcs that did not exist when the package was loaded: an error that says so, at the call."""
    add = forking.adder(3)
    assert add(4) == 7
    forking.register_adder("forking.run_time", 10)
    registered = selfsame_ffi.get_global_func("forking.run_time")
    at_start = forking.at_start()

    def body() -> None:
        raises(RuntimeError, add, 4, text="made at run time before the process forked")
        raises(RuntimeError, add, 4, text="AfterFork")
        raises(RuntimeError, registered, 4, text="forking.run_time: its Go func was made at run time")
        raises(RuntimeError, at_start, text="made at run time")
        assert forking.at_start()() == "made at the start"  # the new Go has made it again
        forking.register_adder("forking.run_time", 20)
        assert registered(4) == 24  # registered again under its name
        again = forking.adder(5)
        assert again(1) == 6

        def grandchild() -> None:
            raises(RuntimeError, again, 1, text="made at run time")
            raises(RuntimeError, registered, 4, text="forking.run_time")

        in_child(grandchild)

    in_child(body)
    assert add(4) == 7 and registered(4) == 14


def go_state() -> None:
    """Go variables and goroutines are new ones; the funcs of AfterFork have run."""
    node = forking.Node("kept")
    forking.keep(node)
    for expected in (1, 2, 3):
        assert forking.count() == expected and forking.next_tick() == expected - 1
    assert list(forking.restarts()) == []

    def body() -> None:
        assert list(forking.restarts()) == ["first 8 10", "second"]
        assert forking.count() == 1 and forking.next_tick() == 0 and forking.kept() is None
        forking.keep(node)
        assert forking.kept() is node
        assert forking.doubled_at_start() == 42

    in_child(body)
    assert forking.count() == 4 and forking.next_tick() == 3 and forking.kept() is node
    forking.forget()


def go_values() -> None:
    """A Go value in a field, and OnDrop, belong to the process that made the object."""
    import tempfile

    import goclasses

    bag, folder = goclasses.Bag("b"), tempfile.mkdtemp()
    assert bag.put("x") == 1
    index = goclasses.Index(folder)

    def body() -> None:
        nonlocal index
        error = raises(RuntimeError, bag.count, "x")
        assert "the value was set before the process forked, and does not exist in the forked child" in str(error)
        assert repr(bag.words) == "<Go value of type map[string]int>" and bag.name == "b"
        mine = goclasses.Bag("mine")
        assert mine.put("y") == 1
        made = goclasses.Index(folder + "/child")
        del index, made
        selfsame_ffi.collect()
        assert open(folder + "/child/lock").read() == "closed\n" and open(folder + "/lock").read() == ""

    in_child(body)
    assert bag.count("x") == 1 and open(folder + "/lock").read() == ""
    del index
    selfsame_ffi.collect()
    assert open(folder + "/lock").read() == "closed\n"


def errors_from_before() -> None:
    """An error that Go raised before the fork keeps kind and text; the Go value behind it stays in the parent."""
    error = forking.mine()
    assert forking.is_mine(error)

    def body() -> None:
        assert not forking.is_mine(error) and error.message.startswith("wrapped")
        assert forking.is_mine(forking.mine())

    in_child(body)


def tensors() -> None:
    """A tensor over Go memory from before the fork keeps its numbers, and dies in the child."""
    numbers = [forking.numbers(1000)]

    def body() -> None:
        assert forking.sum(numbers[0]) == 499500.0
        forking.collect()
        assert forking.sum(numbers[0]) == 499500.0
        numbers.clear()
        for _ in range(100):
            assert forking.sum(forking.numbers(10)) == 45.0
        forking.collect()

    in_child(body)
    assert forking.sum(numbers[0]) == 499500.0


def drops() -> None:
    """Objects die in the child, with their last reference in Python, in Go or in another object."""

    def live() -> int:
        gc.collect()
        forking.collect()
        return selfsame_ffi.debug.live_objects().get("forking.Node", 0)

    start = live()
    roots = [tree() for _ in range(10)]
    assert live() == start + 30

    def body() -> None:
        assert live() >= start + 30
        before, handles = live(), forking.live_handles()
        roots.clear()
        assert live() == before - 30
        forking.garbage(1000)
        kept = [forking.new_node(str(number)) for number in range(100)]
        assert live() == before - 30 + 100 and forking.live_handles() == handles
        kept.clear()
        assert live() == before - 30
        functions = [forking.adder(number) for number in range(100)]
        assert functions[7](1) == 8
        functions.clear()
        forking.collect()

    in_child(body)
    assert live() == start + 30
    roots.clear()
    assert live() == start


def handles_from_before() -> None:
    """Objects for which the parent's Go has handles, in its young list or registered with its collector."""
    nodes = [forking.new_node(str(number)) for number in range(50)]
    forking.collect()
    for node in nodes[:25]:
        forking.keep(node)

    def body() -> None:
        for node in nodes:
            assert forking.same(node) is node
            forking.keep(node)
            assert forking.kept() is node
        forking.forget()
        forking.collect()
        assert [forking.same(node).name for node in nodes] == [str(number) for number in range(50)]

    in_child(body)


def threads() -> None:
    """Threads of the child race to the first call: one loads the library, the others wait."""
    root = tree()

    def body() -> None:
        gate = threading.Barrier(8)
        results = []

        def race() -> None:
            gate.wait()
            results.append((root.total(), forking.count()))
            for number in range(100):
                assert forking.twice(number) == 2 * number

        workers = [threading.Thread(target=race) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [total for total, _ in results] == [4.5] * 8
        assert sorted(number for _, number in results) == list(range(1, 9))
        assert list(forking.restarts()) == ["first 8 10", "second"]

    in_child(body)


def thread_forks() -> None:
    """A fork on another thread than the main one, which uses the package at that time."""
    root = tree()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            root.total()

    worker = threading.Thread(target=work)
    worker.start()
    failures = []

    def forks() -> None:
        try:
            for _ in range(5):
                in_child(lambda: use_everything(root))
        except BaseException as error:
            failures.append(error)

    forker = threading.Thread(target=forks)
    forker.start()
    forker.join()
    stop.set()
    worker.join()
    assert not failures, failures


def inside_a_callback() -> None:
    """A child that is forked while Go waits for a callback, and that ends there, works."""
    root = tree()

    def fork(_node: object) -> bool:
        in_child(lambda: use_everything(root))
        return False

    root.visit(fork)
    assert root.total() == 4.5


def returns_into_dead_go() -> None:
    """A child that returns from the callback that forked it would enter Go that it has not: it ends with a message."""
    root = tree()
    reader, writer = os.pipe()
    here = os.getpid()

    def fork(_node: object) -> bool:
        pid = os.fork()
        if pid == 0:
            signal.alarm(SECONDS)
            os.dup2(writer, 2)
            assert root.total() == 4.5
            return False
        os.close(writer)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        text = os.read(reader, 4096).decode()
        assert status == 255 and "forked inside a call from Go" in text, (status, text)
        return False

    root.visit(fork)
    assert os.getpid() == here and root.total() == 4.5


def several_packages() -> None:
    """Each package comes back by itself, at its own first call, also when another one does not."""
    import geo
    import inventory

    point, store, root = geo.Point(3.0, 4.0), inventory.Store(), tree()
    lamp = inventory.Item("lamp", 5.0)

    def loaded() -> int:
        with open("/proc/self/maps") as maps:
            return len({line.split()[4] for line in maps if "memfd:selfsame" in line})

    def body() -> None:
        assert loaded() == 0
        assert point.norm() == 5.0 and loaded() == 1
        store.add(lamp)
        # The runtime may come back with a package.
        assert store.total(lambda price: 2 * price) == 10.0 and loaded() > 1
        before = loaded()
        use_everything(root)
        assert loaded() > before and geo.nearest([point]) is point

    in_child(body)


def imported_in_the_child() -> None:
    """A package that the child imports itself is loaded as in any process, and comes back in the child's child."""

    def body() -> None:
        import geo

        assert geo.Point(3.0, 4.0).norm() == 5.0
        use_everything(tree())
        in_child(lambda: geo.Point(6.0, 8.0).norm() == 10.0 or 1 / 0)

    in_child(body)


def main() -> None:
    case = globals().get(sys.argv[2]) or getattr(fork_processes, sys.argv[2])
    case()
    print("passed")


if __name__ == "__main__":
    main()
