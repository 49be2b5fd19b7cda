#!/bin/sh
# JSON of tvm-ffi gives a float of 1e16 back as an int, prints 0.1 with 17 digits, and cannot read a denormal that it wrote.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: a number comes back as what it was, and the parser takes what JSON allows.
#
# Seen: 1e16 is printed as 10000000000000000, which parses as an int; 2**64 parses as a float, although the library has big
# integers; 5e-324 is printed and refused by the parser; the parser takes 01, 1. and .5 and NaN.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import tvm_ffi
from seen import end, seen

write, parse = (tvm_ffi.get_global_func(f"ffi.json.{name}") for name in ("Stringify", "Parse"))
seen("0.1 as text", str(write(0.1, None)), "0.10000000000000001")
seen("1e16 as text, and what it parses to", (str(write(1e16, None)), type(parse(write(1e16, None)))), ("10000000000000000", int))
seen("1e15 as text", str(write(1e15, None)), "1000000000000000")
seen("5e-324 written and read", lambda: parse(write(5e-324, None)), "ValueError")
seen("2**64 read", parse(str(2**64)), 2.0**64)
seen("01, 1., .5", [parse(text) for text in ("01", "1.", ".5")], [1, 1.0, 0.5])
seen("NaN", parse("NaN") != parse("NaN"), True)
end()
P
