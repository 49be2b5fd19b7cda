"""The C++ types of data types."""

from __future__ import annotations

from typing import Any

_CPU = {
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float32": "float",
    "float64": "double",
    "bool": "bool",
}
_GPU = {
    "cuda": {
        "float16": "__half",
        "bfloat16": "__nv_bfloat16",
        "float8_e4m3fn": "__nv_fp8_e4m3",
        "float8_e5m2": "__nv_fp8_e5m2",
        "float8_e8m0fnu": "__nv_fp8_e8m0",
        "float4_e2m1": "__nv_fp4_e2m1",
        "float4_e2m1fn_x2": "__nv_fp4x2_e2m1",
    },
    "rocm": {
        "float16": "__half",
        "bfloat16": "__hip_bfloat16",
        "float8_e4m3fn": "__hip_fp8_e4m3",
        "float8_e4m3fnuz": "__hip_fp8_e4m3_fnuz",
        "float8_e5m2": "__hip_fp8_e5m2",
        "float8_e5m2fnuz": "__hip_fp8_e5m2_fnuz",
        "float4_e2m1": "__hip_fp4_e2m1",
        "float4_e2m1fn_x2": "__hip_fp4x2_e2m1",
    },
}


def _backend() -> str:
    """The kind of GPU that PyTorch can use here: "cuda", "rocm" or, without one, "cpu"."""
    try:
        import torch  # type: ignore[import-not-found]
    except ImportError:
        return "cpu"
    if not torch.cuda.is_available():
        return "cpu"
    return "cuda" if torch.version.cuda is not None else "rocm" if torch.version.hip is not None else "cpu"


def to_cpp_dtype(dtype_str: str | Any) -> str:
    """Return the C++ type of a data type's name or of a ``torch.dtype``; small floats have one where there is a GPU.

    Raises ValueError for a data type without a C++ type.
    """
    name = str(dtype_str)
    name = name[len("torch.") :] if name.startswith("torch.") else name
    found = _CPU.get(name)
    if found is None:
        backend = _backend()
        found = _GPU.get(backend, {}).get(name)
        if found is None:
            raise ValueError(f"Unsupported dtype string: {name} for backend = {backend!r}")
    return found
