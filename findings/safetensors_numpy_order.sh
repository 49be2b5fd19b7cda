#!/bin/sh
# safetensors writes a transposed NumPy array in the order of its memory: it comes back with the same shape and other values.
#
# Versions: safetensors 0.8.0, numpy 2.4.6, ml_dtypes 0.6.0
#
# Expected: what is loaded equals what was saved, or saving refuses arrays that are not contiguous.
#
# Seen: as above, for arrays in Fortran's order too; big-endian arrays are right. bfloat16 and float8 are saved, and cannot be
# loaded again by the same module. complex128 is refused, complex64 kept.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" safetensors==0.8.0 numpy==2.4.6 ml_dtypes==0.6.0
"$python" - <<'P'
import ml_dtypes
import numpy as np
from safetensors.numpy import load, save
from seen import end, seen


def through(array: np.ndarray) -> object:
    return load(save({"a": array}))["a"].tolist()


rows = np.arange(6).reshape(2, 3)
seen("rows", lambda: through(rows), [[0, 1, 2], [3, 4, 5]])
seen("rows of another byte order", lambda: through(rows.astype(">i8")), [[0, 1, 2], [3, 4, 5]])
seen("rows in Fortran's order", lambda: through(np.asfortranarray(rows)), [[0, 3, 1], [4, 2, 5]])
seen("rows.T, which is [[0, 3], [1, 4], [2, 5]]", lambda: through(rows.T), [[0, 1], [2, 3], [4, 5]])
for type_, name in ((ml_dtypes.bfloat16, "BF16"), (ml_dtypes.float8_e4m3fn, "F8_E4M3")):
    saved = save({"a": np.ones(2, type_)})
    seen(f"{type_.__name__}, saved and loaded", lambda s=saved: load(s), f"KeyError: '{name}'")
seen("complex64", lambda: through(np.array([1j], np.complex64)), [1j])
seen("complex128", lambda: through(np.array([1j])), 'SafetensorError: Unknown dtype "complex128"')
end()
P
