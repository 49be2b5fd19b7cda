"""1, 2, 4 and 8 threads that fetch the same objects: their throughput as a multiple of one thread's.

threads.py FOLDER_OF_THE_BUILT_EXTENSIONS

With the GIL threads take turns, so 1 is all there is to have; what may not happen is that they slow each
other down. Without it the throughput grows with the cores. Run with `threads.py FOLDER PEER` it measures one peer and
prints JSON; without a peer it runs itself for selfsame and for stock tvm_ffi, and prints the table.
"""

import json
import statistics
import subprocess
import sys
import threading
import time

from ops import load_ffi
from rich.console import Console
from rich.progress import track
from rich.table import Table

COUNTS = (1, 2, 4, 8)
ROUNDS = 7
NUMBER = 2_000_000  # fetches of all threads together: many switches between threads


def work(a, times: int) -> None:
    """Each round of the loop fetches a child that is held elsewhere and one that is not."""
    held, dropped = a, a.x
    for _ in range(times):
        _ = held.x
        _ = dropped.x


def seconds(threads: int, a) -> float:
    """How long `threads` threads take for NUMBER fetches."""
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


def main() -> None:
    """Measures one peer, or prints the table."""
    if len(sys.argv) > 2:
        print(json.dumps(measure(sys.argv[2], sys.argv[1])))
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    table = Table(title="Threads that fetch the same objects: throughput as a multiple of one thread's", safe_box=True)
    table.add_column("")
    for count in COUNTS:
        table.add_column(f"{count} thread{'s' * (count > 1)}", justify="right")
    for peer in track(("selfsame", "tvm_ffi"), "measuring threads", console=console):
        command = [sys.executable, __file__, sys.argv[1], peer]
        ratios = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        table.add_row(peer, *(f"{ratio:.2f}x" for ratio in ratios))
    console.print(table)


if __name__ == "__main__":
    main()
