// Tensors from DLPack, to DLPack, and views.
// Requirement: A8
#include "check.h"

#define TENSOR(handle) ((DLTensor*)((TVMFFIObject*)(handle) + 1))

static int deleted;

static void count_legacy(DLManagedTensor* self) {
  CHECK(self->manager_ctx == &deleted);
  deleted++;
}

static void count_versioned(DLManagedTensorVersioned* self) {
  CHECK(self->manager_ctx == &deleted);
  deleted++;
}

static float data[12] __attribute__((aligned(64)));

static DLTensor matrix(int64_t* shape, int64_t* strides) {
  shape[0] = 3;
  shape[1] = 4;
  DLTensor t = {.data = data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
  t.strides = strides;
  return t;
}

static DLManagedTensor legacy(DLTensor t) {
  DLManagedTensor m = {.dl_tensor = t, .manager_ctx = &deleted, .deleter = count_legacy};
  return m;
}

static DLManagedTensorVersioned versioned(DLTensor t) {
  DLManagedTensorVersioned m = {
      .version = {1, 0}, .manager_ctx = &deleted, .deleter = count_versioned, .flags = 0, .dl_tensor = t};
  return m;
}

static void imports(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  TVMFFIObjectHandle a = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 64, 1, &a), 0);
  CHECK_EQ(((TVMFFIObject*)a)->type_index, kTVMFFITensor);
  CHECK(TENSOR(a)->data == data && TENSOR(a)->shape == shape);
  CHECK_EQ(TENSOR(a)->strides[0], 4);
  CHECK_EQ(TENSOR(a)->strides[1], 1);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFITensor), 1);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 1);

  int64_t strides[2] = {1, 3};
  DLManagedTensorVersioned v = versioned(matrix(shape, strides));
  v.flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  v.version.minor = 99;
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(&v, 0, 0, &a), 0);
  CHECK(TENSOR(a)->strides == strides);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 2);

  DLTensor scalar = {.data = data, .device = {kDLCUDA, 1}, .ndim = 0, .dtype = {kDLInt, 64, 1}};
  m = legacy(scalar);
  m.deleter = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 8, 1, &a), 0);
  CHECK(TENSOR(a)->strides == NULL && TENSOR(a)->ndim == 0);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 2);
}

// The strong phase calls the managed tensor's deleter, the weak one frees the object.
static void weak_reference(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  TVMFFIObjectHandle a = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, &a), 0);
  ss_weak_incref(a);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 1);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFITensor), 1);
  CHECK_EQ(ss_promote(a), 0);
  ss_weak_decref(a);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFITensor), 0);
}

static void bad_legacy(DLTensor t, int32_t alignment, int32_t contiguous, const char* kind, const char* message) {
  DLManagedTensor m = legacy(t);
  TVMFFIObjectHandle out = &m;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, alignment, contiguous, &out), -1);
  CHECK_RAISED(kind, message);
  CHECK(out == NULL);
}

// Offsets from the first element to another one, and those from data, fit int64_t in bytes.
static void bad_offsets(void) {
  static const struct {
    int64_t shape[2], strides[2];
    uint64_t byte_offset;
    int sound;
  } cases[] = {
      {{2, 2}, {INT64_MAX / 4 - 1, 0}, 0, 1},     {{2, 2}, {INT64_MAX / 4, 0}, 0, 0},
      {{2, 2}, {INT64_MAX / 4, 1}, 0, 0},         {{2, 2}, {INT64_MIN / 4, 0}, 0, 0},
      {{3, 1}, {(int64_t)1 << 62, 1}, 0, 0},      {{5, 1}, {-((int64_t)1 << 60), 1}, 0, 0},
      {{2, 2}, {INT64_MAX, INT64_MAX}, 0, 0},     {{2, 2}, {INT64_MIN, INT64_MIN}, 0, 0},
      {{INT64_MAX / 4, 1}, {INT64_MAX, 1}, 0, 0}, {{2, 2}, {2, 1}, INT64_MAX - 16, 1},
      {{2, 2}, {2, 1}, INT64_MAX - 15, 0},        {{2, 2}, {2, 1}, UINT64_MAX, 0},
      {{1, 1}, {INT64_MIN, INT64_MAX}, 0, 1},     {{0, 2}, {INT64_MIN, INT64_MAX}, UINT64_MAX, 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int64_t shape[2] = {cases[i].shape[0], cases[i].shape[1]}, strides[2] = {cases[i].strides[0], cases[i].strides[1]};
    DLTensor t = {data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, cases[i].byte_offset};
    if (!cases[i].sound) {
      bad_legacy(t, 0, 0, "ValueError", "the strides and byte_offset of from->dl_tensor lead to offsets that overflow");
      continue;
    }
    DLManagedTensor m = {.dl_tensor = t};
    TVMFFIObjectHandle out = NULL;
    CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, &out), 0);
    TVMFFIObjectHandle view = NULL;
    CHECK_EQ(TVMFFITensorCreateUnsafeView(out, &t, &view), 0);
    TVMFFIObjectDecRef(view);
    strides[0] = strides[1] = INT64_MAX;
    shape[0] = shape[1] = 2;
    view = NULL;
    CHECK_EQ(TVMFFITensorCreateUnsafeView(out, &t, &view), -1);
    CHECK_RAISED("ValueError", "the strides and byte_offset of prototype lead to offsets that overflow int64_t");
    TVMFFIObjectDecRef(out);
  }
}

