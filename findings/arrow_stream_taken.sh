#!/bin/sh
# Asking nanoarrow's or arro3's stream for its Arrow capsule uses it up, even if the capsule is dropped; pyarrow's
# second reading is empty, and no error.
#
# Versions: pyarrow 26.0.1, nanoarrow 0.9.0, arro3-core 0.9.1
#
# Expected: __arrow_c_stream__ moves nothing until a consumer imports the capsule, and a second reading is an error.
#
# Seen: after `stream.__arrow_c_stream__()` whose result nobody keeps, nanoarrow and arro3 raise, while pyarrow's reader
# still gives its rows; a second reading of pyarrow's reader gives 0 rows without a word, those of the others raise.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" pyarrow==26.0.1 nanoarrow==0.9.0 arro3-core==0.9.1
"$python" - <<'P'
import arro3.core
import nanoarrow
import pyarrow as pa
from seen import end, seen

table = pa.table({"a": [1, 2, 3]})
of = {
    "pyarrow": lambda: pa.RecordBatchReader.from_batches(table.schema, table.to_batches()),
    "nanoarrow": lambda: nanoarrow.ArrayStream(table),
    "arro3": lambda: arro3.core.RecordBatchReader.from_stream(table),
}


def rows(stream):
    return pa.RecordBatchReader.from_stream(stream).read_all().num_rows


for name, after_drop, second in (
    ("pyarrow", 3, 0),
    ("nanoarrow", "RuntimeError: array stream is released", "RuntimeError: array stream is released"),
    ("arro3", "OSError: Cannot read from closed stream", "OSError: Cannot read from closed stream"),
):
    stream = of[name]()
    stream.__arrow_c_stream__()
    seen(f"{name}: rows after a dropped capsule", lambda stream=stream: rows(stream), after_drop)
    stream = of[name]()
    seen(f"{name}: rows", rows(stream), 3)
    seen(f"{name}: rows the second time", lambda stream=stream: rows(stream), second)
end()
P
