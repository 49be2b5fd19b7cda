#!/bin/sh
# JAX exports float4 by DLPack and refuses int4 and int2, and cannot take its own float4 back.
#
# Versions: jax 0.10.2, apache-tvm-ffi 0.1.15.post2, ml_dtypes 0.6.0
#
# Expected: int4, which DLPack has had from its first version on, is exported, and what JAX exports JAX takes.
#
# Seen: int4 and int2 raise "XLA type S4 has no DLPack equivalent"; float4_e2m1fn is exported, as two values in a byte,
# while the NumPy array of the same values has one in a byte, so the bytes differ between the two doors; a tensor made of
# the capsule is refused by jnp.from_dlpack as not having the default layout.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" jax==0.10.2 ml_dtypes==0.6.0 apache-tvm-ffi==0.1.15.post2
JAX_PLATFORMS=cpu "$python" - <<'P'
import ctypes

import jax.numpy as jnp
import numpy as np
import tvm_ffi
from capsule import fields
from seen import end, seen

for name in ("int4", "uint4", "int2"):
    seen(name, lambda name=name: fields(jnp.array([1], getattr(jnp, name))), "JaxRuntimeError: UNIMPLEMENTED: XLA type")
four = jnp.array([1, 2, 3, 4], jnp.float4_e2m1fn)
exported = fields(four)
seen("dtype and shape of float4", (exported["dtype"], exported["shape"]), ((17, 4, 1), [4]))
seen("bytes by DLPack", ctypes.string_at(exported["data"], 2).hex(), "4265")
seen("bytes by NumPy", np.asarray(four).tobytes().hex(), "02040506")
seen("into JAX again", lambda: jnp.from_dlpack(tvm_ffi.from_dlpack(four)), "JaxRuntimeError: UNIMPLEMENTED: PjRt CPU buffers")
end()
P
