"""selfsame: one native object, one wrapper in each language.

Classes and functions written in Go, C++, C or Rust on the tvm-ffi object system, used from Python. An object is the
same Python object wherever it comes from: ``a.x is a.x``, and ``f(x) is x`` when f hands x back.
"""

import ctypes
from typing import TYPE_CHECKING as TYPE_CHECKING

from ._load import find_core as _find_core  # noqa: F401  first of all

# isort: split
from . import _core, _dtype, access_path, core, cpp, debug, serialization, stream, structural, utils
from . import _ffi_api as _ffi_api
from . import dataclasses as dataclasses
from . import libinfo as libinfo
from ._calls import greenlets as _greenlets  # noqa: F401
from ._calls.awaited import aio
from ._calls.many import iterate_calls as imap
from ._calls.many import map_calls as map  # noqa: F401  # not in __all__, as it would hide Python's own
from ._calls.memory_types import Buffer, SupportsArrow, SupportsDLPack
from ._calls.ufunc import ufunc
from ._convert import convert, convert_func
from ._copying import methods as _copy_methods  # noqa: F401
from ._core import CAny, CObject, Error, Function
from ._debug.collect import collect
from ._device import Device, DLDeviceType, device
from ._dtype import *  # noqa: F403  the data types by name
from ._go.ahead import ahead
from ._go.containers import GoMapping, GoNumbers, GoSequence, GoSet
from ._go.deprecated import deprecated
from ._go.enums import GoIntEnum, GoIntFlag, GoStrEnum, constants
from ._go.functions import function
from ._go.iterators import Iterator
from ._go.module_variables import module_variables
from ._go.records import record
from ._go.rows import GoRows, RowIterator
from ._go.values import nanoseconds
from ._go.values import register as _serve_go
from ._load import as_tvm_ffi as _as_tvm_ffi
from ._load import runtime as _runtime
from ._load.as_tvm_ffi import install_as_tvm_ffi
from ._tensor import Shape, Tensor, from_dlpack
from ._types.classes import Object
from ._types.object_convertible import ObjectConvertible
from ._types.opaque import OpaquePyObject, opaque
from .container import Array, Dict, List, Map
from .dataclasses.py_class import method
from .error import register_error
from .module import Module, load_module, system_lib
from .registry import (
    get_global_func,
    get_global_func_metadata,
    get_registered_type_keys,
    init_ffi_api,
    list_global_func_names,
    load_extension,
    register_global_func,
    register_object,
    remove_global_func,
)
from .stream import StreamContext, get_raw_stream, use_raw_stream, use_torch_stream
from .structural import (
    DefRegionKind,
    InplaceMode,
    StructuralKey,
    StructuralMutator,
    StructuralVisitor,
    VisitInterrupt,
    WalkOrder,
    WalkResult,
    get_first_structural_mismatch,
    structural_equal,
    structural_hash,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)

__version__ = _core.__version__
__version_tuple__ = tuple(int(part) if part.isdigit() else part for part in __version__.replace("-", ".").split("."))
CContainerBase = CObject

#: The runtime library, for calls of its C functions.
LIB = ctypes.CDLL(_runtime.library_path())


__all__ = [
    "Array",
    "Buffer",
    "CAny",
    "CContainerBase",
    "CObject",
    "DefRegionKind",
    "GoIntEnum",
    "GoIntFlag",
    "GoMapping",
    "GoNumbers",
    "GoRows",
    "GoSequence",
    "GoSet",
    "GoStrEnum",
    "InplaceMode",
    "Iterator",
    "LIB",
    "ObjectConvertible",
    "RowIterator",
    "StreamContext",
    "StructuralKey",
    "StructuralMutator",
    "StructuralVisitor",
    "SupportsArrow",
    "SupportsDLPack",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "access_path",
    "ahead",
    "aio",
    "constants",
    "core",
    "cpp",
    "dataclasses",
    "deprecated",
    "function",
    "get_first_structural_mismatch",
    "get_raw_stream",
    "imap",
    "method",
    "module_variables",
    "nanoseconds",
    "record",
    "serialization",
    "stream",
    "structural",
    "structural_equal",
    "structural_hash",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
    "use_raw_stream",
    "use_torch_stream",
    "ufunc",
    "utils",
    "DLDeviceType",
    "Device",
    "Dict",
    "Error",
    "Function",
    "List",
    "Map",
    "Module",
    "Object",
    "OpaquePyObject",
    "Shape",
    "Tensor",
    "collect",
    "convert",
    "convert_func",
    "debug",
    "device",
    "from_dlpack",
    "get_global_func",
    "get_global_func_metadata",
    "get_registered_type_keys",
    "init_ffi_api",
    "install_as_tvm_ffi",
    "list_global_func_names",
    "load_extension",
    "load_module",
    "opaque",
    "register_error",
    "register_global_func",
    "register_object",
    "remove_global_func",
    "system_lib",
    *_dtype.__all__,
]
_as_tvm_ffi.reloaded()

if _core.hosted():  # the program is one of Go, which asks for Python's own values
    _serve_go()
