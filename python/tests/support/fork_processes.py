"""Go packages in forked children: collections, signals, pools, preloading, load. The cases are run by fork_packages.py.

Each case sets things up, forks, and checks them in the child, and in the parent afterwards.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import forking
import selfsame_ffi
from forking_children import SECONDS, finish, in_child, raises, start_child, tree, use_everything


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
                forking.garbage(50)
                root.visit(lambda _node: True)
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
