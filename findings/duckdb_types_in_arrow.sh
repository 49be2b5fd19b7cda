#!/bin/sh
# A sum of ints leaves DuckDB as decimal128(38, 0), a duration as an interval that Polars refuses, and a time with an offset
# without it.
#
# Versions: duckdb 2.0.1, pyarrow 26.0.1, polars 2.1.0
#
# Expected: an int stays an int in Arrow, and a column that DuckDB only passes on keeps its type and values.
#
# Seen: as above. Nanoseconds of durations and intervals are cut to microseconds, without a word, while those of timestamps and
# times stay. Columns with a time zone come out in the zone of the session. 24:00 becomes 00:00, bits are bytes behind a number of
# unused bits, JSON and UUID are plain text, and float16 is refused.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" duckdb==2.0.1 pyarrow==26.0.1 polars==2.1.0
"$python" - <<'P'
import datetime

import duckdb
import polars
import pyarrow as pa
from seen import end, seen

database = duckdb.connect()
database.execute("set timezone = 'America/New_York'")


def of(source: str) -> pa.ChunkedArray:
    return pa.table(database.sql(f"select {source}")).column(0)


def from_arrow(array: pa.Array) -> pa.ChunkedArray:
    database.register("passed", pa.table({"a": array}))
    return of("* from passed")


def passed_on(type_: pa.DataType, value: int) -> pa.ChunkedArray:
    return from_arrow(pa.array([value], pa.int64()).cast(type_))


seen("sum of 1", str(of("sum(x) from (select 1 as x)").type), "decimal128(38, 0)")
seen("its largest, of 39 digits", len(str(of("170141183460469231731687303715884105727::hugeint")[0].as_py())), 39)
offset = of("'10:00:00+05'::timetz")
seen("10:00:00+05", (str(offset.type), offset[0].as_py()), ("time64[us]", datetime.time(10)))
seen("24:00", of("'24:00:00'::time")[0].as_py(), datetime.time(0))
for name, text, type_ in (("bit", "101", "binary"), ("json", "1", "string"), ("uuid", "0" * 32, "string")):
    seen(f"type of {name}", str(of(f"'{text}'::{name}").type), type_)
seen("the bits 101", of("'101'::bit")[0].as_py(), b"\x05\xfd")
duration = passed_on(pa.duration("ns"), 1500)
seen("type of a duration", str(duration.type), "month_day_nano_interval")
seen("its nanoseconds, of 1500", duration[0].as_py().nanoseconds, 1000)
frame = polars.DataFrame({"a": [datetime.timedelta(seconds=1)]})
database.register("frame", frame)
seen("Polars, DuckDB, Polars", lambda: database.sql("from frame").pl(), "ComputeError: could not import from `month_day_nano")
for type_ in (pa.timestamp("ns"), pa.time64("ns")):
    seen(f"{type_} of 1500", lambda t=type_: passed_on(t, 1500).cast(pa.int64())[0].as_py(), 1500)
seen("zone of Europe/Paris", str(passed_on(pa.timestamp("us", "Europe/Paris"), 0).type), "timestamp[us, tz=America/New_York]")
seen("float16", lambda: from_arrow(pa.array([1.5], pa.float16())), "NotImplementedException: ")
end()
P
