#!/bin/sh
# A requested schema is cast by pyarrow and arro3, ignored by Polars and DuckDB, and an error in nanoarrow.
#
# Versions: pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1, arro3-core 0.9.1, nanoarrow 0.9.0
#
# Expected: all cast an int column to float64 when __arrow_c_stream__ is asked for it.
#
# Seen: Polars and DuckDB give ints, silently, as the protocol lets them: a consumer must look at what it got. Polars gives
# text as string_view, and a column of Int128, which it has, in a format ("_pli128") that no other program knows.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 arro3-core==0.9.1 nanoarrow==0.9.0
"$python" - <<'P'
import arro3.core
import duckdb
import nanoarrow
import polars
import pyarrow as pa
from seen import end, seen

table = pa.table({"a": [1]})
wanted = pa.schema([("a", pa.float64())])
for name, exporter, type_ in (
    ("pyarrow", table, "double"), ("arro3", arro3.core.Table.from_arrow(table), "double"),
    ("polars", polars.DataFrame(table), "int64"), ("duckdb", duckdb.connect().sql("select 1 as a"), "int32"),
    ("nanoarrow", nanoarrow.Array(table), "NotImplementedError"),
):  # fmt: skip
    seen(f"float64 asked of {name}", lambda e=exporter: pa.RecordBatchReader.from_stream(e, schema=wanted).schema[0].type, type_)
text = polars.DataFrame({"a": ["x"]})
seen("type of Polars's text", str(pa.RecordBatchReader.from_stream(text).schema[0].type), "string_view")
seen("Int128", lambda: pa.chunked_array(polars.Series([1], dtype=polars.Int128)), "ArrowInvalid: Invalid or unsupported format")
end()
P
