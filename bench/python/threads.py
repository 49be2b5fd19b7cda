"""Times 1, 2, 4 and 8 threads that fetch the same objects: their throughput as a multiple of one thread's.

Usage: threads.py FOLDER_OF_THE_BUILT_EXTENSIONS [FREE_THREADED_PYTHON]
       threads.py FOLDER_OF_THE_BUILT_EXTENSIONS --measure PEER

With the GIL the threads take turns, so the best result is 1; a lower one means that they slow each other down. Without
the GIL the throughput grows with the cores. The script runs itself for selfsame and for stock tvm_ffi on this
interpreter, and on FREE_THREADED_PYTHON for those of the two that are installed there, and prints the table. With
--measure it measures one of them and prints JSON.
"""

import json
import statistics
import subprocess
import sys
import threading
import time

from ops import load_ffi

COUNTS = (1, 2, 4, 8)
ROUNDS = 7
NUMBER = 2_000_000  # fetches of all threads together; enough for many thread switches


def work(a, times: int) -> None:
    """Each iteration fetches a child that another reference keeps alive, and one that dies again."""
    held, dropped = a, a.x
    for _ in range(times):
        _ = held.x
        _ = dropped.x


def seconds(threads: int, a) -> float:
    """The time that `threads` threads take for NUMBER fetches."""
    barrier = threading.Barrier(threads + 1)

    def run() -> None:
        barrier.wait()
        work(a, NUMBER // 2 // threads)
        barrier.wait()

    started = [threading.Thread(target=run) for _ in range(threads)]
    for thread in started:
        thread.start()
    barrier.wait()
    begin = time.perf_counter()
    barrier.wait()
    took = time.perf_counter() - begin
    for thread in started:
        thread.join()
    return took


def measure(peer: str, folder: str) -> list:
    """For each of COUNTS, the throughput as a multiple of one thread's: the median of some rounds."""
    make = load_ffi(peer, folder).get_global_func("bench.make")
    a = make(make(make(None)))
    work(a, 2_000)
    ratios: dict = {count: [] for count in COUNTS}
    for _ in range(ROUNDS):
        one = seconds(1, a)
        for count in COUNTS:
            ratios[count].append(one / seconds(count, a))
    return [statistics.median(ratios[count]) for count in COUNTS]


def interpreters() -> dict[str, tuple[str, str]]:
    """By row of the table: the interpreter and the peer."""
    rows = {peer: (sys.executable, peer) for peer in ("selfsame", "tvm_ffi")}
    for python in sys.argv[2:]:
        name = subprocess.run([python, "-V"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]
        for peer, module in (("selfsame", "selfsame_ffi"), ("tvm_ffi", "tvm_ffi")):
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
    results = table("Threads that fetch the same objects: throughput as a multiple of one thread's", "", *columns)
    figures = {}
    for row, (python, peer) in track(interpreters().items(), "measuring threads", console=screen):
        command = [python, __file__, sys.argv[1], "--measure", peer]
        ratios = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        results.add_row(row, *(f"{ratio:.2f}x" for ratio in ratios))
        figures[row] = dict(zip(map(str, COUNTS), ratios))
    screen.print(results)
    record("threads", figures)


if __name__ == "__main__":
    main()
