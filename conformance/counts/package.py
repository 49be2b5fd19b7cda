"""The package under test, as `ffi`: the one that the environment variable PACKAGE names; the native code, as `native`."""

import importlib
import os
from types import SimpleNamespace

PACKAGE = os.environ["PACKAGE"]
ffi = importlib.import_module(PACKAGE)
dataclasses = importlib.import_module(PACKAGE + ".dataclasses")
module = ffi.load_module(os.environ["COUNTS_LIBRARY"])
native = SimpleNamespace(
    **{
        name[len("counts.") :]: ffi.get_global_func(name)
        for name in map(str, ffi.registry.list_global_func_names())
        if name.startswith("counts.")
    }
)
