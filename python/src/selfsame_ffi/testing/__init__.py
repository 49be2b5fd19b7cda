"""Classes and functions of the published test library, for tests of packages built on the object system.

Importing this module loads ``libtvm_ffi_testing.so``, which must lie beside the runtime library or in a folder of the
dynamic linker's search path. Raises ImportError when it cannot be found.
"""

from __future__ import annotations

from . import _load  # noqa: F401  first: the classes below are the library's
from ._ffi_api import *  # noqa: F403
from ._locking import run_with_gpu_lock
from .testing import *  # noqa: F403
from .testing import __all__ as _names

__all__ = [*(name for name in _names if not name.startswith("_")), "run_with_gpu_lock"]
