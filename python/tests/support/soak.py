"""Mixed load for a long time, with flat memory at the end: ``make soak``.

Three processes. One runs random graphs against the identity model, while native threads take and drop references of
other objects. One parses, walks, calls back and raises through the markdown example, so that Go's collector works as
well. One runs the loops of go_memory.py, in which Go gets and drops arrays, pictures, objects and exceptions, without
any explicit collection. Each prints its resident memory while it runs. At the end the median of the last quarter must
not be above that of the second quarter by more than 2 percent or 2 MiB. The loops are allowed 24 MiB, because their
memory goes up and down by what Go's pacing allows. The numbers of live native objects, records and kept blocks must be
those after the warm-up.

    build/venv/bin/python python/tests/support/soak.py --minutes 30
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Callable

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ALLOWED_SHARE = 1.02
ALLOWED_BYTES = {"model": 2 << 20, "go": 2 << 20, "memory": 24 << 20}
LOADS = ("model", "go", "memory")


def resident() -> int:
    """Bytes of memory that this process has resident."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS in /proc/self/status")


def counts() -> dict[str, int]:
    """Numbers of live objects by kind, after a collection."""
    import selfsame_ffi

    gc.collect()
    counters = selfsame_ffi.debug.counters()
    return {name: counters[name] for name in ("wrappers", "held", "kept_blocks", "records")} | {
        "natives": sum(selfsame_ffi.debug.live_objects().values())
    }


def model_load() -> Callable[[int], None]:
    """One step of the first process, as a function of the step's number."""
    from types import SimpleNamespace

    import conftest
    import identity_model
    import native_build
    import selfsame_ffi

    selfsame_ffi.load_extension(native_build.build())
    native = SimpleNamespace(**conftest._classes())
    names = [name for name in selfsame_ffi.list_global_func_names() if name.startswith("sst.")]
    for name in names:
        setattr(native, name[4:], selfsame_ffi.get_global_func(name))

    alone = native.live()

    def storm(rounds: int) -> None:
        objects = [native.leaf(k) for k in range(8)]
        for obj in objects:
            native.hammer(obj, 2, rounds)
            native.drop_later(obj)

    def step(number: int) -> None:
        threads = [threading.Thread(target=storm, args=(200,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        deadline = time.monotonic() + 60
        while native.live() != alone:  # a native thread drops the last ones a little later
            assert time.monotonic() < deadline, f"{native.live() - alone} objects of the storm are still alive"
            time.sleep(0.001)
        identity_model.run(native, number, steps=150)

    return step


def go_load() -> Callable[[int], None]:
    """One step of the second process, as a function of the step's number."""
    import markdown

    text = (ROOT / "README.md").read_text()

    def walk(node) -> int:
        return 1 + sum(walk(child) for child in node.children)

    def step(number: int) -> None:
        doc = markdown.parse(text)
        count = walk(doc)
        for k, node in enumerate(doc.children):
            node.note = [number, k]
        gc.collect()
        assert [node.note for node in doc.children] == [[number, k] for k in range(len(doc.children))]
        assert walk(doc) == count
        met = []
        for node in doc.children:
            assert markdown.apply(lambda n: met.append(n) or n, node) is node
        assert all(a is b for a, b in zip(met, doc.children))
        try:
            markdown.heading(doc, 1_000_000)
        except IndexError:
            pass
        else:
            raise AssertionError("heading 1000000 exists")
        met.clear()
        del doc, node
        if number % 20 == 0:
            gc.collect()
            markdown.collect()

    return step


def memory_load() -> Callable[[int], None]:
    """One step of the third process, as a function of the step's number."""
    import go_memory

    calls = {"arrays": 5, "pictures": 50, "objects": 5000, "kept": 1000, "exceptions": 200}
    steps = {name: make() for name, make in go_memory.LOOPS.items()}

    def step(number: int) -> None:
        for name, call in steps.items():
            for _ in range(calls[name]):
                call()

    return step


def settle() -> dict[str, int]:
    """Collect garbage in all languages; the counts after it."""
    import selfsame_ffi

    selfsame_ffi.collect()
    return counts()


def work(load: str, minutes: float) -> int:
    """Run one load for `minutes`; 1 when memory or counts grew."""
    step = {"model": model_load, "go": go_load, "memory": memory_load}[load]()
    for number in range(30):
        step(number)
    before = settle()
    begin = time.monotonic()
    end = begin + minutes * 60
    samples: list[int] = []
    report = begin
    number = 30
    while time.monotonic() < end:
        step(number)
        number += 1
        if time.monotonic() >= report:
            samples.append(resident())
            report = time.monotonic() + max(1.0, minutes * 60 / 120)
            done = (time.monotonic() - begin) / (end - begin)
            print(f"{load}: {min(done, 1):4.0%}  {number} rounds  {samples[-1] / 2**20:.1f} MiB", flush=True)
    after = settle()
    quarter = max(1, len(samples) // 4)
    early = statistics.median(samples[quarter : 2 * quarter] or samples)
    late = statistics.median(samples[-quarter:])
    print(f"{load}: {number} rounds, {early / 2**20:.1f} MiB early, {late / 2**20:.1f} MiB late; {after}", flush=True)
    failed = 0
    if after != before:
        print(f"{load}: FAILED: counts differ: {before} before, {after} after")
        failed = 1
    if late > max(early * ALLOWED_SHARE, early + ALLOWED_BYTES[load]):
        print(f"{load}: FAILED: memory grew")
        failed = 1
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--load", choices=LOADS, help="run one load in this process, which has the paths")
    options = parser.parse_args()
    if options.load:
        return work(options.load, options.minutes)
    sys.path.insert(0, str(HERE))
    import origins

    path = os.pathsep.join(map(str, (HERE, HERE.parent, origins.go(), ROOT / "build" / "demo")))
    command = [sys.executable, __file__, "--minutes", str(options.minutes), "--load"]
    processes = [subprocess.Popen([*command, load], env={**os.environ, "PYTHONPATH": path}) for load in LOADS]
    failed = [process.wait() for process in processes]
    print("soak: " + ("FAILED" if any(failed) else f"flat over {options.minutes:g} minutes"))
    return int(any(failed))


if __name__ == "__main__":
    sys.exit(main())
