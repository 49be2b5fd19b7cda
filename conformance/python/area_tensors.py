"""Tensors with NumPy, data types, devices, streams."""

# Requirement: A8

import numpy as np
import tvm_ffi
from checks import case, check, equal, raises


@case
def from_numpy() -> None:
    source = np.arange(12, dtype="float32").reshape(3, 4)
    t = tvm_ffi.from_dlpack(source)
    equal(tuple(t.shape), (3, 4))
    equal(tuple(t.strides), (4, 1))
    equal(str(t.dtype), "float32")
    equal(str(t.device), "cpu:0")
    equal((t.ndim, t.numel()) if callable(t.numel) else (t.ndim, t.numel), (2, 12))


@case
def to_numpy_without_copy() -> None:
    source = np.zeros(4, dtype="int64")
    t = tvm_ffi.from_dlpack(source)
    view = np.from_dlpack(t)
    source[2] = 5
    equal(view[2], 5)
    del t, source
    equal(view.tolist(), [0, 0, 5, 0])


@case
def through_functions() -> None:
    source = np.ones((2, 2), dtype="float64")
    t = tvm_ffi.from_dlpack(source)
    back = tvm_ffi.get_global_func("testing.echo")(t)
    check(back.same_as(t))
    seen = tvm_ffi.convert(lambda x: tuple(x.shape))(t)
    equal(tuple(seen), (2, 2))


@case
def strided() -> None:
    source = np.arange(12, dtype="int32").reshape(3, 4)[:, ::2]
    t = tvm_ffi.from_dlpack(source)
    equal(tuple(t.strides), (4, 2))
    check(not t.is_contiguous())
    raises(Exception, "contiguous", lambda: tvm_ffi.from_dlpack(source, require_contiguous=True))


@case
def dtypes() -> None:
    for name in ["int8", "uint16", "float16", "bfloat16", "float32x4", "bool", "float8_e4m3fn", "float4_e2m1fn"]:
        equal(str(tvm_ffi.dtype(name)), name)
        equal(tvm_ffi.convert(lambda d: d)(tvm_ffi.dtype(name)), tvm_ffi.dtype(name))
    equal(tvm_ffi.dtype("int32").bits, 32)
    raises(ValueError, "unknown dtype", lambda: tvm_ffi.dtype("complicated"))


@case
def devices() -> None:
    d = tvm_ffi.device("cuda:1")
    equal((str(d), d.index), ("cuda:1", 1))
    equal(tvm_ffi.convert(lambda x: x)(d), d)
    raises(ValueError, "", lambda: tvm_ffi.device("abacus:0"))


@case
def streams() -> None:
    d = tvm_ffi.device("cuda:0")
    with tvm_ffi.use_raw_stream(d, 0x1234):
        equal(tvm_ffi.get_raw_stream(d), 0x1234)
    equal(tvm_ffi.get_raw_stream(d), 0)


@case
def alignment() -> None:
    data = np.zeros(65, dtype="int8")
    start = -data.ctypes.data % 64
    aligned = data[start : start + 1]
    equal(tvm_ffi.from_dlpack(aligned, require_alignment=64).shape, (1,))
    raises(
        RuntimeError,
        "Data is not aligned to 64 bytes",
        lambda: tvm_ffi.from_dlpack(data[start - 1 : start] if start else data[1:2], require_alignment=64),
    )


@case
def without_elements() -> None:
    t = tvm_ffi.from_dlpack(np.zeros((0, 3)))
    equal(tuple(t.shape), (0, 3))
    check(t.is_contiguous())
    equal(np.from_dlpack(t).shape, (0, 3))
    equal(tvm_ffi.structural_hash(t), tvm_ffi.structural_hash(tvm_ffi.from_dlpack(np.zeros((0, 3)))))


@case
def printed_and_compared() -> None:
    a, b = (tvm_ffi.from_dlpack(np.arange(6, dtype="float32").reshape(2, 3)) for _ in range(2))
    equal(str(a), "float32[2, 3]@cpu:0")
    check(tvm_ffi.structural_equal(a, b))
    equal(tvm_ffi.structural_hash(a), tvm_ffi.structural_hash(b))
    np.from_dlpack(b)[1, 2] = 9
    check(not tvm_ffi.structural_equal(a, b))
    check(tvm_ffi.structural_equal(a, b, skip_tensor_content=True))


@case
def narrow_dtypes() -> None:
    names = ["e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu"]
    for name in [f"float8_{n}" for n in names] + ["float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4x8", "bool1"]:
        d = tvm_ffi.dtype(name)
        equal(str(tvm_ffi.convert(lambda x: x)(d)), name)
        equal(function_repr(d), name)
    for text in ["int8x0", "int256", "float8_", "float4_e2m1", "i", "int8 "]:
        raises(ValueError, "type", lambda text=text: tvm_ffi.dtype(text))


def function_repr(value: object) -> str:
    return tvm_ffi.get_global_func("ffi.ReprPrint")(value)
