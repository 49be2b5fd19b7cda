#!/bin/sh
# For structural_equal of tvm-ffi NaN equals NaN, 0.0 differs from -0.0 and 1 from 1.0, while == of an Array of them says the reverse.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: floats are equal as in Python and C++.
#
# Seen: by bits for zeros, and all NaNs as one, so that two results of the same computation may be unequal by the sign of a zero;
# an int, a float and a bool of one value are three values. structural_hash goes with it. A dict in another order is equal, and
# a list equals a tuple.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
from seen import end, seen
from tvm_ffi import Array, structural_equal, structural_hash

nan = float("nan")
for name, a, b, wanted in (
    ("NaN", nan, -nan, (True, True, False)), ("zeros", 0.0, -0.0, (False, False, True)), ("1 and 1.0", 1, 1.0, (False, False, True)),
    ("1 and True", 1, True, (False, False, True)), ("list and tuple", [1], (1,), (True, True, True)),
):  # fmt: skip
    got = structural_equal(a, b), structural_hash(a) == structural_hash(b), a == b or list(a) == list(b) if isinstance(a, list) else a == b
    seen(f"{name}: structurally equal, hashes, in Python", got, wanted)
seen("dicts in another order", structural_equal({"a": 1, "b": 2}, {"b": 2, "a": 1}), True)
seen("Arrays of zeros by ==", Array([0.0]) == Array([-0.0]), True)
end()
P
