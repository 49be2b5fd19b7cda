#!/bin/sh
# The mask of a NumPy masked array gets lost in DLPack, buffers, nanoarrow, arro3 and safetensors; onnx writes 999999 in the place.
#
# Versions: numpy 2.4.6, pyarrow 26.0.1, polars 2.1.0, arro3-core 0.9.1, nanoarrow 0.9.0, safetensors 0.8.0, onnx 1.23.2, zarr 3.1.6
#
# Expected: a library that takes any ndarray makes nulls of the masked values, or refuses the array; at most DLPack and the
# buffer protocol, which have no masks, hand out what lies below.
#
# Seen: pyarrow and Polars make nulls, and five ways show the hidden value as if it was one. tobytes() of a masked array writes its
# fill value, 999999 for ints, and so does onnx. zarr raises about shapes that have nothing to do with the array's.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0 arro3-core==0.9.1 nanoarrow==0.9.0 safetensors==0.8.0 \
  onnx==1.23.2 zarr==3.1.6
"$python" - <<'P'
import arro3.core
import nanoarrow
import numpy as np
import polars
import pyarrow as pa
import safetensors.numpy as safetensors
import zarr
from onnx import numpy_helper
from seen import end, seen

masked = np.ma.array([1, 2, 3], mask=[False, True, False])
seen("pyarrow", lambda: pa.array(masked).to_pylist(), [1, None, 3])
seen("polars", lambda: polars.Series(masked).to_list(), [1, None, 3])
seen("numpy.from_dlpack", lambda: np.from_dlpack(masked).tolist(), [1, 2, 3])
seen("memoryview", lambda: memoryview(masked).tolist(), [1, 2, 3])
seen("nanoarrow", lambda: nanoarrow.Array(masked).to_pylist(), [1, 2, 3])
seen("arro3", lambda: arro3.core.Array.from_numpy(masked).to_pylist(), [1, 2, 3])
seen("safetensors", lambda: safetensors.load(safetensors.save({"a": masked}))["a"].tolist(), [1, 2, 3])
seen("tobytes", lambda: np.frombuffer(masked.tobytes(), masked.dtype).tolist(), [1, 999999, 3])
seen("onnx", lambda: numpy_helper.to_array(numpy_helper.from_array(masked)).tolist(), [1, 999999, 3])
seen("zarr", lambda: zarr.array(masked, store={})[:], "ValueError: cannot reshape array of size 3 into shape (24,)")
end()
P
