"""C++ headers for registered types: the layout that they state is the one that objects have."""

import subprocess
from typing import Optional

import pytest
from selfsame_ffi import Object, libinfo
from selfsame_ffi.dataclasses import gen_abi_cpp, py_class


@py_class("test_gen_abi_cpp.Leaf")
class Leaf(Object):
    weight: float


@py_class("test_gen_abi_cpp.Tree")
class Tree(Leaf):
    ready: bool
    name: str
    leaves: list[Optional[Leaf]]
    first: Optional[Leaf] = None


def test_members_lie_where_the_fields_lie():
    header = gen_abi_cpp("test_gen_abi_cpp.Tree")
    for owner in (Leaf, Tree):
        for field in owner.__tvm_ffi_type_info__.fields:
            assert f"static_assert(offsetof({owner.__name__}Obj, {field.name}) == {field.offset});" in header
    assert "TreeObj : public ::test_gen_abi_cpp::LeafObj" in header
    assert "::tvm::ffi::List<::tvm::ffi::ObjectPtr<::test_gen_abi_cpp::LeafObj>> leaves;" in header
    assert f"static_assert(sizeof(TreeObj) == {Tree.__tvm_ffi_type_info__.total_size});" in header
    assert gen_abi_cpp(["test_gen_abi_cpp.T*", "test_gen_abi_cpp.Leaf"]) == header


def test_the_compiler_agrees(tmp_path):
    (tmp_path / "tree.cc").write_text(gen_abi_cpp("test_gen_abi_cpp.*"))
    try:
        includes = [f"-I{path}" for path in libinfo.include_paths()]
    except RuntimeError as reason:
        pytest.skip(str(reason))
    command = ["c++", "-std=c++17", "-fsyntax-only", "-w", *includes, str(tmp_path / "tree.cc")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("pattern, message", [("test_gen_abi_cpp.No*", "any registered type"), ("int", "object type")])
def test_patterns_without_an_object_type(pattern, message):
    with pytest.raises(ValueError, match=f"did not match .*{message}"):
        gen_abi_cpp(pattern)


def test_a_type_without_a_cpp_type():
    with pytest.raises(ValueError, match=r"C\+\+ has no type for 'ffi.OpaquePyObject'"):
        gen_abi_cpp("ffi.OpaquePyObject")
