"""Libraries that need a later ABI than the runtime serves are refused: a call of theirs would end the process."""

# Requirement: A9, F1

import gc
import subprocess

import pytest
import selfsame_ffi
from selfsame_ffi import load_extension, load_module

LATER = """
int TVMFFIOfALaterVersion(void*);
int __tvm_ffi_run(void* self, const void* args, int count, void* result) { return TVMFFIOfALaterVersion(result); }
int SelfsameExtensionInit(void) { return 0; }
"""
WEAK = LATER.replace("int TVMFFIOf", "__attribute__((weak)) int TVMFFIOf")
HELPER = "int TVMFFIOfALaterVersion(void* result) { return 0; }\n"


@pytest.fixture
def build(tmp_path):
    def compile_c(name, source, *arguments):
        library = tmp_path / f"lib{name}.so"
        (tmp_path / f"{name}.c").write_text(source)
        command = ["cc", "-shared", "-fPIC", "-o", library, tmp_path / f"{name}.c", *arguments]
        subprocess.run(command, check=True)
        return library

    return compile_c


@pytest.mark.parametrize("load", [load_module, load_extension])
def test_library_of_a_later_abi_is_refused(build, load):
    path = build("later", LATER)
    with pytest.raises(ImportError) as caught:
        load(path)
    text = str(caught.value)
    version = ".".join(map(str, selfsame_ffi._core.abi_version()))
    assert text.startswith(f"{load.__name__}: {path} cannot be served: it needs TVMFFIOfALaterVersion, which the ABI")
    assert f"the ABI {version} of this runtime" in text


def test_library_that_can_do_without_is_loaded(build):
    assert load_module(build("weak", WEAK), keep_module_alive=False).implements_function("run")
    gc.collect()


def test_functions_of_the_librarys_own_libraries_count(build, tmp_path):
    build("helper", HELPER)
    path = build("user", LATER, f"-L{tmp_path}", "-lhelper", f"-Wl,-rpath,{tmp_path}")
    assert load_module(path, keep_module_alive=False).implements_function("run")
    gc.collect()
