"""Docs, parameter names and keywords come from a Go package's library, also where its source is not."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from origins import CACHE

# Requirement: D11
# Requirement: G3

LOAD = """
import sys
import selfsame_ffi
from selfsame_ffi import _core

selfsame_ffi.load_extension(sys.argv[1])
cls = _core.class_of(_core.type_key_to_index("signatures.Counter"))
assert cls.__doc__ == "Counter is a class whose methods have the same kinds of signatures.", cls.__doc__
assert cls.n.__doc__ == "N is the number.", cls.n.__doc__
assert cls.same.__doc__ == "same says whether another counter counts to the same number.", cls.same.__doc__
assert cls(3).same(other=cls(3))
assert cls(3).labelled(text="x") == "x 3"
known = selfsame_ffi.get_global_func_metadata("signatures.shift")
assert known["doc"] == "shift moves a time.\\n\\nThe zone stays." and known["arg_names"] == ["at", "by"], known
"""


@pytest.fixture
def library(go_packages, tmp_path):
    """The library of the package signatures, alone in a folder."""
    suffix = ".dll" if os.name == "nt" else ".so"
    return Path(shutil.copy(f"{go_packages}/signatures/_signatures{suffix}", tmp_path / f"alone{suffix}"))


def test_a_library_alone_has_docs_and_keywords(library):
    result = subprocess.run([sys.executable, "-c", LOAD, library], capture_output=True, text=True, timeout=1800)
    assert (result.returncode, result.stderr) == (0, "")


def test_inspect_reads_docs_from_a_library_alone(library):
    output = subprocess.run(
        [CACHE / "bin" / "selfsame-ffi", "inspect", "--json", library.name],
        cwd=library.parent,
        capture_output=True,
        check=True,
    )
    content = json.loads(output.stdout)
    functions = {f["name"]: f for f in content["functions"]}
    assert functions["signatures.shift"]["doc"].startswith("shift moves a time.")
    assert functions["signatures.join"]["arg_names"] == ["sep", "parts"]
    counter = next(c for c in content["classes"] if c["key"] == "signatures.Counter")
    assert counter["doc"].startswith("Counter is a class") and counter["fields"][0]["doc"] == "N is the number."
    assert {m["name"]: m.get("arg_names") for m in counter["methods"]}["same"] == ["other"]
    records = {r["key"]: r for f in functions.values() for r in f.get("records", [])}
    assert records["signatures.Inner"]["doc"] == "Inner is part of Options."


def test_methods_take_keywords_without_argnames(go):
    one = go.Counter(1)
    assert one.same(other=go.Counter(1)) and not one.same(other=go.Counter(2))
    assert str(inspect.signature(go.Counter.same)) == "(self, other: 'Counter') -> 'bool'"
    assert str(inspect.signature(go.Counter.labelled)) == "(self, text: 'str') -> 'str'"
    with pytest.raises(TypeError, match=r"Counter.same: got an unexpected keyword argument 'another'"):
        one.same(another=one)
    with pytest.raises(TypeError, match="unexpected keyword argument 'numbers'"):
        one.add(numbers=1)


def test_names_that_are_keywords_of_python_get_an_underscore(go):
    assert list(inspect.signature(go.upper).parameters) == ["from_", "to"]
    with pytest.raises(TypeError, match="argument 'from_'"):
        go.upper(from_=5, to=5)
