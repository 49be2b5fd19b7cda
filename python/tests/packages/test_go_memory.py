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
# What the collectors may be behind, beyond twice the memory of the first hundred calls. An exception keeps 100 kB until
# Go's collector has run, which takes longer on a busy machine; all of them together would be 1 GB.
SLACK = dict.fromkeys(COUNTS, 24 << 20) | {"exceptions": 200 << 20}


def python(folder: Path, *arguments: str, **environment: str) -> str:
    """What a new interpreter prints that has the Go packages on its path and the default GOGC."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("GOGC", "GOMEMLIMIT")}
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=1800,
        env=inherited | {"PYTHONPATH": path} | environment,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("loop", COUNTS)
def test_loops_are_flat(go_packages, loop):
    if loop == "arrays":
        pytest.importorskip("numpy")
    first, most = map(int, python(go_packages, str(PROGRAM), str(go_packages), loop, str(COUNTS[loop])).split())
    assert most < 2 * first + SLACK[loop], f"{first >> 20} MiB after 100 calls, {most >> 20} MiB later"


HEAD = """
import gc, os, sys, time
import geo, inventory, selfsame_ffi, signatures

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
bead = signatures.Bead(1, None)
signatures.keep_beads([bead])         # for Go's
signatures.drop_beads()
item = inventory.Item("cup")
item.draw(1, 1)                       # a tensor, for the Go runtime of the other package
del point, bead, item
assert (live(), live("ffi.Tensor"), live("signatures.Bead")) == (before + 1, 1, 1)
found = selfsame_ffi.collect()
assert found >= 3, found
assert (live(), live("ffi.Tensor"), live("signatures.Bead")) == (before, 0, 0)
assert selfsame_ffi.collect() == 0
assert selfsame_ffi.get_global_func("selfsame.collect")() == 0
""",
    )
    assert out == "gone 1.0\n"


def test_what_a_go_object_stores_is_gone_with_it(go_packages):
    """The package stores its arguments as *T, in a list and a dict, and loops over them: no handles."""
    python(
        go_packages,
        "-c",
        HEAD
        + """
def use(store):
    for number in range(5):
        item = inventory.Item(str(number), 5.0 - number)
        item.tags.append("x")
        store.add(item)
    assert store.total(lambda price: 2 * price) == 30.0
    assert [item.name for item in store.cheapest(2)] == ["4", "3"]

def objects():
    gc.collect()
    return len(gc.get_objects())

use(inventory.Store())
now = objects()
for _ in range(20):
    use(inventory.Store())
assert (live("inventory.Item"), live("inventory.Store")) == (0, 0)
assert objects() <= now
""",
        GOGC="off",
    )


def test_idle_process_gives_back_what_go_dropped(go_packages):
    python(
        go_packages,
        "-c",
        HEAD
        + """
for number in range(100):
    signatures.keep_beads([signatures.Bead(number, None)])
signatures.drop_beads()
assert live("signatures.Bead") == 100
end = time.monotonic() + 1800
while live("signatures.Bead"):
    assert time.monotonic() < end, live("signatures.Bead")
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
inventory.mean(numpy.ones(500_000))  # lends it
assert live("ffi.Tensor") == tensors
signatures.keep_tensor(numpy.ones(500_000))
signatures.keep_tensor(None)
assert live("ffi.Tensor") == tensors + 1
gc.collect()
assert live("ffi.Tensor") == tensors
""",
        GOGC="off",  # so that only CPython's collector can have done it
    )


def test_objects_that_go_dropped_are_finalized_at_exit(go_packages):
    out = python(
        go_packages,
        "-c",
        HEAD
        + """
class NotedBead(signatures.Bead):
    def __del__(self):
        print("gone", self.number, flush=True)

