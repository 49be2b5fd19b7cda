#!/bin/sh
# A Dict of tvm-ffi holds 0.0 and -0.0 as two keys and every NaN as one, the reverse of Python, and a tuple as a key is
# never found again.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: keys are compared as Python's dict does, or an unsuitable key is refused.
#
# Seen: as above; a list is taken as a key too; a tuple and a list are found by the object that tvm-ffi made of them only,
# so that `(1, 2) in d` is False directly after d[(1, 2)] = 3; setting the value of a key that is there moves
# the key to the end in a Dict of six entries, and leaves it in its place in one of three.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
from seen import end, seen
from tvm_ffi import Dict

zeros = Dict({0.0: 1})
zeros[-0.0] = 2
seen("entries after 0.0 and -0.0", len(zeros), 2)
nans = Dict({float("nan"): 1})
nans[float("nan")] = 2
seen("entries after two NaNs", len(nans), 1)
tuples = Dict({})
tuples[(1, 2)] = 3
seen("(1, 2) found, and among the keys by ==", ((1, 2) in tuples, (1, 2) in list(tuples.keys())), (False, True))
tuples[(1, 2)] = 4
seen("entries after the same tuple twice", len(tuples), 2)
lists = Dict({})
lists[[1]] = 5
seen("a list as a key", len(lists), 1)
for entries, order in ((3, [0, 1, 2]), (6, [1, 2, 3, 4, 5, 0])):
    numbers = Dict({i: i for i in range(entries)})
    numbers[0] = 9
    seen(f"order of {entries} keys after the first got another value", list(numbers.keys()), order)
end()
P
