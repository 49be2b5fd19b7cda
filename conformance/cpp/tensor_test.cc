// tvm/ffi/container/tensor.h: tensors that C++ makes, tensors from and to DLPack, views.
// Requirement: A8
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdlib>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {

int allocations = 0;

struct CPUAlloc {
  void AllocData(DLTensor* t, int extra = 0) {
    allocations++;
    t->data = aligned_alloc(64, (GetDataSize(*t) + extra + 63) / 64 * 64 + 64);
  }
  void FreeData(DLTensor* t) {
    allocations--;
    free(t->data);
  }
};

const DLDevice kCPU{kDLCPU, 0};
const DLDataType kF32{kDLFloat, 32, 1};

Tensor Empty(std::vector<int64_t> shape, DLDataType dtype = kF32) {
  return Tensor::FromNDAlloc(CPUAlloc(), ShapeView(shape.data(), shape.size()), dtype, kCPU);
}

// A managed tensor that this program owns; `freed` counts the calls of its deleter.
template <typename Managed>
struct Lent {
  Managed managed{};
  std::vector<int64_t> shape, strides;
  static int freed;
};
template <typename Managed>
int Lent<Managed>::freed = 0;

template <typename Managed>
Managed* Lend(std::vector<int64_t> shape, std::vector<int64_t> strides, void* data = nullptr) {
  auto* lent = new Lent<Managed>{{}, std::move(shape), std::move(strides)};
  Managed* m = &lent->managed;
  m->dl_tensor.data = data;
  m->dl_tensor.device = kCPU;
  m->dl_tensor.dtype = kF32;
  m->dl_tensor.ndim = static_cast<int>(lent->shape.size());
  m->dl_tensor.shape = lent->shape.data();
  m->dl_tensor.strides = lent->strides.empty() ? nullptr : lent->strides.data();
  m->manager_ctx = lent;
  m->deleter = [](Managed* self) {
    Lent<Managed>::freed++;
    delete static_cast<Lent<Managed>*>(self->manager_ctx);
  };
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    m->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  }
  return m;
}

// Imports a tensor with the C functions, as another language would, and throws the error that they raise.
template <typename Managed>
Tensor Import(Managed* m, int32_t alignment, int32_t contiguous) {
  TVMFFIObjectHandle out = nullptr;
  if constexpr (std::is_same_v<Managed, DLManagedTensor>) {
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorFromDLPack(m, alignment, contiguous, &out));
  } else {
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorFromDLPackVersioned(m, alignment, contiguous, &out));
  }
  return Tensor(details::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(out)));
}

template <typename Managed>
Managed* Export(const Tensor& t) {
  Managed* m = nullptr;
  TVMFFIObjectHandle handle = AnyView(t).CopyToTVMFFIAny().v_obj;
  if constexpr (std::is_same_v<Managed, DLManagedTensor>) {
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorToDLPack(handle, &m));
  } else {
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorToDLPackVersioned(handle, &m));
  }
  return m;
}

std::vector<int64_t> Numbers(ShapeView s) { return std::vector<int64_t>(s.begin(), s.end()); }

template <typename Managed>
void ImportChecks() {
  alignas(64) float data[12];
  Lent<Managed>::freed = 0;
  {
    Tensor t = Import(Lend<Managed>({3, 4}, {}, data), 64, 1);
    CHECK_EQ(t.use_count(), 1);
    CHECK(t.data_ptr() == data);
    CHECK(Numbers(t.shape()) == std::vector<int64_t>({3, 4}));
    CHECK(Numbers(t.strides()) == std::vector<int64_t>({4, 1}));
    CHECK_EQ(t.numel(), 12);
    CHECK(t.IsContiguous() && t.IsAligned(64));
    CHECK_EQ(GetDataSize(t), 48u);
    Tensor strided = Import(Lend<Managed>({4, 3}, {1, 4}, data), 0, 0);
    CHECK(!strided.IsContiguous());
    CHECK_EQ(strided.stride(-1), 4);
    Tensor scalar = Import(Lend<Managed>({}, {}, data), 0, 1);
    CHECK_EQ(scalar.ndim(), 0);
    CHECK_EQ(scalar.strides().size(), 0u);
    CHECK_EQ(scalar.numel(), 1);
    CHECK_EQ(Lent<Managed>::freed, 0);
  }
  CHECK_EQ(Lent<Managed>::freed, 3);

  auto refused = [&](Managed* m, int32_t alignment, int32_t contiguous, const char* message) {
    Lent<Managed>::freed = 0;
    CHECK_RAISES("RuntimeError", message, Import(m, alignment, contiguous));
    CHECK_EQ(Lent<Managed>::freed, 0);  // the caller still owns it
    m->deleter(m);
  };
  refused(Lend<Managed>({4}, {}, data + 1), 64, 0, "FromDLPack: Data is not aligned to 64 bytes.");
  refused(Lend<Managed>({3, 4}, {1, 3}, data), 0, 1, "FromDLPack: Tensor is not contiguous.");
  Managed* moved = Lend<Managed>({4}, {}, data);
  moved->dl_tensor.byte_offset = 4;
  refused(moved, 8, 0, "FromDLPack: Data is not aligned to 8 bytes.");
}

