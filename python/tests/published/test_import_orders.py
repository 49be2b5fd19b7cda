"""The alias tvm_ffi has the names of the published package, in whatever order its modules are imported first."""

# Requirement: F1

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("tvm_ffi") is None, reason="tvm_ffi is not installed")

PROGRAM = Path(__file__).parents[1] / "support" / "import_orders.py"
# Modules of steps that the C core does here, or that only build the published package's own files: docs/compat.md.
NOT_HERE = {"tvm_ffi.dataclasses._resolve_fields", "tvm_ffi.utils._build_optional_torch_c_dlpack"}


def outcomes(*arguments: str) -> dict[tuple[str, ...], dict]:
    done = subprocess.run([sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-3000:]
    return {tuple(line["order"]): line["found"] for line in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize(
    "package", ["tvm_ffi", "tvm_ffi.dataclasses", "tvm_ffi.utils", "tvm_ffi.testing", "tvm_ffi.stub", "tvm_ffi.cpp"]
)
def test_each_order_of_first_imports_gives_the_published_names(package):
    stock = outcomes("stock", package)
    names = sorted({name for found in stock.values() for name in found.get("names", ())})
    alias = outcomes("alias", package, *names)
    assert stock.keys() == alias.keys()
    for order, found in alias.items():
        if "names" not in stock[order]:  # a module that the published package cannot import itself
            continue
        if NOT_HERE.intersection(order):
            assert found["missing"] in NOT_HERE
            continue
        expected = stock[order]["names"]
        # Which modules another one imports on the way is nobody's interface: one that is not loaded yet may be missing.
        missing = {name: kind if kind == "module" else None for name, kind in expected.items()}
        assert {name: found["names"].get(name, missing[name]) for name in expected} == expected, order
