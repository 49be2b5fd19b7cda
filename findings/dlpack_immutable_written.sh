#!/bin/sh
# Warp and tvm-ffi hand out writeable memory of JAX and Arrow arrays, which never change: a write shows in the array.
#
# Versions: warp-lang 1.19.0, jax 0.10.2, pyarrow 26.0.1, apache-tvm-ffi 0.1.15.post2, numpy 2.4.6
#
# Expected: the read-only flag of DLPack 1.0 keeps a consumer from writing, or it refuses.
#
# Seen: Warp and tvm-ffi ask without max_version, and the capsules of that age have no flags; pyarrow gives one all
# the same (with a DeprecationWarning), and JAX has no other. The same request of a read-only NumPy array is a BufferError.
# So what may not be written is refused where nobody would mind, and is writeable where it must not be.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" warp-lang==1.19.0 jax==0.10.2 pyarrow==26.0.1 apache-tvm-ffi==0.1.15.post2 numpy==2.4.6
export JAX_PLATFORMS=cpu HOME="$work"
"$python" -W ignore - <<'P'
import jax.numpy as jnp
import numpy as np
import pyarrow as pa
import tvm_ffi
import warp as wp
from capsule import fields
from seen import end, seen

wp.config.quiet = True
wp.init()
made = jnp.zeros(2)
wp.from_dlpack(made).fill_(9.0)
seen("a JAX array after Warp's fill_", made.tolist(), [9.0, 9.0])
arrow = pa.array([1, 2], pa.int32())
wp.from_dlpack(arrow).fill_(7)
seen("an Arrow array after Warp's fill_", arrow.to_pylist(), [7, 7])
seen("NumPy's own view of an Arrow array may be written", np.from_dlpack(arrow).flags.writeable, False)
through = np.from_dlpack(tvm_ffi.from_dlpack(arrow))
through[0] = 5
seen("an Arrow array after a write through tvm-ffi", arrow.to_pylist(), [5, 7])
frozen = np.zeros(3)
frozen.flags.writeable = False
for name, take in (("Warp", wp.from_dlpack), ("tvm-ffi", tvm_ffi.from_dlpack), ("JAX", jnp.from_dlpack)):
    seen(f"a read-only NumPy array into {name}", lambda take=take: take(frozen), "BufferError")
seen("flags of pyarrow's capsule when asked for 1.0", fields(arrow, max_version=(1, 0))["flags"], 1)
end()
P
