"""cpp: extensions built from C and C++ sources."""

import shutil

import pytest
import selfsame_ffi
from selfsame_ffi import cpp, libinfo


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: modules stay loaded."""


@pytest.fixture(autouse=True)
def tools():
    if shutil.which("ninja") is None:
        pytest.skip("needs ninja")
    try:
        libinfo.include_paths()
    except RuntimeError:
        pytest.skip("needs the headers of apache-tvm-ffi")


SOURCE = """
#include <tvm/ffi/c_api.h>
int __tvm_ffi_twice(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 * FACTOR;
  return 0;
}
"""


def test_c_source_object_file_and_rebuild(tmp_path):
    source = tmp_path / "twice.c"
    source.write_text(SOURCE.replace("int __tvm", '__attribute__((visibility("default"))) int __tvm'))
    folder = str(tmp_path / "build")
    obj = cpp.build("twice", sources=str(source), extra_cflags=["-DFACTOR=2"], build_directory=folder, output="t.o")
    assert obj.endswith("t.o")
    module = cpp.load("twice", sources=[obj], build_directory=str(tmp_path / "linked"))
    assert module.twice(21) == 42
    first = (tmp_path / "build" / "t.o").stat().st_mtime_ns
    cpp.build("twice", sources=str(source), extra_cflags=["-DFACTOR=2"], build_directory=folder, output="t.o")
    assert (tmp_path / "build" / "t.o").stat().st_mtime_ns == first


def test_inline_functions_with_documentation(tmp_path):
    module = cpp.load_inline(
        "inline",
        cpp_sources="int64_t add(int64_t a, int64_t b) { return a + b; }",
        functions={"add": 'adds "two"\nnumbers'},
        extra_cflags=["-O0"],
        build_directory=str(tmp_path),
    )
    assert module.add(2, 3) == 5
    assert module.get_function_doc("add") == 'adds "two"\nnumbers'


def test_failures(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="at least one file"):
        cpp.build("none")
    with pytest.raises(ValueError, match="cpp_sources"):
        cpp.build_inline("none")
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return missing; }\n")
    with pytest.raises(RuntimeError, match=r"ninja exited with status(.|\n)*missing"):
        cpp.build("wrong", sources=str(source), build_directory=str(tmp_path))
    with pytest.raises(ValueError, match="Invalid backend"):
        cpp.build("gpu", sources=str(tmp_path / "a.cu"), backend="metal", build_directory=str(tmp_path))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="cannot find ninja"):
        cpp.build("wrong", sources=str(source), build_directory=str(tmp_path))


def test_cpp_types():
    assert cpp.to_cpp_dtype("float32") == "float" and cpp.to_cpp_dtype(selfsame_ffi.dtype("uint8")) == "uint8_t"
    with pytest.raises(ValueError, match="Unsupported dtype"):
        cpp.to_cpp_dtype("int7")
