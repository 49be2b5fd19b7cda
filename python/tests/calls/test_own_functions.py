"""The runtime's own global functions and attributes, as reflection shows them, beside the published library's."""

# Requirement: A6

import importlib.util
import json
import subprocess
import sys

import pytest

if importlib.util.find_spec("tvm_ffi") is None:
    pytest.skip("tvm_ffi is not installed", allow_module_level=True)

METADATA = """
import json, sys, {package} as package
names = package.get_global_func("ffi.FunctionListGlobalNamesFunctor")()
metadata = package.get_global_func("ffi.GetGlobalFuncMetadata")
found = {{name: str(metadata(name)) for name in map(names, range(names(-1))) if name.startswith("ffi.")}}
print(json.dumps(found))
"""


def metadata(package: str) -> dict[str, dict]:
    command = [sys.executable, "-c", METADATA.format(package=package)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name: json.loads(text) for name, text in json.loads(done.stdout).items()}


def test_type_schemas_are_those_of_the_published_library():
    ours, published = metadata("selfsame_ffi"), metadata("tvm_ffi")
    assert len(published) > 90 and published.keys() == ours.keys()
    differ = {name: (ours[name], published[name]) for name in published if ours[name] != published[name]}
    assert not differ
    assert all("type_schema" in facts for facts in ours.values())


def test_every_typed_function_has_a_schema_of_its_own():
    """The schema is a Function's with a result and parameters, unless the function takes any arguments."""
    schemas = {name: json.loads(facts["type_schema"]) for name, facts in metadata("selfsame_ffi").items()}
    assert {schema["type"] for schema in schemas.values()} == {"ffi.Function"}
    size = schemas["ffi.ArraySize"]["named_args"]
    assert size == {"return": [{"type": "int"}], "params": [{"type": "ffi.Array"}]}
    assert sum("named_args" in schema for schema in schemas.values()) > 60


KEYS = """
import selfsame_ffi
from selfsame_ffi import _core
index = _core.type_key_to_index("ffi.StructuralKey")
hash_, equal = (_core.type_attr(index, name) for name in ("__any_hash__", "__any_equal__"))
assert type(hash_) is type(equal) is selfsame_ffi.Function
make = _core.type_attr(index, "__ffi_init__")
same, other, different = make([1, [2]]), make([1, [2]]), make([1, [3]])
assert hash_(same) == hash_(other) and hash_(same) != hash_(different)
assert equal(same, other) is True and equal(same, different) is False
keyed = selfsame_ffi.Map({same: "value"})
assert keyed[other] == "value" and different not in keyed
"""


def test_hash_and_equality_of_structural_keys_are_functions():
    """In a process of its own: the attributes keep their Functions for ever, and so their tie records."""
    subprocess.run([sys.executable, "-c", KEYS], check=True)
