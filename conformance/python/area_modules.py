"""Modules: compiled kernels, metadata, imports, the system library."""

# Requirement: A9

import os
import pathlib

import numpy as np
import tvm_ffi
from checks import case, check, equal, raises

FIXTURES = pathlib.Path(os.environ["CONFORMANCE_FIXTURES"])


@case
def kernels() -> None:
    m = tvm_ffi.load_module(FIXTURES / "kernels.so")
    equal(m.kind, "library")
    equal(m.add(2, 3), 5)
    equal(m["add"](4, 5), 9)
    equal(m(), 1000)
    raises(AttributeError, "no_such", lambda: m.no_such)
    raises(ValueError, "this kernel always fails", lambda: m.fails())
    check(m.implements_function("add") and not m.implements_function("nothing"))


@case
def kernel_on_a_tensor() -> None:
    m = tvm_ffi.load_module(FIXTURES / "kernels.so")
    data = np.arange(4, dtype="float32")
    equal(m.double_in_place(tvm_ffi.from_dlpack(data)), 4)
    equal(data.tolist(), [0, 2, 4, 6])
    equal(m.double_in_place(data), 4)
    equal(data.tolist(), [0, 4, 8, 12])


@case
def metadata() -> None:
    m = tvm_ffi.load_module(FIXTURES / "kernels.so")
    equal(m.get_function_doc("add"), "The sum of two integers.")
    check("type_schema" in m.get_function_metadata("add"))
    check(m.get_function_doc("main") is None)
    check(m.is_runnable() and m.is_binary_serializable() and not m.is_compilation_exportable())


@case
def imports() -> None:
    a, b = tvm_ffi.load_module(FIXTURES / "kernels.so"), tvm_ffi.load_module(FIXTURES / "kernels.so")
    check(not a.same_as(b))
    a.import_module(b)
    equal(len(a.imports), 1)
    check(a.imports[0].same_as(b))
    raises(RuntimeError, "Cyclic dependency", lambda: b.import_module(a))
    a.clear_imports()
    equal(len(a.imports), 0)


@case
def without_keeping() -> None:
    m = tvm_ffi.load_module(FIXTURES / "kernels.so", keep_module_alive=False)
    add = m.add
    del m
    equal(add(1, 1), 2)


@case
def failing() -> None:
    raises(RuntimeError, "Failed to load dynamic shared library", lambda: tvm_ffi.load_module("/no/such/file.so"))
    raises(RuntimeError, "not registered", lambda: tvm_ffi.load_module("file.unheard"))


@case
def system_library() -> None:
    m = tvm_ffi.system_lib()
    equal(m.kind, "library")
    check(tvm_ffi.system_lib().same_as(m))
    raises(AttributeError, "", lambda: m.surely_not_there)
