#!/bin/sh
# Whether JAX shares a NumPy array's memory or copies it depends on the array's address, and a copy may be made after the call.
#
# Versions: jax 0.10.2, numpy 2.4.6
#
# Expected: jnp.asarray and jnp.array copy, from_dlpack shares, and copy=False is refused nowhere for an array in the CPU's memory.
#
# Seen: device_put and from_dlpack share memory at a multiple of 64 bytes, so that later writes show in an array that never changes,
# and copy it elsewhere; from_dlpack(copy=False) is a ValueError there. NumPy puts arrays at multiples of 16, so each run differs. A
# copy of 400,000 bytes from such an address is not finished when jnp.array returns: what is written into the NumPy array
# next is in the JAX array in some of 200 rounds. block_until_ready() before the write helps.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
"$python" - <<'P'
import jax
import jax.numpy as jnp
import numpy as np
from seen import end, seen


def array_at(offset, length):
    """Zeros of float32 at an address of `offset` more than a multiple of 128."""
    memory = np.zeros(length * 4 + 256, "uint8")
    start = -memory.ctypes.data % 128 + offset
    return memory[start : start + length * 4].view("float32")


def shows(make, offset, length=16):
    """Whether what is written into the NumPy array afterwards shows in what is made of it."""
    source = array_at(offset, length)
    made = make(source)
    if length == 16:
        made.block_until_ready()
    source[:] = 7
    return bool(made[0] == 7)


for name, make in (("device_put", jax.device_put), ("from_dlpack", jnp.from_dlpack)):
    seen(f"{name} shares at 0, 16, 32, 64", [shows(make, at) for at in (0, 16, 32, 64)], [True, False, False, True])
seen("array and asarray share", [shows(make, 0) for make in (jnp.array, jnp.asarray)], [False, False])
seen("copy=False at 16", lambda: jnp.from_dlpack(array_at(16, 16), copy=False), "ValueError: Specified input which requires a copy")
seen("writes after jnp.array show", any(shows(jnp.array, 16, 100_000) for _ in range(200)), True)
end()
P
