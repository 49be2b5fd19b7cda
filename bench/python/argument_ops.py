"""Calls with one argument of each kind that programs give to native functions, launches of kernels with them, and what
programs do with such values themselves.

A kind that is not here is a kind that nobody measures: add it when a conversion for it is added.
"""

import copy
import decimal
import enum
import fractions
import importlib
import pathlib

import numpy as np
from ops import Operation

NUMBER = 10_000


class Whole(enum.IntEnum):
    """An enum whose members are ints."""

    ONE = 1


class Text(str, enum.Enum):
    """An enum whose members are texts."""

    ONE = "one"


class Plain(enum.Enum):
    """An enum whose members are neither: opaque values."""

    ONE = 1


def kinds(ffi) -> dict:
    """A value of each kind by its name."""
    numpy_scalars = (
        "bool_",
        "int8",
        "int32",
        "int64",
        "uint8",
        "uint64",
        "float16",
        "float32",
        "float64",
        "longdouble",
    )
    values = {
        **{f"np.{name}": getattr(np, name)(1) for name in numpy_scalars},
        "np.dtype": np.dtype("float32"),
        "a class of NumPy's scalars": np.float32,
        "own dtype": ffi.dtype("float32"),
        "own Device": ffi.device("cpu"),
        "own Shape": ffi.Shape((2, 3)),
        "a dtype's name": "float32",
        "int": 1,
        "bool": True,
        "float": 1.5,
        "None": None,
        "bytes": b"bytes",
        "tuple of two ints": (2, 3),
        "IntEnum": Whole.ONE,
        "str enum": Text.ONE,
        "Enum": Plain.ONE,
        "Fraction": fractions.Fraction(1, 2),
        "Decimal": decimal.Decimal(1),
        "Path": pathlib.Path("x"),
    }
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return values
    return {
        **values,
        "torch.dtype": torch.bfloat16,
        "torch.device": torch.device("cpu"),
        "torch.Size": torch.Size((2, 3)),
    }


def calls(ffi) -> dict:
    """Each kind as the argument of a packed function, as an element, and beside three small tensors."""
    take, launch = ffi.get_global_func("bench.any"), ffi.get_global_func("bench.launch")
    tensors = {name: ffi.from_dlpack(np.zeros((16, 16), "float32")) for name in "abc"}
    made = {}
    for kind, value in kinds(ffi).items():
        made[f"argument: {kind}"] = Operation("f(x)", NUMBER, f=take, x=value)
        made[f"element: {kind}"] = Operation("f((x,))", NUMBER, f=ffi.Array, x=value)
        made[f"beside three tensors: {kind}"] = Operation("f(a, b, c, x)", NUMBER, f=launch, x=value, **tensors)
    return made


def of_floor(ext) -> dict:
    """What the least C code takes for the kinds without a native form, and for a Fraction."""
    kinds = {"Enum": Plain.ONE, "Decimal": decimal.Decimal(1), "Path": pathlib.Path("x")}
    kinds["a class of NumPy's scalars"] = np.float32
    try:
        kinds["torch.device"] = importlib.import_module("torch").device("cpu")
    except ImportError:
        pass
    made = {f"argument: {kind}": Operation("f(x)", NUMBER, f=ext.opaque, x=value) for kind, value in kinds.items()}
    made["argument: Fraction"] = Operation("f(x)", NUMBER, f=ext.real, x=fractions.Fraction(1, 2))
    return made


def values(ffi) -> dict:
    """Comparisons, texts and deep copies of values and containers, and what a module is asked."""
    cpu, module = ffi.device("cpu"), ffi.system_lib()
    containers = {
        "Array of ints": ffi.Array(range(10)),
        "List of texts": ffi.List([f"text {i}" for i in range(10)]),
        "Map": ffi.Map({f"key {i}": i for i in range(10)}),
        "nested containers": ffi.Array([ffi.Array([1, 2]), ffi.Map({"a": 1}), ffi.List([1])]),
    }
    made = {
        "device == device": Operation("a == b", NUMBER, a=cpu, b=ffi.Device("cpu")),
        "device != device": Operation("a != b", NUMBER, a=cpu, b=ffi.Device("cuda")),
        "hash of a device": Operation("hash(a)", NUMBER, a=cpu),
        "device.type": Operation("a.type", NUMBER, a=cpu),
        "str of a device": Operation("str(a)", NUMBER, a=cpu),
        "repr of a device": Operation("repr(a)", NUMBER, a=cpu),
        "stream of a device": Operation("f(a)", NUMBER, f=ffi.get_raw_stream, a=cpu),
        "repr of a function": Operation("repr(f)", NUMBER, f=ffi.get_global_func("bench.any")),
        "module.kind": Operation("m.kind", NUMBER, m=module),
        "module.implements_function": Operation("m.implements_function('f')", NUMBER, m=module),
    }
    for kind, value in containers.items():
        made[f"repr: {kind}"] = Operation("repr(x)", NUMBER // 10, x=value)
        made[f"deepcopy: {kind}"] = Operation("f(x)", NUMBER // 10, f=copy.deepcopy, x=value)
    return made
