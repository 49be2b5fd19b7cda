#!/bin/sh
# A kernel of Warp takes 2**40 as 0 for an int, and its % does not go with its //: -7 // 2 * 2 + -7 % 2 is -9.
#
# Versions: warp-lang 1.19.0, numpy 2.4.6
#
# Expected: an int that does not fit 32 bits is refused, as a float is; wp.from_numpy shares memory; // and % are those of one language.
#
# Seen: a Python int or np.int64 loses its upper bits at a launch without a word. wp.array with dtype=int does so to int64 elements,
# and refuses the same number in a list. wp.from_numpy and wp.array copy; with copy=False they share, or copy all the same where
# the dtype differs. // floors as Python's, and % has the sign of the dividend as C's.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" warp-lang==1.19.0 numpy==2.4.6
cat >kernels.py <<'P'
import numpy as np
import warp as wp
from seen import end, seen

wp.config.quiet = True
wp.config.kernel_cache_dir = "cache"
wp.init()


@wp.kernel
def take(n: int, out: wp.array(dtype=int)):
    out[0] = n
    out[1] = (n - 7) // 2
    out[2] = (n - 7) % 2


def launched(value):
    out = wp.zeros(3, dtype=int, device="cpu")
    wp.launch(take, dim=1, inputs=[value], outputs=[out], device="cpu")
    return out.numpy().tolist()


def shares(make, source):
    made = make(source)
    source[0] = 77
    return bool(made.numpy()[0] == 77)


seen("-7 // 2 and -7 % 2", launched(0)[1:], [-4, -1])
seen("2**40, as NumPy's", (launched(2**40)[0], launched(np.int64(2**40))[0]), (0, 0))
seen("1.9", lambda: launched(1.9), "RuntimeError: Error launching kernel, unable to pack")
seen("an array of 2**40 as int", wp.array(np.array([2**40]), dtype=int, device="cpu").numpy().tolist(), [0])
seen("a list of it", lambda: wp.array([2**40], dtype=int, device="cpu"), "RuntimeError: Failed to convert input data")
single, double = np.zeros(4, "float32"), np.zeros(4)
seen("from_numpy shares", shares(lambda x: wp.from_numpy(x, device="cpu"), single), False)
seen("copy=False shares", shares(lambda x: wp.array(x, copy=False, device="cpu"), single), True)
seen("copy=False of another dtype", shares(lambda x: wp.array(x, dtype=float, copy=False, device="cpu"), double), False)
end()
P
"$python" kernels.py
