"""Checks what all releases of the stock package support, with libselfsame.so in place of its library."""

# Requirement: E3

import os
import pickle
import sys

import numpy as np
import tvm_ffi
import tvm_ffi.testing

passed = failed = 0


def check(what: str, ok: bool) -> None:
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("  FAIL", what)


loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libtvm_ffi.so" in line}
check("the library under test is loaded", bool(loaded) and all(p.startswith(sys.argv[1]) for p in loaded))

echo = tvm_ffi.get_global_func("testing.echo")  # in C++, compiled with the release's own headers
for value in [None, True, 5, 2.5, "short", "a string of some length", b"bytes", b"more bytes than seven"]:
    check(f"echo of {value!r}", echo(value) == value)
array = tvm_ffi.convert([1, "a", {"k": 2}])
check("echo of an array", echo(array).same_as(array))
check("an element of an element", array[2]["k"] == 2)
check("a callback", tvm_ffi.get_global_func("testing.apply")(lambda x: x + 1, 41) == 42)

try:
    tvm_ffi.get_global_func("testing.test_raise_error")("ValueError", "told so")
    check("an exception of C++", False)
except ValueError as error:
    check("an exception of C++", "told so" in str(error))


def fail() -> None:
    raise KeyError("from Python")


try:
    tvm_ffi.get_global_func("testing.apply")(fail)
    check("an exception of Python through C++", False)
except KeyError as error:
    check("an exception of Python through C++", "from Python" in str(error))

obj = tvm_ffi.testing.create_object("testing.TestObjectBase", v_i64=12, v_str="hello")
check("a field", obj.v_i64 == 12 and obj.v_str == "hello")
check("a method", obj.add_i64(3) == 15)
obj.v_i64 = 7
check("a field set", obj.v_i64 == 7)
check("a pickled object", pickle.loads(pickle.dumps(obj)).v_str == "hello")

data = np.arange(4, dtype="float32")
tensor = tvm_ffi.from_dlpack(data)
check("a tensor", tuple(tensor.shape) == (4,) and echo(tensor).same_as(tensor))
module = tvm_ffi.load_module(os.environ["CONFORMANCE_FIXTURES"] + "/kernels.so")
check("a kernel", module.add(20, 22) == 42)
check("a kernel on a tensor", module.double_in_place(tensor) == 4 and data.tolist() == [0, 2, 4, 6])
check("a device", str(tvm_ffi.device("cuda:1")) == "cuda:1")
check("a data type", str(echo(tvm_ffi.dtype("float16x4"))) == "float16x4")
many = tvm_ffi.convert({f"key {i}": i for i in range(300)})
check("a large map", len(many) == 300 and all(many[f"key {i}"] == i for i in range(300)))

print(f"Python: {passed} passed, {failed} failed")
sys.exit(0 if failed == 0 else 1)
