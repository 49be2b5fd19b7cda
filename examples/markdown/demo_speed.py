"""Times three operations on the C++ class demo.Box and prints nanoseconds as JSON.

Usage: python demo_speed.py selfsame_ffi|tvm_ffi EXTENSION [--lean]

The demo runs this script once per package. With --lean the class has empty `__slots__`, so that its instances take no
further attributes.
"""

import ctypes
import importlib
import json
import sys
import timeit

ROUNDS = 5
NUMBER = 50_000


def measure(ffi, extension: str, lean: bool) -> dict:
    """Nanoseconds per operation: the fastest of several rounds."""
    ctypes.CDLL(extension)  # its static initializers register the class and the functions

    class Box(ffi.Object):
        if lean:
            __slots__ = ()

    ffi.register_object("demo.Box")(Box)
    make_box = ffi.get_global_func("demo.make_box")
    echo = ffi.get_global_func("demo.cpp_echo")
    box = make_box(make_box(None))
    assert type(box) is Box and type(box.x) is Box

    def best(statement: str, **names) -> float:
        return min(timeit.repeat(statement, globals=names, number=NUMBER, repeat=ROUNDS)) / NUMBER * 1e9

    result = {}
    child = box.x
    result["held"] = best("box.x", box=box)
    del child
    result["refetched"] = best("box.x", box=box)
    result["call"] = best("echo(box)", echo=echo, box=box)
    return result


if __name__ == "__main__":
    print(json.dumps(measure(importlib.import_module(sys.argv[1]), sys.argv[2], "--lean" in sys.argv[3:])))
