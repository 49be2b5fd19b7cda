#!/bin/sh
# tvm-ffi takes np.float32 and Fraction for a float, and np.bool_, np.complex64 and bfloat16 for opaque Python objects.
#
# Versions: apache-tvm-ffi 0.1.15.post2, numpy 2.4.6, ml_dtypes 0.6.0
#
# Expected: np.bool_ arrives as bool as np.int64 does as int, ml_dtypes' scalars as float, and a Fraction keeps its value.
#
# Seen: np.bool_(True) arrives as an object, which native code such as the writer of JSON refuses; Fraction(1, 3) becomes
# a float, and 10**30 + 1 as a Fraction loses its last digit without a word, while Decimal stays an object.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2 numpy==2.4.6 ml_dtypes==0.6.0
"$python" - <<'P'
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import tvm_ffi
from seen import end, seen

arrives = tvm_ffi.convert(lambda value: type(value).__name__)
back = tvm_ffi.convert(lambda value: value)
for value, name in (
    (np.float32(0.5), "float"), (np.float16(0.5), "float"), (np.int64(5), "int"), (np.bool_(True), "bool"),
    (np.complex64(1), "complex64"), (ml_dtypes.bfloat16(1.5), "bfloat16"), (Fraction(1, 2), "float"), (Decimal(1), "Decimal"),
):  # fmt: skip
    seen(f"{type(value).__name__} arrives as", arrives(value), name)
seen("np.bool_ is the object that was passed", (type(back(np.bool_(True))), back(True)), (np.bool_, True))
seen("Fraction(10**30 + 1) comes back equal", back(Fraction(10**30 + 1)) == Fraction(10**30 + 1), False)
json = tvm_ffi.get_global_func("ffi.json.Stringify")
seen("np.bool_ as JSON", lambda: json(np.bool_(True), None), "ValueError: Unsupported type")
end()
P
