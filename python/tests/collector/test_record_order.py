"""Objects that a collection freed leave their tie records in the order of their numbers."""

# Requirement: C9

import subprocess
import sys

import native_build

PROGRAM = """
import ctypes, gc, sys
import selfsame_ffi

selfsame_ffi.load_extension(sys.argv[1])
lean = selfsame_ffi.register_object("sst.Plain")(type("Lean", (selfsame_ffi.Object,), {"__slots__": ()}))
stateful = type("Stateful", (lean,), {})
gc.disable()

def number(node):
    return ctypes.c_uint32.from_address(node.__chandle__() + 12).value  # where the record of an object is noted

for make in (lean, stateful):
    for graph in range(3):
        nodes = [make() for _ in range(8000)]
        numbers = [number(node) for node in nodes]
        ascending = sum(a < b for a, b in zip(numbers, numbers[1:]))
        print(make.__name__, graph, ascending, len(nodes))
        for i, node in enumerate(nodes[1:], 1):  # a tree with links to the parents
            node.x = nodes[(i - 1) // 2]
        for i in range(len(nodes) // 2 - 1):
            nodes[i].any = [nodes[2 * i + 1], nodes[2 * i + 2]]
        del nodes, node
        gc.collect()
"""


def test_free_records_are_in_order_after_a_collection():
    program = [sys.executable, "-c", PROGRAM, str(native_build.build())]
    result = subprocess.run(program, capture_output=True, text=True, check=True)
    for line in result.stdout.splitlines():
        name, graph, ascending, count = line.split()
        # A thread keeps a few records for itself, in the order in which they came back.
        assert int(ascending) > 0.99 * int(count), result.stdout
    assert len(result.stdout.splitlines()) == 6, result.stdout
