"""selfsame: one native object, one wrapper in each language.

Classes and functions written in Go, C++, C or Rust on the tvm-ffi object system, used from Python. An object is the
same Python object wherever it comes from: ``a.x is a.x``, and ``f(x) is x`` when f hands x back.
"""

from . import _copy_methods as _copy_methods
from . import _dtype, debug
from . import _runtime as _runtime
from . import _stock as _stock
from ._classes import Object
from ._convert import convert, convert_func
from ._core import CObject, Error, Function
from ._device import Device, DLDeviceType, device
from ._dtype import *  # noqa: F403  the data types by name
from ._opaque import OpaquePyObject, opaque
from ._tensor import Shape, Tensor, from_dlpack
from .container import Array, Dict, List, Map
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

__version__ = "0.1.0"

__all__ = [
    "Array",
    "CObject",
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
    "convert",
    "convert_func",
    "debug",
    "device",
    "from_dlpack",
    "get_global_func",
    "get_global_func_metadata",
    "get_registered_type_keys",
    "init_ffi_api",
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
