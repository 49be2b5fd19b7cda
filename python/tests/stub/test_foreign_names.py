"""Names, comments and metadata of a foreign library in generated code: what is written is imported and compiled, and no
statement of theirs runs."""

# Requirements: D12, I1

import subprocess
import sys

import pytest
from foreign_names import Emitters


@pytest.fixture(scope="module", params=[(0, 1), (1, 7)], ids=["corpus", "mixed"])
def emitters(request, tmp_path_factory):
    return Emitters(tmp_path_factory.mktemp("foreign"), *request.param)


@pytest.mark.parametrize("language", ["text", "python", "stubs", "rust", "cpp", "go"])
def test_no_name_becomes_code(emitters, language):
    getattr(emitters, f"try_{language}")()


HOOKS = """
import sys, types, selfsame_ffi
module = sys.modules["foreign_hooks"] = types.ModuleType("foreign_hooks")
for name in ("__getattr__", "plain"):
    selfsame_ffi.register_global_func(f"foreign_hooks.{name}", lambda *_: 1)
selfsame_ffi.init_ffi_api("foreign_hooks")
assert module.plain() == 1 and not hasattr(module, "absent")
"""


def test_functions_that_python_would_call_are_no_attributes():
    subprocess.run([sys.executable, "-c", HOOKS], check=True)
