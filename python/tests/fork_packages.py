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
import time
import traceback

sys.path.insert(0, sys.argv[1])

import forking  # noqa: E402
import selfsame_ffi  # noqa: E402
from selfsame_ffi import _core  # noqa: E402

SECONDS = 240


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
    frames = "".join(traceback.format_exception(raises(OSError, forking.fail, "OSError", "text", text="text")))
    assert "forking.go" in frames, frames
    raises(RuntimeError, forking.panic, text="a panic")
    raises(RuntimeError, forking.isolated, text="Goexit")
    assert forking.twice(4) == 8 and forking.apply(lambda value: [value, 1], 2)[0] == 2
    assert forking.on_goroutines(lambda number: number, 20) == 190
    found = forking.index(["a", "b", "c"])
    assert found["c"] == 2 and len(found) == 3
    assert forking.sum(forking.numbers(5)) == 10.0
    assert [shape.value for shape in forking.shapes()] == [1, 2]


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
    """Objects for which the parent's Go has handles, in its nursery or registered with its collector."""
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


def collections() -> None:
    """Collections of the whole process, before and after the child's Go has started, and in a child of that child."""
    root = tree()
    selfsame_ffi.collect()

    def body() -> None:
        selfsame_ffi.collect()  # brings nothing back
        assert root.total() == 4.5
        forking.garbage(100)
        selfsame_ffi.collect()
        before = selfsame_ffi.debug.live_objects()["forking.Node"]
        forking.garbage(1000)
        selfsame_ffi.collect()
        assert selfsame_ffi.debug.live_objects()["forking.Node"] == before

        def grandchild() -> None:
            selfsame_ffi.collect()
            use_everything(root)
            selfsame_ffi.collect()

        in_child(grandchild)

    in_child(body)


def ends_as_usual() -> None:
    """A child that ends with sys.exit runs its exit handlers, with a Go that is dead and with one that runs."""
    root = tree()

    def ends(use: bool) -> None:
        pid = os.fork()
        if pid == 0:
            signal.alarm(SECONDS)
            if use:
                assert root.total() == 4.5
            sys.exit(7)
        finish(pid, 7)

    ends(False)
    ends(True)


def runtime_comes_back_too() -> None:
    """What the package asks of the runtime in the child: new functions, texts of objects, containers with hashes."""
    import inventory

    root, lamp = tree(), inventory.Item("lamp", 5.0)
    text = str(lamp)

    def body() -> None:
        assert str(lamp) == text
        forking.register_adder("forking.of_the_child", 30)
        assert selfsame_ffi.get_global_func("forking.of_the_child")(4) == 34
        leaves = selfsame_ffi.Map({forking.Leaf(number): number for number in range(20)})
        assert leaves[forking.Leaf(7)] == 7  # through the class's hash and equality
        use_everything(root)
        in_child(lambda: use_everything(root))

    in_child(body)


def loaded_again() -> None:
    """The child loads the library once more."""
    root = tree()

    def body() -> None:
        library = os.path.join(os.path.dirname(forking.__file__), "_forking.so")
        selfsame_ffi.load_extension(library)
        assert list(forking.restarts()) == ["first 8 10", "second"]
        assert forking.same(root) is root

    in_child(body)


def replaced_file() -> None:
    """The library's file is another one by now: an error that says so. The child goes on."""
    library = os.path.join(os.path.dirname(forking.__file__), "_forking.so")
    root = tree()
    os.rename(library, library + ".old")

    def body() -> None:
        raises(RuntimeError, root.total, text="forked child")
        raises(RuntimeError, forking.Node, "x", text="spawn")
        assert root.left.name == "left" and root.shape is forking.Shape.square
        os.rename(library + ".old", library)
        assert root.total() == 4.5  # it is there again

    in_child(body)
    assert os.path.exists(library)