template <typename Managed>
void RoundTrip() {
  Managed* out = nullptr;
  {
    Tensor t = Empty({2, 5});
    out = Export<Managed>(t);
    CHECK_EQ(t.use_count(), 2);
  }
  CHECK_EQ(allocations, 1);
  CHECK_EQ(out->dl_tensor.strides[0], 5);
  {
    Tensor back = Import(out, 64, 1);
    Managed* again = Export<Managed>(back);
    CHECK(again->dl_tensor.data == back.data_ptr());
    CHECK_EQ(back.use_count(), 2);
    again->deleter(again);
    CHECK_EQ(back.use_count(), 1);
  }
  CHECK_EQ(allocations, 0);
}

}  // namespace

TEST(tensor, from_allocator) {
  {
    Tensor t = Empty({2, 3, 4});
    CHECK_EQ(t.ndim(), 3);
    CHECK_EQ(t.dim(), 3);
    CHECK_EQ(t.size(0), 2);
    CHECK_EQ(t.size(-1), 4);
    CHECK_EQ(t.stride(0), 12);
    CHECK(Numbers(t.sizes()) == std::vector<int64_t>({2, 3, 4}));
    CHECK(t.is_contiguous());
    CHECK_EQ(t.byte_offset(), 0u);
    CHECK(t.dtype() == kF32);
    CHECK_EQ(t.device().device_type, kDLCPU);
    CHECK_EQ(allocations, 1);
    CHECK_RAISES("IndexError", "Index 3 out of bounds for tensor with 3 dimensions", t.size(3));
    CHECK_RAISES("IndexError", "Index -4 out of bounds", t.stride(-4));
    Tensor with_more = Tensor::FromNDAlloc(CPUAlloc(), ShapeView({4}), kF32, kCPU, 128);
    CHECK(with_more.IsAligned(64));
    int64_t shape[2] = {2, 3}, strides[2] = {1, 2};
    Tensor strided = Tensor::FromNDAllocStrided(CPUAlloc(), ShapeView(shape, 2), ShapeView(strides, 2), kF32, kCPU);
    CHECK(!strided.IsContiguous());
    CHECK_EQ(strided.stride(1), 2);
    CHECK_RAISES("ValueError", "same size",
                 Tensor::FromNDAllocStrided(CPUAlloc(), ShapeView(shape, 2), ShapeView(strides, 1), kF32, kCPU));
  }
  CHECK_EQ(allocations, 0);
}

TEST(tensor, data_size) {
  CHECK_EQ(GetDataSize(3, DLDataType{kDLFloat4_e2m1fn, 4, 1}), 2u);
  CHECK_EQ(GetDataSize(3, DLDataType{kDLFloat6_e2m3fn, 6, 1}), 3u);
  CHECK_EQ(GetDataSize(5, DLDataType{kDLBool, 1, 1}), 1u);
  CHECK_EQ(GetDataSize(4, DLDataType{kDLBfloat, 16, 2}), 16u);
  CHECK_EQ(GetDataSize(Empty({3, 3}, DLDataType{kDLInt, 4, 1})), 5u);
  CHECK_EQ(GetDataSize(Empty({0, 7})), 0u);
}

