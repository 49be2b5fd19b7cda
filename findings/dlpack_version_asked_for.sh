#!/bin/sh
# Exporters differ in what max_version and copy of __dlpack__ mean: only NumPy answers all of them as asked.
#
# Versions: numpy 2.4.6, jax 0.10.2, pyarrow 26.0.1, apache-tvm-ffi 0.1.15.post2, warp-lang 1.19.0
#
# Expected: a consumer that asks for (1, 0) gets 1.0 at most, one that asks for less gets an old capsule, and copy=True
# copies.
#
# Seen: tvm-ffi and pyarrow say 1.3 to a consumer that knows 1.0; tvm-ffi raises AttributeError (a misspelt name) to one
# that knows 0.8, and "copy not yet supported" to copy=True, so np.from_dlpack(x, copy=True) fails; it takes any stream.
# JAX has old capsules only, whatever is asked for, and Warp refuses the argument.
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
numbers = np.arange(3.0)
of = {"numpy": numbers, "tvm": tvm_ffi.from_dlpack(numbers), "arrow": pa.array(numbers), "jax": jnp.arange(3.0)}
for name, version in (("numpy", (1, 0)), ("tvm", (1, 3)), ("arrow", (1, 3)), ("jax", None)):
    seen(f"version of {name} asked for 1.0", fields(of[name], max_version=(1, 0)).get("version"), version)
seen("tvm asked for 0.8", lambda: fields(of["tvm"], max_version=(0, 8)), "AttributeError")
seen("numpy asked for 0.8", fields(of["numpy"], max_version=(0, 8))["name"] == "dltensor", True)
seen("tvm, copied by NumPy", lambda: np.from_dlpack(of["tvm"], copy=True), "BufferError: copy not yet supported")
seen("tvm on a stream that is a word", fields(of["tvm"], max_version=(1, 0), stream="nonsense")["version"], (1, 3))
seen("numpy on stream 1", lambda: fields(of["numpy"], stream=1), "RuntimeError")
array = wp.zeros(3, device="cpu")
seen("warp asked for 1.0", lambda: fields(array, max_version=(1, 0)), "TypeError")
seen("strides of warp's contiguous array", fields(array)["strides"], None)
end()
P