def signals() -> None:
    """KeyboardInterrupt and handlers of signals work in the child, before and after its Go has started."""
    root = tree()

    def body() -> None:
        raises(KeyboardInterrupt, signal.raise_signal, signal.SIGINT)
        assert root.total() == 4.5
        raises(KeyboardInterrupt, signal.raise_signal, signal.SIGINT)
        got = []
        for number in (signal.SIGUSR1, signal.SIGURG, signal.SIGPROF, signal.SIGCHLD):
            signal.signal(number, lambda number, _frame: got.append(number))
            signal.raise_signal(number)
            time.sleep(0.001)
        assert len(got) == 4, got
        assert root.total() == 4.5

        def interrupted(_node: object) -> bool:
            signal.raise_signal(signal.SIGINT)
            return True

        raises(KeyboardInterrupt, root.visit, interrupted)

    in_child(body)


def failing_restart() -> None:
    """A func of AfterFork that panics: each call raises, none hangs, and what needs no Go works."""
    name = os.path.join(sys.argv[1], "fails")
    if "FORKING_FAILS" not in os.environ:  # Go sees the environment of the process's start
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "FORKING_FAILS": name})
    root = tree()

    def body() -> None:
        with open(name, "w"):
            pass
        for _ in range(2):
            raises(RuntimeError, root.total, text="the state cannot be set up")
        assert root.left.name == "left"
        os.unlink(name)
        in_child(lambda: use_everything(root))  # another Go, which starts

    in_child(body)


def work(number: int) -> float:
    """The task of a worker process."""
    node = forking.Node(str(number))
    node.left = forking.Node("left")
    assert forking.same(node) is node and forking.on_goroutines(lambda value: value, 4) == 6
    return node.total() + number


def pools() -> None:
    """multiprocessing.Pool and ProcessPoolExecutor with each start method, in a parent that has used the package."""
    import concurrent.futures
    import multiprocessing

    use_everything(tree())
    expected = [3.0 + number for number in range(8)]
    for method in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            assert pool.map(work, range(8)) == expected
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
            assert list(executor.map(work, range(8), timeout=SECONDS)) == expected
    use_everything(tree())


def preload() -> None:
    """A server that loads the application first and forks its workers then, and again when one dies."""
    import socket

    root = tree()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                number = int(connection.recv(64))
                root.weight = float(number)
                connection.sendall(f"{os.getpid()} {root.total()}".encode())

    def request(number: int) -> int:
        """The process that answered."""
        with socket.create_connection(listener.getsockname()) as connection:
            connection.sendall(str(number).encode())
            pid, total = connection.recv(64).split()
        assert float(total) == number + 3.0
        return int(pid)

    workers = {start_child(serve) for _ in range(3)}
    for number in range(30):
        assert request(number) in workers
    for pid in list(workers):
        os.kill(pid, signal.SIGTERM)
        finish(pid, -signal.SIGTERM)
        workers.remove(pid)
        workers.add(start_child(serve))
        for number in range(10):
            assert request(number) in workers
    for pid in workers:
        os.kill(pid, signal.SIGTERM)
        finish(pid, -signal.SIGTERM)
    assert root.total() == 4.5


def load() -> None:
    """Forks under load, each child with a fork of its own: the third argument says how many."""
    import geo

    root, point, stop = tree(), geo.Point(3.0, 4.0), threading.Event()

    def keep_busy(seed: int) -> None:
        while not stop.is_set():
            if seed % 2:
                forking.garbage(5)
                root.visit(lambda _node: True)
                time.sleep(0.001)  # an endless loop makes garbage faster than a busy machine collects it
            else:
                forking.on_goroutines(lambda number: number, 5)
                raises(ValueError, forking.fail, "ValueError", "text")
                forking.adder(seed)

    def body() -> None:
        use_everything(root)
        assert point.norm() == 5.0
        workers = [threading.Thread(target=lambda: forking.garbage(100)) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        forking.collect()
        in_child(lambda: use_everything(root))

    workers = [threading.Thread(target=keep_busy, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    failed = 0
    try:
        for _ in range(int(sys.argv[3])):
            pid = start_child(body)
            failed += os.waitpid(pid, 0)[1] != 0
    finally:
        stop.set()
        for worker in workers:
            worker.join()
    assert not failed, f"{failed} of {sys.argv[3]} children failed"
    use_everything(root)


def main() -> None:
    globals()[sys.argv[2]]()
    print("passed")


if __name__ == "__main__":
    main()
