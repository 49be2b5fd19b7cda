#!/bin/sh
# A class that goes through tvm-ffi comes back as a Function, no longer as a class.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: a type is a Python object like any other, and comes back as itself.
#
# Seen: whatever is callable becomes a Function: `int` comes back as a Function that converts, isinstance(value, type) is
# False, and an instance with __call__ loses its attributes; the same value never comes back.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import tvm_ffi
from seen import end, seen


class Model:
    weight = 3

    def __call__(self, value):
        return value * self.weight


back = tvm_ffi.convert(lambda value: value)
seen("int comes back as", type(back(int)).__name__, "Function")
seen("it is a type, it is int, it converts", (isinstance(back(int), type), back(int) is int, back(int)("5")), (False, False, 5))
seen("an object that can be called comes back as", type(back(Model())).__name__, "Function")
seen("its attribute", lambda: back(Model()).weight, "AttributeError")
seen("classes in an Array", {type(item).__name__ for item in tvm_ffi.Array([int, Model])}, {"Function"})
end()
P
