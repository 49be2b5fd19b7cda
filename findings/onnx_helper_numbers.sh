#!/bin/sh
# onnx.helper refuses 300 for an int8 tensor, and makes -7 of 9 for int4, 1 of 1.7 for int64 and 448 of 500 for float8.
#
# Versions: onnx 1.23.2, ml_dtypes 0.6.0, numpy 2.4.6
#
# Expected: make_tensor checks numbers for all types alike, and an attribute has the values that it was made of.
#
# Seen: as above, without a warning; float16 and attributes, which are float32, become infinite. True is the attribute 1, while
# [True, 2] and np.bool_ are errors; a text comes back as bytes; a set is taken as a list of ints, an empty list is refused.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" onnx==1.23.2 ml_dtypes==0.6.0 numpy==2.4.6
"$python" -W ignore - <<'P'
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from seen import end, seen


def tensor(type_: int, values: list[float]) -> object:
    return numpy_helper.to_array(helper.make_tensor("x", type_, [len(values)], values)).astype(np.float64).tolist()


def attribute(value: object) -> object:
    return helper.get_attribute_value(helper.make_attribute("a", value))


for name, values, wanted in (
    ("INT8", [300], "OverflowError: "), ("UINT8", [-1], "OverflowError: "), ("INT4", [9, -20], [-7.0, -4.0]),
    ("UINT4", [16], [0.0]), ("INT64", [1.7], [1.0]), ("FLOAT16", [1e6], [float("inf")]), ("FLOAT8E4M3FN", [500.0], [448.0]),
    ("FLOAT4E2M1", [100.0, 2.5], [6.0, 2.0]),
):  # fmt: skip
    seen(f"{name} of {values}", lambda n=name, v=values: tensor(getattr(TensorProto, n), v), wanted)
for value, wanted in (
    (0.1, 0.10000000149011612), (1e300, float("inf")), (2**40, 2**40), (True, 1), ([True, 2], "TypeError: "),
    (np.bool_(True), "TypeError: "), ("x", b"x"), ({1}, [1]), ([], "ValueError: Could not infer attribute"),
):  # fmt: skip
    seen(f"attribute of {value!r}", lambda v=value: attribute(v), wanted)
end()
P
