"""selfsame: one native object, one face in each language.

Classes and functions written in Go, C++, C or Rust on the tvm-ffi object system, used from Python. An object is the
same Python object wherever it comes from: ``a.x is a.x``, and ``f(x) is x`` when f hands x back.
"""

from . import _runtime as _runtime
from . import debug
from ._classes import Object
from ._convert import convert, convert_func
from ._core import CObject, Error, Function
from .container import Array, Dict, List, Map
from .error import register_error
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
    "Dict",
    "Error",
    "Function",
    "List",
    "Map",
    "Object",
    "convert",
    "convert_func",
    "debug",
    "get_global_func",
    "get_global_func_metadata",
    "get_registered_type_keys",
    "init_ffi_api",
    "list_global_func_names",
    "load_extension",
    "register_error",
    "register_global_func",
    "register_object",
    "remove_global_func",
]