TEST(tensor, alignment) {
  alignas(64) char data[64];
  DLTensor t{};
  t.data = data + 4;
  t.device = {kDLCPU, 0};
  CHECK(IsAligned(t, 4) && !IsAligned(t, 8));
  t.device = {kDLOpenCL, 0};
  CHECK(IsAligned(t, 8));
  t.byte_offset = 4;
  CHECK(!IsAligned(t, 8));
  CHECK(IsDirectAddressDevice({kDLROCMHost, 0}) && !IsDirectAddressDevice({kDLVulkan, 0}));
}

TEST(tensor, import_legacy) { ImportChecks<DLManagedTensor>(); }
TEST(tensor, import_versioned) { ImportChecks<DLManagedTensorVersioned>(); }
TEST(tensor, round_trip_legacy) { RoundTrip<DLManagedTensor>(); }
TEST(tensor, round_trip_versioned) { RoundTrip<DLManagedTensorVersioned>(); }

TEST(tensor, header_round_trip) {
  {
    Tensor t = Empty({6});
    Tensor legacy = Tensor::FromDLPack(t.ToDLPack(), 4, true);
    Tensor versioned = Tensor::FromDLPackVersioned(legacy.ToDLPackVersioned(), 4, true);
    CHECK(versioned.data_ptr() == t.data_ptr());
    CHECK_EQ(t.use_count(), 2);
    t = Tensor();
    CHECK_EQ(allocations, 1);
  }
  CHECK_EQ(allocations, 0);
}

TEST(tensor, exported_version_and_flags) {
  Tensor t = Empty({1});
  DLManagedTensorVersioned* m = Export<DLManagedTensorVersioned>(t);
  CHECK_EQ(m->version.major, 1u);
  CHECK_EQ(m->version.minor, 3u);
  CHECK_EQ(m->flags, 0u);
  m->deleter(m);
}

TEST(tensor, flags) {
  float data[1];
  DLManagedTensorVersioned* m = Lend<DLManagedTensorVersioned>({1}, {}, data);
  m->flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  CHECK_RAISES("RuntimeError", "Subbyte type padded is not yet supported", Import(m, 0, 0));
  m->flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  CHECK(Import(m, 0, 0).defined());
}

TEST(tensor, minor_versions) {
  float data[1];
  for (uint32_t minor : {0u, 3u, 77u}) {
    DLManagedTensorVersioned* m = Lend<DLManagedTensorVersioned>({1}, {}, data);
    m->version.minor = minor;
    CHECK_EQ(Import(m, 0, 0).numel(), 1);
  }
}

TEST(tensor, views) {
  {
    Tensor view;
    {
      Tensor t = Empty({4, 6});
      for (int i = 0; i < 24; i++) static_cast<float*>(t.data_ptr())[i] = static_cast<float>(i);
      view = t.as_strided({2, 3}, {12, 2}, 1);
      CHECK_EQ(t.use_count(), 2);
    }
    CHECK_EQ(allocations, 1);
    const float* data = static_cast<float*>(view.data_ptr());
    CHECK_EQ(data[0], 1.0f);
    CHECK_EQ(data[view.stride(0) + 2 * view.stride(1)], 17.0f);
    CHECK_EQ(view.byte_offset(), 0u);
    CHECK(!view.IsContiguous());
    Tensor view_of_view = view.as_strided({3}, {2}, 12);
    view = Tensor();
    CHECK_EQ(allocations, 1);
    CHECK_EQ(static_cast<float*>(view_of_view.data_ptr())[0], 13.0f);
    DLManagedTensor* out = Export<DLManagedTensor>(view_of_view);
    view_of_view = Tensor();
    CHECK_EQ(allocations, 1);
    CHECK_EQ(out->dl_tensor.shape[0], 3);
    out->deleter(out);
  }
  CHECK_EQ(allocations, 0);
}

TEST(tensor, views_of_handles) {
  // On a device whose data pointer is no address, the byte offset is not added to it.
  DLManagedTensor* m = Lend<DLManagedTensor>({8}, {}, reinterpret_cast<void*>(0x10));
  m->dl_tensor.device = {kDLVulkan, 2};
  Tensor view = Import(m, 0, 0).as_strided({2}, {1}, 3);
  CHECK(view.data_ptr() == reinterpret_cast<void*>(0x10));
  CHECK_EQ(view.byte_offset(), 12u);
  CHECK_EQ(view.device().device_id, 2);
}

