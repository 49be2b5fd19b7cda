"""Programs in processes of their own, which begin with the classes of the test extension."""

import os
import subprocess
import sys

PROLOGUE = """
import gc, sys, threading
import selfsame_ffi
from selfsame_ffi import Array
selfsame_ffi.load_extension(sys.argv[1])
g = selfsame_ffi.get_global_func
def of(key, **body):
    return selfsame_ffi.register_object(key)(type(key.split(".")[1], (selfsame_ffi.Object,), body))
Leaf, Node = of("sst.Leaf", __slots__=()), of("sst.Node", __slots__=())
Rich = of("sst.Rich")
"""


def run_code(native, code, status=0):
    """Run a program in a new process; it must exit with `status`."""
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, str(native.path)],
        capture_output=True,
        text=True,
        timeout=1800,
        env=dict(os.environ),
    )
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    return result
