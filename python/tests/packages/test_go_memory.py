"""Native memory behind Go handles: flat in loops, given back when the process is idle and at exit, and by collect()."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import selfsame_ffi
from repository import SUPPORT

# Requirement: C8

PROGRAM = SUPPORT / "go_memory.py"
COUNTS = {"arrays": 400, "pictures": 4000, "objects": 1_000_000, "kept": 400_000, "exceptions": 10_000}
SLACK = 24 << 20  # what the collectors may be behind, beyond twice the memory of the first hundred calls


def python(folder: Path, *arguments: str, **environment: str) -> str:
    """What a new interpreter prints that has the Go packages on its path and the default GOGC."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("GOGC", "GOMEMLIMIT")}
    result = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=inherited | {"PYTHONPATH": str(folder)} | environment,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("loop", COUNTS)
def test_loops_are_flat(go_packages, loop):
    if loop == "arrays":
        pytest.importorskip("numpy")
    first, most = map(int, python(go_packages, str(PROGRAM), str(go_packages), loop, str(COUNTS[loop])).split())
    assert most < 2 * first + SLACK, f"{first >> 20} MiB after 100 calls, {most >> 20} MiB later"


HEAD = """
import gc, os, sys, time
import geo, inventory, selfsame_ffi

def live(key="geo.Point"):
    return selfsame_ffi.debug.live_objects().get(key, 0)

class Noted(geo.Point):
    def __del__(self):
        print("gone", self.x, flush=True)

gc.disable()
before = live()
"""


def test_collect_frees_what_hangs_across_both_languages(go_packages):
    out = python(
        go_packages,
        "-c",
        HEAD
        + """
point = Noted(1.0, 2.0)
point.me = point                      # for CPython's collector
geo.nearest([point])                  # for Go's
store, item = inventory.Store(), inventory.Item("cup")
store.add(item)                       # for the Go runtime of the other package
cups = live("inventory.Item")
del point, store, item
assert (live(), live("inventory.Item")) == (before + 1, cups)
found = selfsame_ffi.collect()
assert found >= 4, found
assert (live(), live("inventory.Item")) == (before, cups - 1)
assert selfsame_ffi.collect() == 0
assert selfsame_ffi.get_global_func("selfsame.collect")() == 0
""",
    )
    assert out == "gone 1.0\n"


def test_idle_process_gives_back_what_go_dropped(go_packages):
    python(
        go_packages,
        "-c",
        HEAD
        + """
for _ in range(100):
    geo.nearest([geo.Point(1.0, 2.0)])
assert live() == before + 100
end = time.monotonic() + 60
while live() != before:
    assert time.monotonic() < end, live() - before
    time.sleep(0.05)
""",
    )


def test_full_collection_asks_go_when_much_hangs_there(go_packages):
    pytest.importorskip("numpy")
    python(
        go_packages,
        "-c",
        HEAD
        + """
import numpy
gc.collect()
tensors = live("ffi.Tensor")
inventory.mean(numpy.ones(500_000))
assert live("ffi.Tensor") == tensors + 1
gc.collect()
assert live("ffi.Tensor") == tensors
""",
        GOGC="off",  # so that only CPython's collector can have done it
    )


def test_objects_that_go_dropped_are_finalized_at_exit(go_packages):
    out = python(go_packages, "-c", HEAD + "point = Noted(3.0, 4.0); geo.nearest([point]); del point; print('end')")
    assert out == "end\ngone 3.0\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_collect_in_a_forked_child_returns(go_packages):
    out = python(
        go_packages,
        "-c",
        HEAD
        + """
geo.nearest([geo.Point(1.0, 2.0)])
child = os.fork()
if child == 0:
    print(selfsame_ffi.collect() >= 0, flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
""",
    )
    assert out == "True\n"


def test_collect_without_go_packages_ends():
    assert selfsame_ffi.collect() >= 0
    assert selfsame_ffi.collect() == 0
