"""CUDA sources that the package compiles at run time, with nvcc and with NVRTC."""

# Requirement: F3

import shutil

import pytest
from selfsame_ffi import cpp
from selfsame_ffi.cpp import nvrtc


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: modules stay loaded."""


@pytest.fixture(autouse=True)
def ninja():
    if shutil.which("ninja") is None:
        pytest.skip("needs ninja")


KERNEL = """
extern "C" __global__ void triple(float* out, const float* in, long count) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * 3;
}
"""
CALL = """
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
"""
LAUNCHED = (
    CALL
    + KERNEL
    + """
void run(tvm::ffi::TensorView out, tvm::ffi::TensorView in) {
  DLDevice device = out.device();
  auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  triple<<<(in.numel() + 255) / 256, 256, 0, stream>>>(static_cast<float*>(out.data_ptr()),
                                                       static_cast<const float*>(in.data_ptr()), in.numel());
}
"""
)
LOADED = (
    CALL
    + """
#include <tvm/ffi/extra/cuda/cubin_launcher.h>
TVM_FFI_EMBED_CUBIN(triples);
void run(tvm::ffi::TensorView out, tvm::ffi::TensorView in) {
  static auto kernel = TVM_FFI_EMBED_CUBIN_GET_KERNEL(triples, "triple");
  void *to = out.data_ptr(), *from = in.data_ptr();
  long count = in.numel();
  void* arguments[] = {&to, &from, &count};
  DLDevice device = out.device();
  auto stream = static_cast<tvm::ffi::cuda_api::StreamHandle>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(
      kernel.Launch(arguments, tvm::ffi::dim3((count + 255) / 256), tvm::ffi::dim3(256), stream));
}
"""
)


def check(run, torch):
    x = torch.arange(1000, dtype=torch.float32, device="cuda")
    out, stream = torch.zeros_like(x), torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        run(out, x)
    stream.synchronize()
    assert torch.equal(out, 3 * x)


def test_inline_cuda_source(kernels, torch, tmp_path):
    module = cpp.load_inline("gpu_inline", cuda_sources=LAUNCHED, functions=["run"], build_directory=str(tmp_path))
    check(module.run, torch)


def test_source_compiled_in_the_process(kernels, torch, tmp_path):
    code = nvrtc.nvrtc_compile(KERNEL, name="triple.cu")
    module = cpp.load_inline(
        "gpu_loaded",
        cuda_sources=LOADED,
        functions=["run"],
        embed_cubin={"triples": code},
        build_directory=str(tmp_path),
    )
    check(module.run, torch)
