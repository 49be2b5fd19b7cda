"""CMake projects: the targets and functions of the package's CMake files."""

# Requirements: F1, E5

import shutil
import subprocess
import sys

import pytest
from selfsame_ffi import libinfo

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")

SOURCE = """
#include <tvm/ffi/reflection/registry.h>
TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::GlobalDef().def("cmade.twice", [](int x) { return 2 * x; });
}
"""

HEAD = """
cmake_minimum_required(VERSION 3.20)
project(cmade LANGUAGES CXX)
find_package(tvm_ffi CONFIG REQUIRED)
add_library(cmade SHARED cmade.cc)
"""


@pytest.fixture
def project(tmp_path):
    """Write a project whose file goes on with `text`; return what configures it, and what builds it."""

    def write(text):
        (tmp_path / "CMakeLists.txt").write_text(HEAD + text)
        (tmp_path / "cmade.cc").write_text(SOURCE)

        def run(*command):
            return subprocess.run([*map(str, command)], cwd=tmp_path, capture_output=True, text=True)

        root = f"-Dtvm_ffi_ROOT={libinfo.find_cmake_path()}"
        made = tmp_path / "made"
        configure = ["cmake", "-S", tmp_path, "-B", made, root, f"-DPython_EXECUTABLE={sys.executable}"]
        return (lambda: run(*configure)), (lambda: run("cmake", "--build", made)), made

    return write


def test_a_library_is_linked_to_this_runtime_and_its_stubs_are_written(project, tmp_path):
    """Also where the published package is installed beside it."""
    configure, build, made = project(
        "tvm_ffi_configure_target(cmade STUB_INIT ON STUB_DIR python/cmade STUB_PKG cmade STUB_PREFIX cmade.)\n"
        "install(TARGETS cmade LIBRARY DESTINATION .)\n"
        "tvm_ffi_install(cmade DESTINATION .)\n"
    )
    done = configure()
    assert done.returncode == 0, done.stdout + done.stderr
    done = build()
    assert done.returncode == 0, done.stdout + done.stderr
    library = made / "libcmade.so"
    code = (
        f"import ctypes, selfsame_ffi as f; ctypes.CDLL({str(library)!r}); print(f.get_global_func('cmade.twice')(21))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "42\n", done.stderr
    if shutil.which("ldd"):
        needed = subprocess.run(["ldd", library], capture_output=True, text=True).stdout
        assert str(libinfo._HERE / "lib") in needed, needed
    assert any("def twice" in file.read_text() for file in (tmp_path / "python/cmade").rglob("*.py*"))
    done = subprocess.run(["cmake", "--install", made, "--prefix", tmp_path / "there"], capture_output=True, text=True)
    assert done.returncode == 0 and (tmp_path / "there/libcmade.so").is_file(), done.stderr


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("tvm_ffi_configure_target(other)", "tvm_ffi_configure_target(other): expected the name of a target"),
        ("tvm_ffi_configure_target(cmade LINKS ON)", "unknown arguments: LINKS;ON"),
        ("tvm_ffi_configure_target(cmade STUB_INIT ON)", "STUB_INIT needs STUB_DIR"),
        ("tvm_ffi_configure_target(cmade STUB_PKG x STUB_DIR y)", "need STUB_INIT ON"),
        ("tvm_ffi_install(other)", "tvm_ffi_install(other): expected the name of a target"),
    ],
)
def test_a_wrong_call_is_refused_by_name(project, call, says):
    configure, _, _ = project(call + "\n")
    done = configure()
    assert done.returncode != 0
    assert " ".join(says.split()) in " ".join(done.stderr.split())
