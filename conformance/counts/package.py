"""The package under test as `ffi`, which the environment variable PACKAGE names; the native code as `native`."""

import importlib
import os
import sys
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
# Go's functions of the same names take their places, where the shapes are those of Go.
if "COUNTS_GO" in os.environ:
    sys.path.append(os.environ["COUNTS_GO"])
    go = importlib.import_module("gocounts")
    native.fetch, native.echo, native.call = go.fetch, go.echo, go.call
