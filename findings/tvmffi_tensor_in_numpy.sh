#!/bin/sh
# np.asarray of a Tensor of tvm-ffi is an array of one object, so that comparisons with it are False without a word.
#
# Versions: apache-tvm-ffi 0.1.15.post2, numpy 2.4.6
#
# Expected: NumPy takes it as any array in the CPU's memory; pickle and deepcopy copy its elements.
#
# Seen: a Tensor has __dlpack__ only, which np.asarray does not ask, no buffer and no length: np.asarray(t) has no dimension and
# dtype object, t == elements is False everywhere, np.sum(t) is t, bool(t) True also for a zero. Only np.from_dlpack works. pickle,
# copy.deepcopy and so multiprocessing refuse it.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2 numpy==2.4.6
"$python" - <<'P'
import copy
import pickle

import numpy as np
import tvm_ffi
from seen import end, seen

elements = np.arange(3)
tensor = tvm_ffi.from_dlpack(elements)
taken = np.asarray(tensor)
seen("asarray: dimensions, dtype", (taken.ndim, str(taken.dtype)), (0, "object"))
seen("elements == tensor", (elements == tensor).tolist(), [False, False, False])
seen("sum is the tensor", np.sum(tensor) is tensor, True)
seen("elements + tensor", lambda: elements + tensor, "TypeError")
seen("from_dlpack", np.from_dlpack(tensor).tolist(), [0, 1, 2])
seen("bool of a zero", bool(tvm_ffi.from_dlpack(np.zeros(1))), True)
for copied in (pickle.dumps, copy.deepcopy):
    seen(copied.__name__, lambda copied=copied: copied(tensor), "TypeError")
end()
P
