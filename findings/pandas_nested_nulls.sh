#!/bin/sh
# In a list or a struct beside a null, pandas makes a float of an int: 2**53 + 1 goes out to Arrow as 9007199254740992.0.
#
# Versions: pandas 3.1.1, pyarrow 26.0.1
#
# Expected: a table that goes through DataFrame.from_arrow and __arrow_c_stream__ has the types and values that it had.
#
# Seen: as above, in lists and structs; one list with a null changes the type of the column, and with it the values of lists that
# hold none. A column of nulls loses its type, a decimal its width, a map of ints is a list of lists. A map with texts and a time
# with nanoseconds go in and cannot go out.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" pandas==3.1.1 pyarrow==26.0.1
"$python" -W ignore - <<'P'
from decimal import Decimal

import pandas
import pyarrow as pa
from seen import end, seen


def through(values: list[object], type_: pa.DataType) -> tuple[str, list[object]]:
    frame = pandas.DataFrame.from_arrow(pa.table({"a": pa.array(values, type_)}))
    column = pa.table(frame).column(0)
    return str(column.type), column.to_pylist()


odd = 2**53 + 1
ints = pa.list_(pa.int64())
seen("lists of ints", lambda: through([[odd]], ints), ("list<item: int64>", [[odd]]))
rounded = float(2**53)
seen("with a null in another row", lambda: through([[odd], [None]], ints), ("list<item: double>", [[rounded], [None]]))
struct = pa.struct([("x", pa.int64())])
seen("a struct", lambda: through([{"x": odd}, {"x": None}], struct), ("struct<x: double>", [{"x": rounded}, {"x": None}]))
seen("dates, all null", lambda: through([None], pa.date32())[0], "null")
seen("a decimal of 20 digits", lambda: through([Decimal("1.50")], pa.decimal128(20, 2))[0], "decimal128(3, 2)")
seen("a map of ints", lambda: through([[(1, 2)]], pa.map_(pa.int64(), pa.int64()))[0], "list<item: list<item: int64>>")
seen("a map with texts", lambda: through([[("a", 1)]], pa.map_(pa.string(), pa.int64())), "ArrowTypeError: ")
seen("a time of 1500 ns", lambda: through([1500], pa.time64("ns")), "ArrowInvalid: Value 1500 has non-zero nanoseconds")
end()
P