static void bad_imports(void) {
  int64_t shape[2];
  int64_t strides[2] = {4, 1};
  deleted = 0;
  DLTensor good = matrix(shape, strides);
  DLTensor t = good;
  t.ndim = -1;
  bad_legacy(t, 0, 0, "ValueError", "from->dl_tensor->ndim must not be negative, got -1");
  t = good;
  t.shape = NULL;
  bad_legacy(t, 0, 0, "ValueError", "shape must not be NULL when ndim is 2");
  t = good;
  t.dtype.lanes = 0;
  bad_legacy(t, 0, 0, "ValueError", "lanes must not be 0");
  shape[1] = -4;
  bad_legacy(good, 0, 0, "ValueError", "shape[1] must not be negative, got -4");
  shape[0] = (int64_t)1 << 32;
  shape[1] = (int64_t)1 << 30;
  bad_legacy(good, 0, 0, "ValueError", "overflows int64_t at shape[1]");
  int64_t three[3] = {(int64_t)1 << 32, 0, (int64_t)1 << 32};
  t = good;
  t.ndim = 3;
  t.shape = three;
  t.strides = NULL;
  bad_legacy(t, 0, 0, "ValueError", "overflows int64_t at shape[2]");
  bad_offsets();

  good = matrix(shape, strides);
  t = good;
  t.byte_offset = 4;
  bad_legacy(t, 64, 0, "RuntimeError", "FromDLPack: Data is not aligned to 64 bytes.");
  bad_legacy(good, -64, 0, "ValueError", "require_alignment must not be negative");
  strides[0] = 5;
  bad_legacy(good, 0, 1, "RuntimeError", "FromDLPack: Tensor is not contiguous.");

  TVMFFIObjectHandle out = NULL;
  DLManagedTensor m = legacy(good);
  CHECK_EQ(TVMFFITensorFromDLPack(NULL, 0, 0, &out), -1);
  CHECK_RAISED("ValueError", "TVMFFITensorFromDLPack: from must not be NULL");
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  DLManagedTensorVersioned v = versioned(good);
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(NULL, 0, 0, &out), -1);
  CHECK_RAISED("ValueError", "from must not be NULL");
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(&v, 0, 0, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  v.version.major = 2;
  v.dl_tensor.ndim = -7;  // of another major version nothing else may be read
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(&v, 0, 0, &out), -1);
  CHECK_RAISED("RuntimeError", "DLPack version 2.0 is not supported");
  v = versioned(good);
  v.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(&v, 0, 0, &out), -1);
  CHECK_RAISED("RuntimeError", "Subbyte type padded is not yet supported");
  v.flags = 1024 | DLPACK_FLAG_BITMASK_READ_ONLY;
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(&v, 0, 0, &out), -1);
  CHECK_RAISED("RuntimeError", "unknown flags 0x400");
  CHECK_EQ(deleted, 0);
  CHECK(out == NULL);
}

static void contiguity(void) {
  static const struct {
    int64_t shape[3], strides[3];
    int contiguous;
  } cases[] = {
      {{2, 3, 4}, {12, 4, 1}, 1}, {{2, 3, 4}, {12, 4, 2}, 0},   {{2, 1, 4}, {4, 77, 1}, 1}, {{1, 1, 1}, {9, 9, 9}, 1},
      {{2, 0, 4}, {9, 9, 9}, 1},  {{2, 3, 4}, {-12, -4, 1}, 0}, {{3, 1, 2}, {2, 0, 1}, 1},  {{3, 2, 1}, {0, 0, 0}, 0},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    DLManagedTensor m = {.dl_tensor = {.data = data, .device = {kDLCPU, 0}, .ndim = 3, .dtype = {kDLInt, 8, 1}}};
    m.dl_tensor.shape = (int64_t*)cases[i].shape;
    m.dl_tensor.strides = (int64_t*)cases[i].strides;
    TVMFFIObjectHandle out = NULL;
    int rc = TVMFFITensorFromDLPack(&m, 0, 1, &out);
    CHECK_EQ(rc, cases[i].contiguous ? 0 : -1);
    if (rc != 0) CHECK_RAISED("RuntimeError", "not contiguous");
    TVMFFIObjectDecRef(out);
  }
}