point, bead = Noted(3.0, 4.0), NotedBead(5, None)
geo.nearest([point])
signatures.keep_beads([bead])
signatures.drop_beads()
del point, bead
print("end")
""",
    )
    assert out == "gone 3.0\nend\ngone 5\n"


LENT = {
    "list": "signatures.sum_beads([bead(1), bead(2)]) == 3",
    "same object twice": "(lambda b: signatures.sum_beads([b, b]))(bead(2)) == 4",
    "tuple": "signatures.sum_beads((bead(1), bead(2))) == 3",
    "native list": "signatures.sum_beads(selfsame_ffi.List([bead(1), bead(2)])) == 3",
    "dict": "signatures.sum_named_beads({'a': bead(1)}, 3) == 3",
    "keywords": "signatures.sum_named_beads(times=3, by_name={'a': bead(1)}) == 3",
    "objects": "signatures.link_beads(bead(1), bead(2)) is None",
    "result": "signatures.first_bead([bead(1), bead(2)]).number == 1",
    "any": "signatures.count_any_beads([bead(1), 2, bead(3)]) == 2",
    "List": "signatures.count_listed_beads([bead(1), bead(2)]) == 2",
    "variadic": "signatures.sum_more_beads(bead(1), bead(2), bead(3)) == 6",
    "callback": "(lambda b: signatures.call_back(lambda n: n + b.number))(bead(2)) == 3",
    "error": "raises(lambda: signatures.refuse_beads([bead(1)], False))",
    "panic": "raises(lambda: signatures.refuse_beads([bead(1)], True))",
    "wrong element": "raises(lambda: signatures.sum_beads([bead(1), 'text']))",
    "later argument": "raises(lambda: signatures.refuse_beads([bead(1)], 'text'))",
}

LENT_HEAD = """
def bead(number):
    return signatures.Bead(number, None)

def raises(call):
    try:
        call()
    except Exception as error:
        error.__traceback__ = None
        return True

def live():
    return [selfsame_ffi.debug.live_objects().get(key, 0) for key in ("signatures.Bead", "ffi.List", "ffi.Dict")]

"""


STATEFUL = """
class RichBead(signatures.Bead):
    pass

def bead(number):
    made = RichBead(number, None)
    made.note = [number]
    return made

"""


@pytest.mark.parametrize("head", [LENT_HEAD, LENT_HEAD + STATEFUL], ids=["lean", "stateful"])
def test_arguments_that_go_does_not_keep_are_gone_with_the_call(go_packages, head):
    """Both collectors are off. The build has asked the Go compiler which arguments the funcs keep."""
    body = [
        f"before = live()\nassert {call}\nassert live() == before, ({name!r}, live(), before)"
        for name, call in LENT.items()
    ]
    python(go_packages, "-c", HEAD + head + "\n".join(body), GOGC="off")


def test_stateful_argument_that_go_keeps_dies_with_its_handle(go_packages):
    """Go's collector alone runs, and CPython's is off."""
    python(
        go_packages,
        "-c",
        HEAD
        + LENT_HEAD
        + STATEFUL
        + """
import weakref
before = live()
first = bead(1)
ref = weakref.ref(first)
signatures.keep_beads([first])
del first
assert ref().note == [1] and signatures.kept_beads()[0] is ref()
signatures.drop_beads()
assert ref() is not None
selfsame_ffi._core.collect_others()
selfsame_ffi._core.wait_for_cleanups()
assert ref() is None and live() == before
""",
        GOGC="off",
    )


def test_arguments_that_go_keeps_stay_alive_and_identical(go_packages):
    python(
        go_packages,
        "-c",
        HEAD
        + LENT_HEAD
        + """
before = live()
first, second = bead(1), bead(2)
signatures.keep_beads([first, second])
signatures.sum_beads([first, second])                 # lends what is kept already
kept = signatures.kept_beads()
assert kept[0] is first and kept[1] is second
del first, second, kept
assert live()[0] == before[0] + 2
assert [b.number for b in signatures.kept_beads()] == [1, 2]
assert signatures.sum_beads(signatures.kept_beads()) == 3
signatures.drop_beads()
selfsame_ffi.collect()
assert live() == before
""",
        GOGC="off",
    )


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
