#!/bin/sh
# A relation of DuckDB 2 has no fetchone and keeps no result, and its arrow() gives a reader, not a table.
#
# Versions: duckdb 2.0.1, pyarrow 26.0.1
#
# Expected: con.sql(...).fetchone() and .arrow() as in 1.x, and an execute whose result is read from the connection as Arrow.
#
# Seen: fetchone is an AttributeError that says why; arrow() is a RecordBatchReader, which gives its rows once; a second
# call of fetchall runs the query again, so that random() differs; a connection has no arrow() any more.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" duckdb==2.0.1 pyarrow==26.0.1
"$python" - <<'P'
import duckdb
from seen import end, seen

connection = duckdb.connect()
relation = connection.sql("select random() as a")
seen("fetchone", lambda: relation.fetchone(), "AttributeError: Relations no longer have")
seen("arrow() gives", type(relation.arrow()).__name__, "RecordBatchReader")
seen("two fetchall of one relation are equal", relation.fetchall() == relation.fetchall(), False)
seen("arrow of a connection", lambda: connection.execute("select 1").arrow(), "AttributeError")
end()
P
