"""selfsame: one native object, one wrapper in each language.

Classes and functions written in Go, C++, C or Rust on the tvm-ffi object system, used from Python. An object is the
same Python object wherever it comes from: ``a.x is a.x``, and ``f(x) is x`` when f hands x back.
"""

import ctypes
from typing import TYPE_CHECKING as TYPE_CHECKING

from . import _find_core as _find_core

# isort: split
from . import _as_tvm_ffi, _core, _dtype, access_path, core, cpp, debug, serialization, stream, structural, utils
from . import _copy_methods as _copy_methods
from . import _ffi_api as _ffi_api
from . import _greenlets as _greenlets
from . import _runtime as _runtime
from . import dataclasses as dataclasses
from . import libinfo as libinfo
from ._ahead import ahead
from ._as_tvm_ffi import install_as_tvm_ffi
from ._async import aio
from ._classes import Object
from ._collect import collect
from ._convert import convert, convert_func
from ._core import CAny, CObject, Error, Function
from ._deprecated import deprecated
from ._device import Device, DLDeviceType, device
from ._dtype import *  # noqa: F403  the data types by name
from ._functions import function
from ._go_containers import GoMapping, GoNumbers, GoSequence, GoSet
from ._go_enums import GoIntEnum, GoIntFlag, GoStrEnum, constants
from ._go_iterators import Iterator
from ._go_rows import GoRows, RowIterator
from ._go_values import nanoseconds
from ._go_values import register as _serve_go
from ._many import iterate_calls as imap
from ._many import map_calls as map  # noqa: F401  # not in __all__, as it would hide Python's own
from ._memory_types import Buffer, SupportsArrow, SupportsDLPack
from ._module_variables import module_variables
from ._object_convertible import ObjectConvertible
from ._opaque import OpaquePyObject, opaque
from ._records import record
from ._tensor import Shape, Tensor, from_dlpack
from ._ufunc import ufunc
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
