"""Prints, as JSON, what one process uses for the work of the service without a server.

seconds          processor time of one request: the median of 40 slices of 500 requests
full_collections of CPython in 100,000 requests
growth           bytes of resident memory per thread, over 2,000 threads that come, do one request, and go
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import threading
import time

from work import work

SLICE, SLICES, REQUESTS, THREADS = 500, 40, 100_000, 2_000


def resident() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def seconds() -> float:
    slices = []
    for _ in range(SLICES):
        start = time.process_time()
        for k in range(SLICE):
            work(k)
        slices.append((time.process_time() - start) / SLICE)
    return statistics.median(slices)


def full_collections() -> int:
    before = gc.get_stats()[2]["collections"]
    for k in range(REQUESTS):
        work(k)
    return gc.get_stats()[2]["collections"] - before


def threads(count: int) -> None:
    for first in range(0, count, 20):
        group = [threading.Thread(target=work, args=(first + i,)) for i in range(20)]
        for thread in group:
            thread.start()
        for thread in group:
            thread.join()


def growth() -> float:
    threads(200)  # what the first threads make stays: arenas of malloc, threads of Go
    before = resident()
    threads(THREADS)
    return (resident() - before) / THREADS


print(json.dumps({"seconds": seconds(), "full_collections": full_collections(), "growth": growth()}))
