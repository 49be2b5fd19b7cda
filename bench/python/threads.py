"""Times 1, 2, 4 and 8 threads that use objects: their throughput as a multiple of one thread's.

All of them fetch the same objects; or each fetches objects of its own, passes them to a function, and makes others.

Usage: threads.py FOLDER_OF_THE_BUILT_EXTENSIONS [FREE_THREADED_PYTHON]
       threads.py FOLDER_OF_THE_BUILT_EXTENSIONS --measure PEER

With the GIL the threads take turns, so the best result is 1; a lower one means that they slow each other down. Without
the GIL the throughput grows with the cores. Objects of Python's own show what the interpreter lets grow.

The script runs itself for selfsame and for stock tvm_ffi on this interpreter, and on FREE_THREADED_PYTHON for those of
the two that are installed there, and prints the table. With --measure it measures one of them and prints JSON.
"""

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ops import load_ffi

COUNTS = (1, 2, 4, 8)
OBJECTS = ("the same objects", "objects of their own")
ROUNDS = 7
NUMBER = 1_000_000  # operations of all threads together; enough for many thread switches


class Plain:
    """Python's own counterpart of the benchmark's node."""

    __slots__ = ("x",)

    def __init__(self, x: object):
        self.x = x


def fetch(a, times: int) -> None:
    """Each iteration fetches a child that another reference keeps alive, and one that dies again."""
    held, dropped = a, a.x
    for _ in range(times // 2):
        _ = held.x
        _ = dropped.x


def use(a, times: int) -> None:
    """Each iteration fetches a child, passes the object to a function, and makes an object that dies again."""
    held = a.x  # keeps the child's wrapper
    for _ in range(times // 3):
        _ = a.x
        echo(a)
        make(None)
    del held


def echo(x: object) -> object:
    return x


make: Any = Plain


def seconds(work: Callable[[Any, int], None], threads: int, shared: Any = None) -> float:
    """The time that the threads take for NUMBER operations on `shared`, or each on a tree that it makes."""
    barrier = threading.Barrier(threads)
    begins, ends = [], []

    def run() -> None:
        parent = make(make(make(None))) if shared is None else shared
        barrier.wait()
        begins.append(time.perf_counter())
        work(parent, NUMBER // threads)
        ends.append(time.perf_counter())

    started = [threading.Thread(target=run) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return max(ends) - min(begins)


def measure(peer: str, folder: str) -> dict:
    """By OBJECTS, for each of COUNTS: the throughput as a multiple of one thread's, the median of some rounds."""
    global echo, make  # noqa: PLW0603 - as the names of a user's module
    if peer != "plain":
        get = load_ffi(peer, folder).get_global_func
        echo, make = get("bench.echo"), get("bench.make")
    shared = make(make(make(None)))
    fetch(shared, 2_000)
    use(shared, 2_000)
    ways = dict(zip(OBJECTS, (lambda count: seconds(fetch, count, shared), lambda count: seconds(use, count))))
    ratios: dict = {objects: {count: [] for count in COUNTS} for objects in OBJECTS}
    for objects, of_count in ratios.items():
        for _ in range(ROUNDS):
            one = ways[objects](1)
            for count in COUNTS:
                of_count[count].append(one / ways[objects](count))
    return {objects: [statistics.median(ratios[objects][count]) for count in COUNTS] for objects in OBJECTS}


def interpreters() -> dict[str, tuple[str, str]]:
    """By row of the table: the interpreter and the peer."""
    rows = {peer: (sys.executable, peer) for peer in ("selfsame", "tvm_ffi")}
    for python in sys.argv[2:]:
        name = subprocess.run([python, "-V"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]
        for peer, module in (("selfsame", "selfsame_ffi"), ("tvm_ffi", "tvm_ffi"), ("plain", "sys")):
            find = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
            if subprocess.run([python, "-c", find], check=False).returncode == 0:
                rows[f"{peer}, {name} free-threaded"] = (python, peer)
    return rows


def main() -> None:
    """Measures one peer, or prints the table."""
    if sys.argv[2:3] == ["--measure"]:
        print(json.dumps(measure(sys.argv[3], sys.argv[1])))
        return
    # The free-threaded interpreter, which only measures, need not have what the table needs.
    from output import console, record, table
    from rich.progress import track

    screen = console()
    columns = [f"{count} thread{'s' * (count > 1)}" for count in COUNTS]
    results = {
        objects: table(f"Threads that use {objects}: throughput as a multiple of one thread's", "", *columns)
        for objects in OBJECTS
    }
    figures: dict = {objects: {} for objects in OBJECTS}
    for row, (python, peer) in track(interpreters().items(), "measuring threads", console=screen):
        command = [python, __file__, sys.argv[1], "--measure", peer]
        measured = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        for objects, ratios in measured.items():
            results[objects].add_row(row, *(f"{ratio:.2f}x" for ratio in ratios))
            figures[objects][row] = dict(zip(map(str, COUNTS), ratios))
    screen.print(*results.values())
    record("threads", figures["the same objects"])
    record("threads, own objects", figures["objects of their own"])


if __name__ == "__main__":
    main()
