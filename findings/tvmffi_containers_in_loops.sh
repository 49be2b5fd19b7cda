#!/bin/sh
# A Map of tvm-ffi is never equal to a dict, while an Array equals a list; a List that shrinks in a loop raises, a Dict that grows
# does not.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: the four containers compare and iterate as list, tuple and dict of Python do.
#
# Seen: Map and Dict equal their like, and no dict, in silence; Array and List equal lists and tuples. `for v in list` ends with
# IndexError when the body clears it, where Python's loop ends; a Dict that gets a key in its loop goes on over what it had, where
# Python raises RuntimeError. A slice of an Array, List and Shape is a list or tuple, and a sum is an Array.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import tvm_ffi
from seen import end, seen
from tvm_ffi import Array, Dict, List, Map

for kind in (Map, Dict):
    seen(f"{kind.__name__} == dict, == its like", (kind({"a": 1}) == {"a": 1}, kind({"a": 1}) == kind({"a": 1})), (False, True))
seen("Array == list, List == list", (Array([1]) == [1], List([1]) == [1]), (True, True))


def cleared(container):
    steps = 0
    for _ in container:
        steps += 1
        container.clear()
    return steps


def grown(container):
    steps = 0
    for key in container:
        steps += 1
        container[f"{key} more"] = 1
        if steps > 3:
            break
    return steps


seen("cleared in a loop: list, List", (cleared([1, 2]), 0), (1, 0))
seen("List", lambda: cleared(List([1, 2])), "IndexError")
seen("grown in a loop: dict", lambda: grown({"a": 1}), "RuntimeError")
seen("Dict", lambda: str(grown(Dict({"a": 1}))), "1")
seen("slices", [type(kind([1, 2])[:1]).__name__ for kind in (Array, List, tvm_ffi.Shape)], ["list", "list", "tuple"])
seen("sums", [type(kind([1]) + [2]).__name__ for kind in (Array, List)], ["Array", "List"])
end()
P
