"""The memory of a dead wrapper serves the next one, which has nothing of the dead one's."""

# Requirement: C7, C8

import gc
import os
import subprocess
import sys

import pytest
import selfsame_ffi

PROGRAM = """
import selfsame_ffi
from selfsame_ffi.dataclasses import py_class

@py_class("sst.spare.Other")
class Other(selfsame_ffi.Object):
    __slots__ = ()
    n: int

ids = set()
for n in range(200):
    made = [Other(i) for i in range(n)]
    assert [each.n for each in made] == list(range(n))
    ids.update(map(id, made))
assert selfsame_ffi.debug.wrappers() >= 199
print(len(ids) > 0)
"""


def test_a_wrapper_in_old_memory_has_its_own_class_and_state(native):
    moved = native.Leaf(1)
    address = id(moved)
    native.take(moved._move())
    del moved
    for _ in range(100):
        fresh = native.Leaf(1)
        assert type(fresh) is native.Leaf and native.echo(fresh) is fresh
        assert gc.is_tracked(fresh)
        if id(fresh) == address:
            break
    else:
        pytest.skip("CPython gave the memory to something else")
    state = selfsame_ffi.debug.tie(fresh)
    assert (state["state"], state["stateful"]) == ("Active", False)


# A free-threaded CPython takes no other allocator than its own.
ALLOCATORS = ["", "malloc", "malloc_debug"] if getattr(sys, "_is_gil_enabled", lambda: True)() else [""]


@pytest.mark.parametrize("allocator", ALLOCATORS)
def test_more_wrappers_than_there_are_spare_blocks(allocator):
    environment = dict(os.environ, PYTHONMALLOC=allocator) if allocator else dict(os.environ)
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr
