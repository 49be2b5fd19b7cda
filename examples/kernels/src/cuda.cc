// A CUDA kernel that needs no CUDA toolkit. The library opens the driver at the first use, and the driver compiles the
// kernel. So the library compiles and loads anywhere; without a driver it reports that there are no devices.
#include <dlfcn.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <mutex>

namespace ffi = tvm::ffi;

namespace {

// y[i] += a * x[i] for i < n
constexpr const char* kAxpy = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry axpy(.param .f32 pa, .param .u64 px, .param .u64 py, .param .u64 pn) {
  .reg .pred %p;
  .reg .f32 %f<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.f32 %f0, [pa];
  ld.param.u64 %rd0, [px];
  ld.param.u64 %rd1, [py];
  ld.param.u64 %rd2, [pn];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r0, %r1;
  cvt.u64.u32 %rd4, %r2;
  add.u64 %rd3, %rd3, %rd4;
  setp.ge.u64 %p, %rd3, %rd2;
  @%p bra DONE;
  shl.b64 %rd3, %rd3, 2;
  cvta.to.global.u64 %rd0, %rd0;
  cvta.to.global.u64 %rd1, %rd1;
  add.u64 %rd5, %rd0, %rd3;
  add.u64 %rd6, %rd1, %rd3;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  fma.rn.f32 %f3, %f0, %f1, %f2;
  st.global.f32 [%rd6], %f3;
DONE:
  ret;
}
)";

// The functions of the driver that this file calls, with the types of its ABI.
struct Driver {
  int (*init)(unsigned);
  int (*count)(int*);
  int (*retain)(void**, int);
  int (*set_current)(void*);
  int (*load)(void**, const void*);
  int (*function)(void**, void*, const char*);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  int (*alloc)(uint64_t*, size_t);
  int (*free)(uint64_t);
  int (*to_device)(uint64_t, const void*, size_t);
  int (*to_host)(void*, uint64_t, size_t);
  int (*synchronize)(void*);
  int devices = 0;
  void* axpy[64] = {};  // per device
  void* context[64] = {};
};

template <typename F>
bool Find(void* library, const char* name, F* out) {
  *reinterpret_cast<void**>(out) = dlsym(library, name);
  return *out != nullptr;
}

// The driver; without one, it has no devices. It is opened once and never closed.
Driver* GetDriver() {
  static Driver* driver = [] {
    auto* d = new Driver();
    void* lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (lib == nullptr) return d;
    bool complete = Find(lib, "cuInit", &d->init) && Find(lib, "cuDeviceGetCount", &d->count) &&
                    Find(lib, "cuDevicePrimaryCtxRetain", &d->retain) &&
                    Find(lib, "cuCtxSetCurrent", &d->set_current) && Find(lib, "cuModuleLoadData", &d->load) &&
                    Find(lib, "cuModuleGetFunction", &d->function) && Find(lib, "cuLaunchKernel", &d->launch) &&
                    Find(lib, "cuMemAlloc_v2", &d->alloc) && Find(lib, "cuMemFree_v2", &d->free) &&
                    Find(lib, "cuMemcpyHtoD_v2", &d->to_device) && Find(lib, "cuMemcpyDtoH_v2", &d->to_host) &&
                    Find(lib, "cuStreamSynchronize", &d->synchronize);
    int n = 0;
    if (complete && d->init(0) == 0 && d->count(&n) == 0) d->devices = n < 64 ? n : 64;
    return d;
  }();
  return driver;
}

void Check(int code, const char* what) {
  if (code != 0) TVM_FFI_THROW(RuntimeError) << what << " failed with CUDA error " << code;
}

