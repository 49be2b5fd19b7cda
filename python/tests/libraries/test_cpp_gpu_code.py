"""cpp: code of GPU kernels in a library, and its compiler. No GPU is needed: a double stands for NVIDIA's library."""

import subprocess
import sys
from pathlib import Path

import pytest
from selfsame_ffi import cpp
from selfsame_ffi.cpp import nvrtc
from selfsame_ffi.utils.embed_cubin import embed_cubin
from test_cpp import balanced, tools  # noqa: F401  fixtures for each test here

READER = """
#include <string>
#define TVM_FFI_EMBED_CUBIN(name) \\
  extern "C" const char __tvm_ffi__cubin_##name[]; \\
  extern "C" const char __tvm_ffi__cubin_##name##_end[]; \\
  tvm::ffi::Bytes name##_bytes() { \\
    return tvm::ffi::Bytes(__tvm_ffi__cubin_##name, __tvm_ffi__cubin_##name##_end - __tvm_ffi__cubin_##name); \\
  }
TVM_FFI_EMBED_CUBIN(first);
TVM_FFI_EMBED_CUBIN( second );
"""


def test_embedded_code_is_in_the_library(tmp_path):
    code = {"first": bytes(range(256)) * 5, "second": b"x"}
    functions = ["first_bytes", "second_bytes"]
    made = [
        cpp.load_inline("gpu", cpp_sources=READER, functions=functions, embed_cubin=code, build_directory=str(folder))
        for folder in (tmp_path / "a", tmp_path / "b")
    ]
    for module in made:
        assert module.first_bytes() == code["first"]
        assert module.second_bytes() == code["second"]
    code["first"] = b"other code"
    again = cpp.build_inline(
        "other", cpp_sources=READER, functions=functions, embed_cubin=code, build_directory=str(tmp_path / "b")
    )
    assert b"other code" in Path(again).read_bytes()


def test_the_symbols_are_local_and_the_stack_not_executable(tmp_path):
    path = cpp.build_inline(
        "gpu", cpp_sources=READER, embed_cubin={"first": b"1", "second": b"2"}, build_directory=str(tmp_path)
    )
    listed = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout
    assert "__tvm_ffi__cubin" not in listed
    headers = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    (stack,) = [line.split() for line in headers.splitlines() if "GNU_STACK" in line]
    assert "RWE" not in stack


def test_code_that_no_text_uses():
    with pytest.raises(ValueError, match=r"argument 'embed_cubin': no text has TVM_FFI_EMBED_CUBIN\(third\)"):
        cpp.build_inline("gpu", cpp_sources=READER, embed_cubin={"third": b"1"})


def test_wrong_inputs_of_embed_cubin(tmp_path):
    present, missing = tmp_path / "present", tmp_path / "missing"
    present.write_bytes(b"no object file")
    with pytest.raises(FileNotFoundError, match="embed_cubin: .*missing does not exist"):
        embed_cubin(missing, present, tmp_path / "out", "name")
    with pytest.raises(ValueError, match="argument 'name': expected an identifier of C, got 'a-b'"):
        embed_cubin(present, present, tmp_path / "out", "a-b")
    with pytest.raises(RuntimeError, match="embed_cubin: ld exited with status"):
        embed_cubin(present, present, tmp_path / "out", "name")
    command = [sys.executable, "-m", "selfsame_ffi.utils.embed_cubin", "--output-obj", "o", "--input-obj", str(missing)]
    done = subprocess.run([*command, "--cubin", str(present), "--name", "n"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "missing does not exist" in done.stderr


# It "compiles" a source to its text and the options, one on each line, and refuses a source with the word `wrong`.
DOUBLE = r"""
#include <stdlib.h>
#include <string.h>
typedef struct { char* text; } Program;
static int live;
int live_programs(void) { return live; }
const char* nvrtcGetErrorString(int status) { return status == 6 ? "NVRTC_ERROR_COMPILATION" : "another"; }
int nvrtcCreateProgram(void** out, const char* source, const char* name, int n, void* a, void* b) {
  (void)n, (void)a, (void)b;
  Program* program = calloc(1, sizeof(Program));
  program->text = calloc(1, 4096);
  strcat(strcat(strcat(program->text, name), "\n"), source);
  *out = program;
  live++;
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  free(((Program*)*program)->text);
  free(*program);
  *program = NULL;
  live--;
  return 0;
}
int nvrtcCompileProgram(void* handle, int count, const char** options) {
  Program* program = handle;
  for (int i = 0; i < count; i++) strcat(strcat(program->text, "\n"), options[i]);
  return strstr(program->text, "wrong") != NULL ? 6 : 0;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) { (void)program; *size = 15; return 0; }
int nvrtcGetProgramLog(void* program, char* out) { (void)program; memcpy(out, "line 1: a wrong", 15); return 0; }
int nvrtcGetCUBINSize(void* program, size_t* size) { *size = strlen(((Program*)program)->text); return 0; }
int nvrtcGetCUBIN(void* program, char* out) {
  memcpy(out, ((Program*)program)->text, strlen(((Program*)program)->text));
  return 0;
}
"""


@pytest.fixture
def double(tmp_path, monkeypatch):
    source, library = tmp_path / "double.c", tmp_path / "libnvrtc.so"
    source.write_text(DOUBLE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    monkeypatch.setenv("SELFSAME_NVRTC", str(library))
    return nvrtc._library()


def test_nvrtc_compiles(double):
    made = nvrtc.nvrtc_compile("source", name="k.cu", arch="sm_90", extra_opts=["-DX=1"])
    assert made == b"k.cu\nsource\n--gpu-architecture=sm_90\n-default-device\n-DX=1"
    assert double.live_programs() == 0


@pytest.mark.parametrize("folder", ["cu13", "cuda_nvrtc"])
def test_nvrtc_of_a_wheel(double, tmp_path, monkeypatch, folder):
    """The library is found where NVIDIA's wheels have it, of CUDA 13 and before."""
    site = tmp_path / "site"
    place = site / "nvidia" / folder / "lib" / "libnvrtc.so.13"
    place.parent.mkdir(parents=True)
    (tmp_path / "libnvrtc.so").rename(place)
    monkeypatch.delenv("SELFSAME_NVRTC")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    assert next(nvrtc._candidates()) == str(place)
    assert nvrtc._library().live_programs() == 0


def test_nvrtc_refuses_with_the_log(double):
    with pytest.raises(RuntimeError, match="refused the source: NVRTC_ERROR_COMPILATION\nline 1: a wrong"):
        nvrtc.nvrtc_compile("wrong", arch="sm_90")
    assert double.live_programs() == 0


def test_nvrtc_without_the_library(monkeypatch):
    monkeypatch.setenv("SELFSAME_NVRTC", "/nowhere/libnvrtc.so")
    with pytest.raises(RuntimeError, match="cannot find libnvrtc"):
        nvrtc.nvrtc_compile("source", arch="sm_90")
