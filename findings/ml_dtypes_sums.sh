#!/bin/sh
# A thousand ones of bfloat16 sum to 256 in NumPy and have the mean 0.2559, without a warning; as float8 they sum to 16, as int4
# to -8.
#
# Versions: ml_dtypes 0.6.0, numpy 2.4.6
#
# Expected: sums and means are computed in a wider type, as NumPy does for the mean of its own float16, and for sums of small ints.
#
# Seen: each step rounds to the type, so that a sum stays where adding one changes nothing. NumPy's float16 adds in pairs and
# gives 1000. Sorting leaves NaN in the middle, where NumPy's types put it at the end, and unique keeps two NaNs. int4 wraps 9
# to -7, also in its constructor, and is no index.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" ml_dtypes==0.6.0 numpy==2.4.6
"$python" - <<'P'
import ml_dtypes
import numpy as np
from seen import end, seen

for type_, sum_, mean in (
    (np.float16, 1000.0, 1.0), (ml_dtypes.bfloat16, 256.0, 0.255859375), (ml_dtypes.float8_e4m3fn, 16.0, 0.015625),
    (ml_dtypes.int4, -8.0, 0.0),
):  # fmt: skip
    ones = np.ones(1000, type_)
    seen(f"sum and mean of ones, {type_.__name__}", (float(ones.sum()), float(ones.mean())), (sum_, mean))
seen("the dot product with itself", float(np.dot(np.ones(1000, ml_dtypes.bfloat16), np.ones(1000, ml_dtypes.bfloat16))), 1000.0)
values = np.array([3, np.nan, 1, np.nan], np.float16)
for type_, nans, unique in ((np.float16, [False, False, True, True], 3), (ml_dtypes.bfloat16, [False, True, False, True], 4)):
    some = values.astype(type_)
    seen(f"NaNs after sorting, {type_.__name__}", np.isnan(np.sort(some)).tolist(), nans)
    seen(f"unique values of four with two NaNs, {type_.__name__}", len(np.unique(some)), unique)
seen("int4 of 9 and of 100", (int(ml_dtypes.int4(9)), int(ml_dtypes.int4(100))), (-7, 4))
seen("int4 as an index", lambda: [1, 2][ml_dtypes.int4(1)], "TypeError: list indices must be integers")
end()
P
