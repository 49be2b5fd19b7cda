#!/bin/sh
# An expression of TVM 0.27 has no dtype, two equal targets are not equal, and the wheel of PyPI builds for conda.
#
# Versions: apache-tvm 0.27.0.post1, apache-tvm-ffi 0.1.15.post2
#
# Expected: (x + 1).dtype is "int32", Target("llvm") == Target("llvm"), and the default triple names this machine.
#
# Seen: `dtype` is an AttributeError on constants and sums ("only available on a Var with BufferType" on a variable), and
# `ty` is what it was; targets compare and hash by identity, so they make poor keys; the triple is
# x86_64-conda-linux-gnu. int32's largest + 1 folds to the smallest, where the literal itself is refused.
. "$(dirname "$0")/parts/begin.sh"
[ "$(uname -m)" = x86_64 ] || missing "a processor of x86-64"
environment "3.12 3.11 3.13" apache-tvm==0.27.0.post1 apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import tvm
from seen import end, seen
from tvm import tirx

x = tirx.Var("x", "int32")
for name, expression in (("variable", x), ("sum", x + 1), ("constant", tirx.IntImm("int32", 5))):
    seen(f"dtype of a {name}", lambda e=expression: e.dtype, "AttributeError")
    seen(f"ty of a {name}", str(expression.ty), "int32")
first, second = tvm.target.Target("llvm"), tvm.target.Target("llvm")
seen("equal, equal hashes, equal text", (first == second, hash(first) == hash(second), str(first) == str(second)), (False, False, True))
seen("the triple", "x86_64-conda-linux-gnu" in str(first), True)
seen("largest int32 + 1", int(tirx.IntImm("int32", 2**31 - 1) + 1), -(2**31))
seen("the literal", lambda: tirx.IntImm("int32", 2**31), "ValueError")
end()
P
