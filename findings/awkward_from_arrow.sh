#!/bin/sh
# Awkward Array reads an Arrow decimal32 as four bytes and a time without its zone, and dictionaries with small indices not at all.
#
# Versions: awkward 2.14.0, pyarrow 26.0.1, pandas 3.1.1
#
# Expected: from_arrow keeps values, or names the type that it does not know.
#
# Seen: as above; decimal128 is refused with its name, decimal32 and decimal64 are not. A dictionary with indices of 8 bits, as
# pandas writes it for few categories, is a KeyError about an internal function; one of 32 bits is read. to_arrow writes an
# extension type of its own unless told otherwise, and an Array has no __arrow_c_array__.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" awkward==2.14.0 pyarrow==26.0.1 pandas==3.1.1
"$python" - <<'P'
from decimal import Decimal

import awkward as ak
import pandas
import pyarrow as pa
from seen import end, seen

seen("decimal32 of 1.5", lambda: ak.from_arrow(pa.array([Decimal("1.5")], pa.decimal32(5, 1))).to_list(), [b"\x0f\0\0\0"])
seen("decimal64 of 1.5", lambda: ak.from_arrow(pa.array([Decimal("1.5")], pa.decimal64(5, 1))).to_list(), [b"\x0f" + 7 * b"\0"])
seen("decimal128", lambda: ak.from_arrow(pa.array([Decimal("1.5")])), "ValueError: Arrow arrays containing pyarrow.decimal128")
zoned = pa.array([0], pa.timestamp("us", "Europe/Paris"))
seen("a time in Paris, with pyarrow", str(zoned[0].as_py()), "1970-01-01 01:00:00+01:00")
seen("the same", lambda: str(ak.from_arrow(zoned).to_list()[0]), "1970-01-01 00:00:00")
seen("that it has no zone", lambda: ak.from_arrow(zoned).to_list()[0].tzinfo, None)
for type_, wanted in ((pa.int8(), "KeyError: "), (pa.uint8(), "KeyError: "), (pa.int32(), ["b", "a", "b"])):
    indices = pa.array([0, 1, 0], type_)
    texts = pa.DictionaryArray.from_arrays(indices, pa.array(["b", "a"]))
    seen(f"a dictionary with indices of {type_}", lambda t=texts: ak.from_arrow(t).to_list(), wanted)
categories = pa.array(pandas.Series(["b", "a"], dtype="category"))
seen("indices that pandas writes", str(categories.type.index_type), "int8")
lists = ak.Array([[1, 2], []])
seen("a list, written", lambda: str(ak.to_arrow(lists).type), "ak:large_list<item: extension<awkward")
seen("told otherwise", lambda: str(ak.to_arrow(lists, extensionarray=False).type), "large_list<item: int64 not null>")
seen("that it has __arrow_c_array__", hasattr(lists, "__arrow_c_array__"), False)
end()
P
