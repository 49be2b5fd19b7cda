#!/bin/sh
# jnp.from_dlpack changes values: int64 2**40 becomes 0 and float64 1e300 infinity, also with copy=False, without a warning.
#
# Versions: jax 0.10.2, numpy 2.4.6
#
# Expected: the exchange keeps type and values, or refuses; copy=False gives the memory itself or an error.
#
# Seen: with JAX's default of 32 bits the type is narrowed on the way in, without the warning that jnp.array gives for a
# requested float64; copy=False of aligned memory gives a float32 array, which is a copy.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" jax==0.10.2 numpy==2.4.6
JAX_PLATFORMS=cpu "$python" - <<'P'
import warnings

import jax.numpy as jnp
import numpy as np
from seen import end, seen

with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    seen("2**40", jnp.from_dlpack(np.array([2**40])).tolist(), [0])
    seen("1e300", jnp.from_dlpack(np.array([1e300])).tolist(), [float("inf")])
    seen("type of float64", str(jnp.from_dlpack(np.zeros(3)).dtype), "float32")
    memory = np.zeros(4096)
    skipped = -memory.ctypes.data % 64 // 8
    aligned = memory[skipped : skipped + 1024]
    taken = jnp.from_dlpack(aligned, copy=False)
    aligned[0] = 7
    seen("copy=False: type, and the write seen through it", (str(taken.dtype), float(taken[0])), ("float32", 0.0))
seen("warnings", len(warned), 0)
end()
P