// Makes the context of a device current on the calling thread.
Driver* Use(int device) {
  Driver* d = GetDriver();
  if (device < 0 || device >= d->devices) TVM_FFI_THROW(ValueError) << "there is no CUDA device " << device;
  static std::mutex lock;
  std::lock_guard<std::mutex> guard(lock);
  if (d->context[device] == nullptr) Check(d->retain(&d->context[device], device), "cuDevicePrimaryCtxRetain");
  Check(d->set_current(d->context[device]), "cuCtxSetCurrent");
  if (d->axpy[device] == nullptr) {
    void* module = nullptr;
    Check(d->load(&module, kAxpy), "cuModuleLoadData");
    Check(d->function(&d->axpy[device], module, "axpy"), "cuModuleGetFunction");
  }
  return d;
}

// Allocates the memory of tensors on a device.
struct DeviceMemory {
  void AllocData(DLTensor* tensor) {
    uint64_t address = 0;
    size_t size = ffi::GetDataSize(*tensor);
    Check(Use(tensor->device.device_id)->alloc(&address, size > 0 ? size : 1), "cuMemAlloc");
    tensor->data = reinterpret_cast<void*>(address);
  }
  void FreeData(DLTensor* tensor) {
    Driver* d = GetDriver();
    d->set_current(d->context[tensor->device.device_id]);
    d->free(reinterpret_cast<uint64_t>(tensor->data));
  }
};

int64_t Devices() { return GetDriver()->devices; }

void CheckFloats(const ffi::TensorView& x, const char* name, DLDeviceType device) {
  if (x.dtype().code != kDLFloat || x.dtype().bits != 32 || x.dtype().lanes != 1) {
    TVM_FFI_THROW(TypeError) << name << " must be of float32";
  }
  if (x.device().device_type != device || !x.IsContiguous()) {
    TVM_FFI_THROW(ValueError) << name << " must be contiguous and lie on "
                              << (device == kDLCPU ? "the CPU" : "a CUDA device");
  }
}

// Copies a tensor to a device.
ffi::Tensor ToDevice(ffi::TensorView x, int device) {
  CheckFloats(x, "x", kDLCPU);
  ffi::Tensor made = ffi::Tensor::FromNDAlloc(DeviceMemory(), x.shape(), x.dtype(), DLDevice{kDLCUDA, device});
  Check(Use(device)->to_device(reinterpret_cast<uint64_t>(made.data_ptr()), x.data_ptr(), x.numel() * sizeof(float)),
        "cuMemcpyHtoD");
  return made;
}

// Copies a tensor from its device into a tensor on the CPU, after the work in the stream has finished.
void ToHost(ffi::TensorView from, ffi::TensorView to) {
  CheckFloats(from, "from", kDLCUDA);
  CheckFloats(to, "to", kDLCPU);
  if (from.numel() != to.numel()) TVM_FFI_THROW(ValueError) << "from and to differ in size";
  Driver* d = Use(from.device().device_id);
  Check(d->synchronize(TVMFFIEnvGetStream(kDLCUDA, from.device().device_id)), "cuStreamSynchronize");
  Check(d->to_host(to.data_ptr(), reinterpret_cast<uint64_t>(from.data_ptr()), to.numel() * sizeof(float)),
        "cuMemcpyDtoH");
}

// y += a * x, on the device of both tensors, in the stream that the caller has set.
void Axpy(double a, ffi::TensorView x, ffi::TensorView y) {
  CheckFloats(x, "x", kDLCUDA);
  CheckFloats(y, "y", kDLCUDA);
  if (x.numel() != y.numel() || x.device().device_id != y.device().device_id) {
    TVM_FFI_THROW(ValueError) << "x and y differ in size or device";
  }
  if (x.numel() == 0) return;
  Driver* d = Use(x.device().device_id);
  float factor = static_cast<float>(a);
  void *from = x.data_ptr(), *to = y.data_ptr();
  uint64_t n = static_cast<uint64_t>(x.numel());
  void* params[] = {&factor, &from, &to, &n};
  unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  Check(d->launch(d->axpy[x.device().device_id], blocks, 1, 1, 256, 1, 1, 0,
                  TVMFFIEnvGetStream(kDLCUDA, x.device().device_id), params, nullptr),
        "cuLaunchKernel");
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(devices, Devices);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(to_device, ToDevice);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(to_host, ToHost);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, Axpy);
