"""The package under test as `ffi`, which the environment variable PACKAGE names; the native code as `native`."""

import ctypes
import importlib
import os
import sys
from types import SimpleNamespace

PACKAGE = os.environ["PACKAGE"]
ffi = importlib.import_module(PACKAGE)
dataclasses = importlib.import_module(PACKAGE + ".dataclasses")
module = ffi.load_module(os.environ["COUNTS_LIBRARY"])


def functions(prefix: str) -> SimpleNamespace:
    """The global functions whose names begin with a prefix."""
    names = [name for name in map(str, ffi.registry.list_global_func_names()) if name.startswith(prefix)]
    return SimpleNamespace(**{name[len(prefix) :]: ffi.get_global_func(name) for name in names})


native = functions("counts.")
if "COUNTS_GO" in os.environ:
    sys.path.append(os.environ["COUNTS_GO"])
    foreign = importlib.import_module("gocounts")
elif "COUNTS_RUST" in os.environ:
    rust = ctypes.CDLL(os.environ["COUNTS_RUST"])
    if rust.SelfsameExtensionInit() != 0:
        raise ImportError(f"{os.environ['COUNTS_RUST']} cannot register its functions")
    foreign = functions("rust_counts.")
else:
    foreign = SimpleNamespace()
# Functions of Go or Rust take the places of those of the same names.
for name in ("fetch", "echo", "call", "watch", "watched", "argument", "write_held", "write_argument"):
    setattr(native, name, getattr(foreign, name, getattr(native, name)))
