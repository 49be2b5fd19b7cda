#!/bin/sh
# arro3 reads a NumPy array of the other byte order as if it had the machine's: 1 becomes 16777216.
#
# Versions: arro3-core 0.9.1, numpy 2.4.6, pyarrow 26.0.1, polars 2.1.0, pandas 3.1.1, nanoarrow 0.9.0
#
# Expected: what takes a big-endian array either swaps the bytes or says that it cannot.
#
# Seen: arro3 does neither, by from_numpy and by from_buffer, although the format of the buffer (">i") tells it. Polars swaps in
# Series and DataFrame, and refuses the same column in from_pandas, since that goes through pyarrow, which refuses.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" arro3-core==0.9.1 numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0 pandas==3.1.1 nanoarrow==0.9.0
"$python" - <<'P'
import sys

import arro3.core
import nanoarrow
import numpy as np
import pandas
import polars
import pyarrow as pa
from seen import end, seen

if sys.byteorder != "little":
    sys.exit(77)
swapped = np.array([1, 2], ">i4")
seen("format of the buffer", memoryview(swapped).format, ">i")
for name in ("from_numpy", "from_buffer"):
    seen(f"arro3, {name}", lambda n=name: getattr(arro3.core.Array, n)(swapped).to_pylist(), [16777216, 33554432])
seen("arro3, 1.5", lambda: arro3.core.Array.from_numpy(np.array([1.5], ">f8")).to_pylist(), "[3.13984e-319]")
seen("polars", lambda: polars.Series(swapped).to_list(), [1, 2])
seen("polars, of a column", lambda: polars.from_pandas(pandas.DataFrame({"a": swapped})), "ArrowNotImplementedError: ")
seen("pyarrow", lambda: pa.array(swapped), "ArrowNotImplementedError: Byte-swapped arrays not supported")
seen("nanoarrow", lambda: nanoarrow.c_array(swapped), "ValueError: ")
end()
P
