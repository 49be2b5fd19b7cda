#!/bin/sh
# Two dtypes of tvm-ffi that are the same type are unequal when they were written otherwise, and NumPy reads some of them as others.
#
# Versions: apache-tvm-ffi 0.1.15.post2, numpy 2.4.6
#
# Expected: dtype("float") is float32, equal to it, with one hash, and float32 for NumPy.
#
# Seen: a dtype is the text that it was made of, so dtype("float"), dtype("f32") and dtype("float32x1") differ from what a function
# gives back for them, in == and in a set, while a Map of tvm-ffi finds one under the other. NumPy takes "float" for float64 and
# "int" for int64. "f8" is a float of 8 bits, where NumPy means 8 bytes. 65535 lanes are -1.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2 numpy==2.4.6
"$python" - <<'P'
import numpy as np
import tvm_ffi
from seen import end, seen
from tvm_ffi import dtype

echo = tvm_ffi.get_global_func("testing.echo")
for text, means in (("float", "float32"), ("f32", "float32"), ("float32x1", "float32"), ("int", "int32"), ("f8", "float8")):
    back = echo(dtype(text))
    seen(f"{text} comes back as", str(back), means)
    seen("equal to that, one in a set, found in a Map", (dtype(text) == back, len({dtype(text), back}), dtype(text) in tvm_ffi.Map({back: 1})), (False, 2, True))
seen("NumPy's float, int", (str(np.dtype(dtype("float"))), str(np.dtype(dtype("int")))), ("float64", "int64"))
seen("bits of f8, of NumPy's", (dtype("f8").bits, np.dtype("f8").itemsize * 8), (8, 64))
seen("lanes of int64x65535", dtype("int64x65535").lanes, -1)
end()
P
