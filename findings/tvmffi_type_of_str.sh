#!/bin/sh
# A str that comes back from tvm-ffi is a str up to 7 bytes and another type from 8 on.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: one type for all strings.
#
# Seen: `type(s) is str` depends on the length in bytes: "1234567" is a str, "12345678" a tvm_ffi.core.String, "ééé" is a
# str and "éééé" a String; bytes likewise. Code that dispatches on type() works with the short names of a test, and fails
# with a long one. Pickles of a String hold a plain str.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import pickle

import tvm_ffi
from seen import end, seen

back = tvm_ffi.convert(lambda value: value)
for text, name in (("1234567", "str"), ("12345678", "String"), ("ééé", "str"), ("éééé", "String"),
                   (b"1234567", "bytes"), (b"12345678", "Bytes")):  # fmt: skip
    seen(f"type of {text!r}", type(back(text)).__name__, name)
seen("type of a String's pickle", type(pickle.loads(pickle.dumps(back("12345678")))).__name__, "str")
table = {str: "text"}
seen("a table by type finds", [table.get(type(back(text))) for text in ("1234567", "12345678")], ["text", None])
end()
P