TEST(tensor, view_needs_strides) {
  Tensor t = Empty({2});
  DLTensor prototype = *t.GetDLTensorPtr();
  prototype.strides = nullptr;
  TVMFFIObjectHandle out;
  CHECK_RAISES(
      "InternalError", "Check not null: prototype.strides ",
      TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorCreateUnsafeView(AnyView(t).CopyToTVMFFIAny().v_obj, &prototype, &out)));
}

TEST(tensor, tensor_view) {
  Tensor t = Empty({2, 3});
  TensorView v(t);
  CHECK(v.data_ptr() == t.data_ptr());
  CHECK_EQ(v.numel(), 6);
  CHECK_EQ(v.stride(0), 3);
  CHECK_EQ(GetDataSize(v), 24u);
  CHECK(v.IsContiguous());
  int64_t shape[1] = {2}, strides[1] = {3};
  TensorView column = v.as_strided(ShapeView(shape, 1), ShapeView(strides, 1), 1);
  CHECK_EQ(static_cast<char*>(column.data_ptr()) - static_cast<char*>(t.data_ptr()), 4);
  CHECK_RAISES("IndexError", "Index 1 out of bounds", column.size(1));
  CHECK_EQ(t.use_count(), 1);
}

TEST(tensor, in_functions) {
  Function numel = Function::FromTyped([](TensorView v) { return v.numel(); });
  Function itself = Function::FromTyped([](Tensor t) { return t; });
  Function raw = Function::FromTyped([](DLTensor* t) { return t->ndim; });
  Tensor t = Empty({2, 3});
  CHECK_EQ(numel(t).cast<int64_t>(), 6);
  CHECK_EQ(raw(t).cast<int>(), 2);
  DLTensor plain = *t.GetDLTensorPtr();
  CHECK_EQ(numel(&plain).cast<int64_t>(), 6);
  CHECK_EQ(numel(TensorView(t)).cast<int64_t>(), 6);
  CHECK(itself(t).cast<Tensor>().same_as(t));
  CHECK_RAISES("TypeError", "Expected `DLTensor*` but got `int`", numel(1));
  CHECK_RAISES("TypeError", "Expected `ffi.Tensor` but got `DLTensor*`", itself(&plain));
}

TEST(tensor, in_values) {
  Tensor t = Empty({2});
  Any a = t;
  CHECK_EQ(a.type_index(), TypeIndex::kTVMFFITensor);
  CHECK_EQ(t.use_count(), 2);
  CHECK(a.as<Tensor>().has_value());
  CHECK_EQ(a.cast<TensorView>().numel(), 2);
  Array<Tensor> many{t, t};
  CHECK_EQ(t.use_count(), 4);
  CHECK(many[1].same_as(t));
  Optional<Tensor> none;
  CHECK(!none.has_value());
  AnyView view = t.GetDLTensorPtr() == nullptr ? AnyView() : AnyView(const_cast<DLTensor*>(t.GetDLTensorPtr()));
  CHECK_EQ(view.type_index(), TypeIndex::kTVMFFIDLTensorPtr);
}

TEST(tensor, empty_and_unit_dimensions) {
  float data[4];
  CHECK(Import(Lend<DLManagedTensor>({3, 0, 2}, {7, 7, 7}, data), 0, 1).IsContiguous());
  CHECK(Import(Lend<DLManagedTensor>({1, 4, 1}, {99, 1, 99}, data), 0, 1).IsContiguous());
  Tensor t = Import(Lend<DLManagedTensor>({3, 0, 2}, {}, data), 0, 1);
  CHECK(Numbers(t.strides()) == std::vector<int64_t>({0, 2, 1}));
}

TEST(tensor, weak_reference) {
  WeakObjectPtr<TensorObj> weak;
  float data[1];
  Lent<DLManagedTensor>::freed = 0;
  {
    Tensor t = Import(Lend<DLManagedTensor>({1}, {}, data), 0, 0);
    weak = WeakObjectPtr<TensorObj>(details::ObjectUnsafe::ObjectPtrFromObjectRef<TensorObj>(t));
    CHECK(weak.lock() != nullptr);
  }
  CHECK(weak.lock() == nullptr);
  CHECK_EQ(Lent<DLManagedTensor>::freed, 1);
}
