"""The package under test, as `ffi`: the one that the environment variable PACKAGE names."""

import importlib
import os

PACKAGE = os.environ["PACKAGE"]
ffi = importlib.import_module(PACKAGE)
dataclasses = importlib.import_module(PACKAGE + ".dataclasses")
core = importlib.import_module(PACKAGE + ".core")
access_path = importlib.import_module(PACKAGE + ".access_path")
structural = importlib.import_module(PACKAGE + ".structural")
serialization = importlib.import_module(PACKAGE + ".serialization")
