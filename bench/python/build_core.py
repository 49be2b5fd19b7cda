"""Runs setup.py, but compiles only the C files of the core that changed, or all of them when a header changed.

Usage: build_core.py ARGUMENTS_OF_SETUP...
"""

import os
import pathlib
import runpy
import sys

from setuptools._distutils.unixccompiler import UnixCCompiler

compile_always = UnixCCompiler._compile
headers = max(path.stat().st_mtime for top in ("python/src", "abi") for path in pathlib.Path(top).rglob("*.h"))


def compile_changed(self, obj, src, *rest):
    """Does UnixCCompiler._compile's work, unless the object file is newer than what it was made of."""
    if not os.path.exists(obj) or os.path.getmtime(obj) <= max(os.path.getmtime(src), headers):
        compile_always(self, obj, src, *rest)


UnixCCompiler._compile = compile_changed
sys.argv[0] = "setup.py"
runpy.run_path("setup.py", run_name="__main__")
