"""Data types of tensor elements."""

from __future__ import annotations

import builtins
import importlib
import re
from enum import IntEnum
from typing import Any

from . import _core  # noqa: F401
from ._load import runtime  # noqa: F401


class DataTypeCode(IntEnum):
    """Codes of data types: how their bits are interpreted."""

    INT = 0
    UINT = 1
    FLOAT = 2
    HANDLE = 3
    BFLOAT = 4
    COMPLEX = 5
    BOOL = 6
    Float8E3M4 = 7
    Float8E4M3 = 8
    Float8E4M3B11FNUZ = 9
    Float8E4M3FN = 10
    Float8E4M3FNUZ = 11
    Float8E5M2 = 12
    Float8E5M2FNUZ = 13
    Float8E8M0FNU = 14
    Float6E2M3FN = 15
    Float6E3M2FN = 16
    Float4E2M1FN = 17


class _NumpyNames:
    """The class attribute `dtype._NUMPY_DTYPE_TO_STR`, made when it is first read: it needs NumPy."""

    _names: dict[Any, str] | None = None

    def __get__(self, instance: Any, owner: type) -> dict[Any, str]:
        if self._names is None:
            try:
                numpy = importlib.import_module("numpy")
            except ImportError:
                return {}
            kinds = ["bool", "float16", "float32", "float64"]
            kinds += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
            self._names = {numpy.dtype(kind): kind for kind in kinds}
        return self._names


class dtype(str):  # noqa: N801  the name of the public class
    """A data type: a str such as ``"float32"`` or ``"int8x4"`` that knows its code, bits and lanes.

    ``dtype(x)`` takes a name, a dtype, or a data type of NumPy or PyTorch. Raises ValueError for an unknown one.
    """

    __slots__ = ("_itemsize", "_parts")
    __module__ = "selfsame_ffi"
    _parts: tuple[int, int, int]
    _itemsize: int  # -1 for a scalable vector
    _NUMPY_DTYPE_TO_STR = _NumpyNames()  # from NumPy's data types to names: Apache TVM reads it

    def __new__(cls, content: Any) -> dtype:
        if type(content) is cls:
            return content
        if type(content) is str and cls is dtype and content in _named:
            return _named[content]
        text = _name_of(content)
        try:
            parts = parts_of(text)
        except Exception as error:
            raise ValueError(f"unknown dtype `{content}`") from error
        made = cls._make(text, parts)
        # A program can make names without end, and give a custom type's name to another code.
        if type(content) is str and cls is dtype and parts[0] in _CODES and len(_named) < _MOST_NAMED:
            _named[content] = made
        return made

    @classmethod
    def _make(cls, text: str, parts: tuple[int, int, int]) -> dtype:
        self = str.__new__(cls, text)
        self._parts = parts
        self._itemsize = -1 if parts[2] < 0 else (parts[1] * parts[2] + 7) // 8
        return self

    @classmethod
    def _from_parts(cls, code: int, bits: int, lanes: int) -> dtype:
        is_exact = cls is dtype and type(code) is type(bits) is type(lanes) is int
        if is_exact and (known := _of_parts.get((code, bits, lanes))) is not None:
            return known
        if 1 << 15 <= lanes < 1 << 16:
            lanes -= 1 << 16  # as C has it without its sign
        made = cls._make(_text_of(code, bits, lanes), (code, bits, lanes))
        if is_exact and code in _CODES and len(_of_parts) < _MOST_NAMED:
            _of_parts[code, bits, lanes] = made
        return made

    @staticmethod
    def from_dlpack_data_type(dltype_data_type: tuple[int, int, int]) -> dtype:
        """Return the data type of a DLPack triple: code, bits, lanes."""
        return dtype._from_parts(*dltype_data_type)

    @staticmethod
    def is_dtype(arg: Any) -> builtins.bool:
        """Say whether `arg` names a data type."""
        try:
            dtype(arg)
        except ValueError:
            return False
        return True

    def __repr__(self) -> str:
        return f"dtype('{str(self)}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return dtype._from_parts, self._parts

    def with_lanes(self, lanes: int) -> dtype:
        """Return the vector type of this element type."""
        return dtype._from_parts(self._parts[0], self._parts[1], lanes)

    @property
    def type_code(self) -> int:
        """How the bits are interpreted: a DataTypeCode."""
        return self._parts[0]

    @property
    def bits(self) -> int:
        """Bits of one lane."""
        return self._parts[1]

    @property
    def lanes(self) -> int:
        """Number of lanes, negative for a scalable vector: a multiple of what the machine decides."""
        return self._parts[2]

    @property
    def itemsize(self) -> int:
        """Bytes of one element, with all its lanes."""
        size = self._itemsize
        if size < 0:
            raise ValueError("Cannot determine itemsize for scalable vector types")
        return size

    @property
    def is_bool(self) -> builtins.bool:
        """Whether it is a truth value."""
        return self._parts[0] == _BOOL

    @property
    def is_integer(self) -> builtins.bool:
        """Whether it is an integer, signed or not."""
        return self._parts[0] in _INTEGERS

    @property
    def is_float(self) -> builtins.bool:
        """Whether it is a floating point number of any kind."""
        return self._parts[0] in _FLOATS

    @property
    def is_handle(self) -> builtins.bool:
        """Whether it is a pointer."""
        return self._parts[0] == _HANDLE


