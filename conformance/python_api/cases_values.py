"""Conversion of values: scalars, texts, data types, devices, shapes."""

import copy
import ctypes
import enum
import fractions
import pickle

from package import ffi

echo = ffi.get_global_func("ffi.FunctionListGlobalNamesFunctor") and ffi.convert(lambda value: value)
LONG = "a" * 20


class Text(str):
    pass


class Number(int):
    pass


class Plain:
    pass


class Named(enum.IntEnum):
    ONE = 1


class AsInt:
    def __tvm_ffi_int__(self):
        return 7


class AsFloat:
    def __tvm_ffi_float__(self):
        return 7


class AsValue:
    def __tvm_ffi_value__(self):
        return "value"


class AsObject:
    def __tvm_ffi_object__(self):
        return ffi.Array([1])


def kind(value):
    return type(value).__name__, value


VALUES = {
    "none": None,
    "true": True,
    "int": 5,
    "negative": -5,
    "largest": 2**63 - 1,
    "smallest": -(2**63),
    "float": 1.5,
    "infinite": float("inf"),
    "empty text": "",
    "text": "abc",
    "seven": "1234567",
    "eight": "12345678",
    "accents": "éü",
    "emoji": "🙂",
    "zero byte": "a\0b",
    "bytes": b"abc",
    "bytearray": bytearray(b"xyz"),
    "list": [1, "a"],
    "tuple": (1, (2,)),
    "dict": {"a": 1},
    "empty dict": {},
    "int subclass": Number(3),
    "int enum": Named.ONE,
    "as int": AsInt(),
    "as value": AsValue(),
    "as object": AsObject(),
    "pointer": ctypes.c_void_p(16),
    "null pointer": ctypes.c_void_p(0),
    "device": ffi.device("cuda", 1),
    "dtype": ffi.dtype("float32x4"),
    "array": ffi.Array([1]),
    "shape": ffi.Shape((1, 2)),
}

CASES = {f"echo {name}": lambda value=value: kind(echo(value)) for name, value in VALUES.items()}
CASES |= {f"in an array {name}": lambda value=value: kind(ffi.Array([value])[0]) for name, value in VALUES.items()}
CASES |= {
    "echo as float": lambda: echo(AsFloat()),
    "echo plain object is itself": lambda: (lambda value: echo(value) is value)(Plain()),
    "echo set": lambda: echo({1}),
    "echo too large": lambda: echo(2**64),
    "echo fraction": lambda: echo(fractions.Fraction(1, 2)),
    "echo complex": lambda: echo(1j),
    "echo class": lambda: type(echo(Plain)).__name__,
    "echo surrogate": lambda: echo("\ud800"),
    "echo exception": lambda: type(echo(ValueError("x"))).__name__,
    "echo long text": lambda: echo(LONG) == LONG,
    "convert list": lambda: ffi.convert([1, [2]]),
    "convert dict": lambda: ffi.convert({"a": [1]}),
    "convert none": lambda: ffi.convert(None),
    "convert int": lambda: ffi.convert(3),
    "convert array is itself": lambda: (lambda value: ffi.convert(value) is value)(ffi.Array([1])),
    "convert function": lambda: type(ffi.convert(lambda: 1)).__name__,
    "convert plain object": lambda: type(ffi.convert(Plain())).__name__,
    "dtype": lambda: ffi.dtype("int32"),
    "dtype text": lambda: str(ffi.dtype("float16x4")),
    "dtype parts": lambda: (lambda d: (d.bits, d.lanes, d.type_code, d.itemsize))(ffi.dtype("float16x4")),
    "dtype equal": lambda: (ffi.dtype("int8") == "int8", ffi.dtype("int8") == ffi.dtype("int8"), ffi.int8 == "int8"),
    "dtype hash": lambda: hash(ffi.dtype("int8")) == hash(ffi.dtype("int8")),
    "dtype wrong": lambda: ffi.dtype("int3x"),
    "dtype unknown": lambda: ffi.dtype("word"),
    "dtype number": lambda: ffi.dtype(5),
    "dtype lanes": lambda: ffi.dtype("int32").with_lanes(4),
    "dtype bool": lambda: ffi.dtype("bool"),
    "dtype handle": lambda: ffi.dtype("handle"),
    "dtype empty": lambda: ffi.dtype(""),
    "dtype float8": lambda: ffi.dtype("float8_e4m3fn"),
    "dtype pickle": lambda: pickle.loads(pickle.dumps(ffi.dtype("int8"))),
    "dtype copy": lambda: copy.deepcopy(ffi.dtype("int8")),
    "dtype is a str": lambda: isinstance(ffi.dtype("int8"), str),
    "device": lambda: ffi.device("cpu"),
    "device index": lambda: ffi.device("cuda", 3),
    "device colon": lambda: ffi.device("cuda:2"),
    "device number": lambda: ffi.device(1, 0),
    "device text": lambda: str(ffi.device("cuda", 1)),
    "device parts": lambda: (lambda d: (d.type, d.index, d.dlpack_device_type()))(ffi.device("cuda", 1)),
    "device equal": lambda: (ffi.device("cpu") == ffi.device("cpu", 0), ffi.device("cpu") == ffi.device("cuda")),
    "device hash": lambda: hash(ffi.device("cpu")) == hash(ffi.device("cpu", 0)),
    "device unknown": lambda: ffi.device("abacus"),
    "device wrong index": lambda: ffi.device("cpu", "a"),
    "device wrong text": lambda: ffi.device("cuda:x"),
    "device none": lambda: ffi.device(None),
    "device pickle": lambda: pickle.loads(pickle.dumps(ffi.device("cuda", 1))),
    "shape": lambda: ffi.Shape((1, 2, 3)),
    "shape type": lambda: isinstance(ffi.Shape((1,)), tuple),
    "shape wrong": lambda: ffi.Shape((1.5,)),
    "shape number": lambda: ffi.Shape(5),
    "shape equal": lambda: ffi.Shape((1, 2)) == (1, 2),
    "shape echo": lambda: type(echo(ffi.Shape((1,)))).__name__,
    "shape slice": lambda: ffi.Shape((1, 2, 3))[1:],
    "opaque": lambda: type(ffi.Array([Plain()])[0]).__name__,
}
