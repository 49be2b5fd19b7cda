"""Values and callbacks that nest deeper than the stack has room for: an error, whatever the size of the stack."""

# Requirements: A3, I10

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
from typing import Any
import selfsame_ffi
from selfsame_ffi import _core
from selfsame_ffi.core import TypeSchema

class Protocol:
    def __tvm_ffi_value__(self):
        return self

class Asks:
    def __tvm_ffi_value__(self):
        return count(Asks())

def call_again(_):
    return callback(0)

endless, mapping, mixed = [], {}, []
endless.append(endless)
mapping["a"] = mapping
mixed.append({"a": [mixed]})
callback = selfsame_ffi.convert(call_again)
count = selfsame_ffi.get_global_func("ffi.Array")
deep = selfsame_ffi.Array([])
for _ in range(300_000):
    deep = count(deep)
sequences, mappings = (TypeSchema.from_annotation(kind) for kind in (list[Any], dict[str, Any]))
CALLS = {
    "list": lambda: count(endless),
    "dict": lambda: count(mapping),
    "both": lambda: count(mixed),
    "Array": lambda: selfsame_ffi.Array(endless),
    "List": lambda: selfsame_ffi.List(endless),
    "Map": lambda: selfsame_ffi.Map(mapping),
    "Dict": lambda: selfsame_ffi.Dict(mapping),
    "protocol": lambda: count(Protocol()),
    "protocol that converts": lambda: count(Asks()),
    "callback": lambda: callback(0),
    "sequences": lambda: sequences.convert(endless),
    "mappings": lambda: mappings.convert(mapping),
    "copy": lambda: _core.plain(deep, None),
}

def work():
    for name, call in CALLS.items():
        try:
            call()
        except RecursionError:
            print(name, flush=True, end=", ")
        except TypeError as error:  # from a TypeSchema, as in the published package
            if "cycle detected" in str(error):
                print(name, flush=True, end=", ")
    print(count([[[[1]]]], {"a": {"b": [1]}})[0][0][0][0][0])  # what is not deep is converted afterwards

sys.setrecursionlimit(20_000)
threading.stack_size(int(sys.argv[1]))
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("size", [64 << 10, 256 << 10, 1 << 20, 8 << 20])
def test_deep_values_are_refused_on_a_stack_of(size):
    command = [sys.executable, "-X", "faulthandler", "-c", PROGRAM, str(size)]
    result = subprocess.run(command, stdin=subprocess.PIPE, capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr[:3000]
    refused = "list, dict, both, Array, List, Map, Dict, protocol, protocol that converts, callback"
    assert result.stdout.strip() == f"{refused}, sequences, mappings, copy, 1"