_named: dict[str, dtype] = {}  # the dtypes that were made of a name
_of_parts: dict[tuple[int, int, int], dtype] = {}  # those that were made of code, bits and lanes
_MOST_NAMED = 256
_CODES = frozenset(DataTypeCode)
# Plain ints: to read a member of an enum from its class takes longer than the comparison.
_BOOL, _HANDLE = int(DataTypeCode.BOOL), int(DataTypeCode.HANDLE)
_INTEGERS = frozenset({int(DataTypeCode.INT), int(DataTypeCode.UINT)})
_FLOATS = frozenset(
    {int(code) for code in DataTypeCode if code >= DataTypeCode.Float8E3M4}
    | {int(DataTypeCode.FLOAT), int(DataTypeCode.BFLOAT)}
)


_OTHER = re.compile(r"(complex|custom\[(\d+)\])(\d+)(?:x(vscalex)?(\d+))?")


def _text_of(code: int, bits: int, lanes: int) -> str:
    """The name of a data type. One whose code the C ABI has no name for is a complex, or is shown by its code."""
    try:
        return _core.dtype_text(code, bits, lanes)
    except (OverflowError, TypeError):
        raise
    except Exception:
        base = f"complex{bits}" if code == DataTypeCode.COMPLEX else f"custom[{code}]{bits}"
    if lanes < 0:
        return f"{base}xvscalex{-lanes}"
    return base if lanes == 1 else f"{base}x{lanes}"


def parts_of(text: str) -> tuple[int, int, int]:
    """Code, bits and lanes of a data type's name. Raises ValueError for one that neither the C ABI nor _text_of has."""
    other = _OTHER.fullmatch(text)
    if other is None or not (other[1] == "complex" or other[2]):
        return _core.dtype_parts(text)
    code = DataTypeCode.COMPLEX if other[1] == "complex" else int(other[2])
    lanes = int(other[5] or 1)
    parts = (int(code), int(other[3]), -lanes if other[4] else lanes)
    if parts[0] > 255 or not 0 < parts[1] <= 255 or lanes == 0 or not -(1 << 15) <= parts[2] < 1 << 15:
        raise ValueError(f"unknown dtype `{text}`")
    return parts


def _name_of(content: Any) -> str:
    """The name of a data type, given as a str or as an object of another library."""
    if isinstance(content, str):
        return str.__str__(content)
    home = type(content).__module__
    if home.startswith("torch"):
        return str(content).rpartition(".")[2]  # torch.float32
    if home.startswith("numpy") or isinstance(content, type):
        name = getattr(content, "name", None) or getattr(content, "__name__", None)  # np.dtype; np.float32
        if isinstance(name, str) and getattr(content, "isnative", True):  # DLPack has no foreign byte order
            return {"bool_": "bool", "str_": "handle"}.get(name, name)
    return str(content)


bool = dtype("bool")
int8, int16, int32, int64 = dtype("int8"), dtype("int16"), dtype("int32"), dtype("int64")
uint8, uint16, uint32, uint64 = dtype("uint8"), dtype("uint16"), dtype("uint32"), dtype("uint64")
float16, float32, float64, bfloat16 = dtype("float16"), dtype("float32"), dtype("float64"), dtype("bfloat16")
float8_e3m4, float8_e4m3, float8_e4m3b11fnuz = dtype("float8_e3m4"), dtype("float8_e4m3"), dtype("float8_e4m3b11fnuz")
float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 = dtype("float8_e4m3fn"), dtype("float8_e4m3fnuz"), dtype("float8_e5m2")
float8_e5m2fnuz, float8_e8m0fnu = dtype("float8_e5m2fnuz"), dtype("float8_e8m0fnu")
float6_e2m3fn, float6_e3m2fn = dtype("float6_e2m3fn"), dtype("float6_e3m2fn")
float4_e2m1fn, float4_e2m1fnx2 = dtype("float4_e2m1fn"), dtype("float4_e2m1fnx2")

__all__ = [
    "dtype",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "float4_e2m1fnx2",
]
