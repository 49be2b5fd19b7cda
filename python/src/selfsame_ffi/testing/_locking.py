"""A lock for the tests of one machine that share its GPU."""

from __future__ import annotations

import getpass
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, TypeVar

from .._load.own_folder import own_folder
from ..utils import FileLock

_T = TypeVar("_T")


def _lock_path() -> Path:
    chosen = os.environ.get("TVM_FFI_TEST_LOCK_DIR")
    if chosen:
        folder = Path(chosen).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
    else:
        try:
            user = getpass.getuser()
        except Exception:  # a user without a name
            user = str(os.getuid())
        folder = own_folder(
            Path(tempfile.gettempdir()) / f"tvm-ffi-test-locks-{user}", "run_with_gpu_lock", secret=True
        )
    return folder / "gpu.lock"


def run_with_gpu_lock(func: Callable[..., _T], /, *args: Any, **kwargs: Any) -> _T:
    """Call a function while this process holds the machine's lock for its GPU.

    ``TVM_FFI_TEST_LOCK_DIR`` names the lock's folder; the default is one per user in the folder of temporary files.
    """
    with FileLock(str(_lock_path())):
        return func(*args, **kwargs)
