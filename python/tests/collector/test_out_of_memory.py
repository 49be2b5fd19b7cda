"""Each allocation of a scenario fails in turn, Python's and the runtime's. The scenario raises MemoryError or succeeds,
nothing crashes, nothing leaks, and identity holds.

With SELFSAME_FAULTS=all each allocation fails once; else the first 150 of a scenario, and every seventh after them.
"""

# Requirements: B3, C15, I12

import ast
import os
import subprocess
import sys

import families
import native_build
import pytest
from repository import SUPPORT

PROGRAM = SUPPORT / "fault_program.py"


def scenarios():
    """Names of the scenarios: the functions between two comments of fault_program.py, and the families."""
    source = PROGRAM.read_text()
    begin, end = source.index("# ---- scenarios ----"), source.index("# ---- runs ----")
    names = [node.name for node in ast.parse(source[begin:end]).body if isinstance(node, ast.FunctionDef)]
    return [name for name in names if name != "kept_node"] + [
        f"family {name}" for name in [*families.FAMILIES, "Shape"]
    ]


@pytest.mark.parametrize("name", scenarios())
def test_each_failed_allocation_is_a_memory_error(native, name):
    steps = os.environ.get("SELFSAME_FAULTS", "some")
    result = subprocess.run(
        [
            sys.executable,
            "-X",
            "faulthandler",
            str(PROGRAM),
            str(native.path),
            str(native_build.build_faults().parent),
            name,
            steps,
        ],
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert result.returncode == 0, (result.returncode, result.stdout, result.stderr[-4000:])
