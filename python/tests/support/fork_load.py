"""Forks a process under load, many times: run by test_fork.py and `make forks`.

Usage: fork_load.py EXTENSION FORKS [SECONDS]

The main thread forks while other threads fetch, call, store, collect garbage, let native threads release objects, and
call into Go. Each child checks that identity, fields and counts work, uses every area of the runtime's Go code
(fork_areas.py), some of them on several threads, forks a child of its own that does so too, and exits. A child that has
not exited after SECONDS (default 300) is counted as hanging and killed. Ends with 1 when a child hung or failed.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
import threading
import time
import warnings

import fork_areas
import selfsame_ffi

selfsame_ffi.load_extension(sys.argv[1])
FORKS = int(sys.argv[2])
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 300.0
g = selfsame_ffi.get_global_func


def of(key: str, *slots: str) -> type:
    """The Python class of a type key, registered here."""
    return selfsame_ffi.register_object(key)(type(key.split(".")[1], (selfsame_ffi.Object,), {"__slots__": slots}))


Leaf, Node, Rich = of("sst.Leaf"), of("sst.Node"), of("sst.Rich", "__dict__", "__weakref__")


def check(ok: bool, message: str) -> None:
    if not ok:
        raise AssertionError(message)


def child(owner, first, rich_owner, shared, shared_list, made) -> None:
    echo = g("sst.echo")
    check(id(owner.x) == first and owner.x is owner.x and owner.x.value == 3, "identity and fields")
    check(rich_owner.x.note == "n", "state")
    check(echo(owner) is owner and Leaf(5).add(1) == 6, "calls of native code")
    before = selfsame_ffi.debug.tie(owner)["strong"]
    keep = selfsame_ffi.convert([owner, 1, "a text that is longer than seven bytes"])
    check(selfsame_ffi.debug.tie(owner)["strong"] == before + 1, "counts go up")
    check(keep[0] is owner and g("sst.apply")(lambda value: value, keep) is keep, "containers and callbacks")
    del keep
    check(selfsame_ffi.debug.tie(owner)["strong"] == before, "counts go down")
    check(len(shared_list) == 2 and shared_list[0] is shared_list[0], "a List")
    owner.x = Leaf(8)
    check(owner.x.value == 8, "stores")
    for _ in range(100):
        check(shared.x is shared.x, "an object that other threads were using")
    g("sst.drop_later")(Leaf(1))  # a native thread can be started
    fork_areas.use_all(made)
    selfsame_ffi.register_global_func("sst.in_child", lambda: Leaf(1))
    check(g("sst.in_child")().value == 1, "a function that the child registered")
    fork_areas.in_grandchild(made)
    gc.collect()


def load(stop: threading.Event, shared, made, seed: int) -> None:
    """Random operations on one thread of the parent, until `stop` is set."""
    rng = random.Random(seed)
    while not stop.is_set():
        kind = rng.randrange(7)
        if kind == 0:
            g("sst.apply_on_thread")(lambda value: value, shared.x)
        elif kind == 1:
            g("sst.drop_later")(shared.x)
        elif kind == 2:
            gc.collect(0)
        elif kind == 3:
            name = f"sst.parent.{rng.randrange(5000)}"  # enters Go, and makes the tables grow
            selfsame_ffi.register_global_func(name, lambda: 1, override=True)
        elif kind == 4:
            fork_areas.walks(made)  # enters Go, which calls back
        else:
            Node(Rich(1)).x.note = shared.x


def wait(pid: int) -> int | None:
    """The child's exit status, or None when it hung and was killed."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def main() -> int:
    warnings.simplefilter("ignore")
    owner, rich_owner, shared = Node(Leaf(3)), Node(Rich(4)), Node(Leaf(5))
    shared_list = selfsame_ffi.List([Leaf(6), 1])
    made = fork_areas.Made()
    first = id(owner.x)
    rich_owner.x.note = "n"
    stop = threading.Event()
    threads = [threading.Thread(target=load, args=(stop, shared, made, seed), daemon=True) for seed in range(4)]
    for thread in threads:
        thread.start()
    hung = failed = 0
    for _ in range(FORKS):
        pid = os.fork()
        if pid == 0:
            try:
                child(owner, first, rich_owner, shared, shared_list, made)
                os._exit(0)
            except BaseException as error:
                os.write(2, f"child: {type(error).__name__}: {error}\n".encode())
                os._exit(1)
        status = wait(pid)
        hung += status is None
        failed += status not in (0, None)
    stop.set()
    for thread in threads:
        thread.join()
    print(f"{FORKS} forks, {hung} hung, {failed} failed")
    return 1 if hung or failed else 0


if __name__ == "__main__":
    sys.exit(main())
