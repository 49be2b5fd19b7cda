"""Runs all areas, or those named as arguments, with the tvm_ffi package on the path and the library in it."""

# Requirement: E3

import importlib
import os
import pathlib
import sys

import checks
import tvm_ffi

scratch = os.environ["CONFORMANCE_SCRATCH"]
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libtvm_ffi.so" in line}
if not loaded or not all(path.startswith(scratch) for path in loaded):
    sys.exit(f"the package at {tvm_ffi.__file__} uses {loaded}, not the library in {scratch}")

for file in sorted(pathlib.Path(__file__).parent.glob("area_*.py")):
    importlib.import_module(file.stem)
sys.exit(checks.run(sys.argv[1:]))
