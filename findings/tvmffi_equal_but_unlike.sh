#!/bin/sh
# An Array of tvm-ffi equals a tuple and has another hash, and its `in`, `count` and `index` disagree about what is equal.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: things that are equal have equal hashes, and x.count(v) is 0 exactly when v is not in x.
#
# Seen: Array([1, 2]) == (1, 2), but a set holds both; a List, which can change, has a hash, the one of its present
# contents; True is not `in` Array([1]), while Array([1]).count(True) is 1 and index(True) is 0; 1.0 likewise.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
from seen import end, seen
from tvm_ffi import Array, List

array = Array([1, 2])
seen("Array equals a tuple, and has its hash", (array == (1, 2), hash(array) == hash((1, 2))), (True, False))
seen("entries of a set of both", len({array, (1, 2)}), 2)
changing = List([1])
before = hash(changing)
changing.append(2)
seen("a List that changed has its former hash", hash(changing) == before, False)
for value in (True, 1.0):
    one = Array([1])
    seen(f"{value!r} in Array([1]), its count and index", (value in one, one.count(value), one.index(value)), (False, 1, 0))
end()
P