// Only on some devices the pointer itself is an address.
static void alignment(void) {
  for (int32_t type = -1; type < 20; type++) {
    DLManagedTensor m = {.dl_tensor = {.data = (char*)data + 1, .ndim = 0, .dtype = {kDLInt, 8, 1}}};
    m.dl_tensor.device.device_type = (DLDeviceType)type;
    int direct = type <= 3 || type == kDLCUDAManaged || type == kDLROCM || type == kDLROCMHost;
    TVMFFIObjectHandle out = NULL;
    CHECK_EQ(TVMFFITensorFromDLPack(&m, 16, 0, &out), direct ? -1 : 0);
    if (direct) CHECK_RAISED("RuntimeError", "not aligned to 16");
    TVMFFIObjectDecRef(out);
    out = NULL;
    m.dl_tensor.byte_offset = 15;
    CHECK_EQ(TVMFFITensorFromDLPack(&m, 16, 0, &out), direct ? 0 : -1);
    if (!direct) CHECK_RAISED("RuntimeError", "not aligned to 16");
    TVMFFIObjectDecRef(out);
  }
}

static void exports(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  TVMFFIObjectHandle a = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, &a), 0);
  DLManagedTensor* old = NULL;
  DLManagedTensorVersioned* new = NULL;
  CHECK_EQ(TVMFFITensorToDLPack(a, &old), 0);
  CHECK_EQ(TVMFFITensorToDLPackVersioned(a, &new), 0);
  CHECK_EQ(new->version.major, 1);
  CHECK_EQ(new->version.minor, 3);
  CHECK_EQ(new->flags, 0);
  CHECK(new->dl_tensor.data == data&& new->dl_tensor.shape == shape&& new->dl_tensor.strides[0] == 4);
  CHECK(memcmp(&new->dl_tensor, &old->dl_tensor, sizeof(DLTensor)) == 0);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 0);
  // An exported tensor can be imported.
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(new, 4, 1, &a), 0);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 0);
  old->deleter(old);
  CHECK_EQ(deleted, 1);

  CHECK_EQ(TVMFFITensorToDLPack(NULL, &old), -1);
  CHECK_RAISED("ValueError", "TVMFFITensorToDLPack: from must not be NULL");
  CHECK_EQ(TVMFFITensorToDLPackVersioned(NULL, &new), -1);
  CHECK_RAISED("ValueError", "from must not be NULL");
  TVMFFIObjectHandle other = NULL;
  CHECK_EQ(SelfsameArrayCreate(NULL, 0, &other), 0);
  CHECK_EQ(TVMFFITensorToDLPack(other, &old), -1);
  CHECK_RAISED("TypeError", "from must be an ffi.Tensor, got an object of type index 71");
  CHECK_EQ(TVMFFITensorToDLPackVersioned(other, &new), -1);
  CHECK_RAISED("TypeError", "ffi.Tensor");
  CHECK_EQ(TVMFFITensorToDLPack(other, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  CHECK_EQ(TVMFFITensorToDLPackVersioned(other, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  TVMFFIObjectHandle view = NULL;
  int64_t strides[2] = {4, 1};
  DLTensor prototype = matrix(shape, strides);
  CHECK_EQ(TVMFFITensorCreateUnsafeView(other, &prototype, &view), -1);
  CHECK_RAISED("TypeError", "source must be an ffi.Tensor");
  TVMFFIObjectDecRef(other);
}

static void views(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  TVMFFIObjectHandle a = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, &a), 0);
  int64_t rows[1] = {3};
  int64_t step[1] = {4};
  DLTensor column = *TENSOR(a);
  column.ndim = 1;
  column.shape = rows;
  column.strides = step;
  column.byte_offset = 8;
  TVMFFIObjectHandle view = NULL;
  CHECK_EQ(TVMFFITensorCreateUnsafeView(a, &column, &view), 0);
  rows[0] = step[0] = 0;  // copied
  CHECK_EQ(TENSOR(view)->shape[0], 3);
  CHECK_EQ(TENSOR(view)->strides[0], 4);
  CHECK_EQ(TENSOR(view)->byte_offset, 8);
  TVMFFIObjectDecRef(a);
  CHECK_EQ(deleted, 0);
  // A long chain of views, each of the one before.
  for (int i = 0; i < 300000; i++) {
    TVMFFIObjectHandle next = NULL;
    CHECK_EQ(TVMFFITensorCreateUnsafeView(view, TENSOR(view), &next), 0);
    TVMFFIObjectDecRef(view);
    view = next;
  }
  CHECK_EQ(SelfsameLiveObjects(kTVMFFITensor), 2);

  TVMFFIObjectHandle bad = NULL;
  DLTensor t = *TENSOR(view);
  t.strides = NULL;
  CHECK_EQ(TVMFFITensorCreateUnsafeView(view, &t, &bad), -1);
  CHECK_RAISED("InternalError", "Check not null: prototype.strides ");
  t.ndim = -2;
  CHECK_EQ(TVMFFITensorCreateUnsafeView(view, &t, &bad), -1);
  CHECK_RAISED("ValueError", "prototype->ndim must not be negative");
  CHECK_EQ(TVMFFITensorCreateUnsafeView(NULL, &column, &bad), -1);
  CHECK_RAISED("ValueError", "source must not be NULL");
  CHECK_EQ(TVMFFITensorCreateUnsafeView(view, NULL, &bad), -1);
  CHECK_RAISED("ValueError", "prototype must not be NULL");
  CHECK_EQ(TVMFFITensorCreateUnsafeView(view, &column, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  CHECK_EQ(deleted, 0);
  TVMFFIObjectDecRef(view);
  CHECK_EQ(deleted, 1);
}

static void* no_memory(size_t size, size_t align, int32_t type_index, void* context) {
  (void)size, (void)align, (void)type_index, (void)context;
  return NULL;
}

static void out_of_memory(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  DLManagedTensorVersioned v = versioned(matrix(shape, NULL));
  TVMFFICustomAllocator none = {no_memory, NULL};
  CHECK_EQ(TVMFFISetCustomAllocator(&none), 0);
  TVMFFIObjectHandle out = NULL;
  int legacy_rc = TVMFFITensorFromDLPack(&m, 0, 0, &out);
  int versioned_rc = TVMFFITensorFromDLPackVersioned(&v, 0, 0, &out);
  CHECK_EQ(TVMFFISetCustomAllocator(NULL), 0);
  CHECK_EQ(legacy_rc, -1);
  CHECK_EQ(versioned_rc, -1);
  CHECK_RAISED("MemoryError", "");
  CHECK_EQ(deleted, 0);
}

// 16 threads view, export and release one tensor, and each sets streams and allocators.
static void* share(void* tensor) {
  for (int64_t i = 0; i < 300; i++) {
    TVMFFIObjectHandle view = NULL;
    DLManagedTensorVersioned* out = NULL;
    CHECK_EQ(TVMFFITensorCreateUnsafeView(tensor, TENSOR(tensor), &view), 0);
    CHECK_EQ(TVMFFITensorToDLPackVersioned(view, &out), 0);
    TVMFFIObjectDecRef(view);
    CHECK_EQ(TVMFFITensorFromDLPackVersioned(out, 64, 1, &view), 0);
    TVMFFIObjectDecRef(view);
    TVMFFIStreamHandle old = NULL;
    CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, (int32_t)(i % 9), (TVMFFIStreamHandle)&view, &old), 0);
    CHECK((old == NULL) == (i < 9));
    CHECK(TVMFFIEnvGetStream(kDLCUDA, (int32_t)(i % 9)) == (TVMFFIStreamHandle)&view);
  }
  TVMFFIObjectDecRef(tensor);
  return NULL;
}

static void threads(void) {
  int64_t shape[2];
  deleted = 0;
  DLManagedTensor m = legacy(matrix(shape, NULL));
  TVMFFIObjectHandle tensor = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(&m, 0, 0, &tensor), 0);
  pthread_t workers[16];
  for (int i = 0; i < 16; i++) {
    TVMFFIObjectIncRef(tensor);
    pthread_create(&workers[i], NULL, share, tensor);
  }
  TVMFFIObjectDecRef(tensor);
  for (int i = 0; i < 16; i++) pthread_join(workers[i], NULL);
  CHECK_EQ(deleted, 1);
}

int main(void) {
  return RUN(imports, weak_reference, bad_imports, contiguity, alignment, exports, views, threads, out_of_memory);
}
