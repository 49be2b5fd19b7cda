// Streams, the tensor allocator, signals.
// Requirement: A8
#include "check.h"

static TVMFFIStreamHandle stream(int64_t n) { return (TVMFFIStreamHandle)(intptr_t)n; }

static void* other_thread(void* arg) {
  (void)arg;
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 0) == NULL);
  CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 0, stream(77), NULL), 0);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 0) == stream(77));
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == NULL);
  return NULL;
}

static void streams(void) {
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 0) == NULL);
  TVMFFIStreamHandle old = stream(1);
  CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 0, stream(5), &old), 0);
  CHECK(old == NULL);
  for (int32_t i = 1; i < 100; i++) CHECK_EQ(TVMFFIEnvSetStream(i, 100 - i, stream(i), NULL), 0);
  CHECK_EQ(TVMFFIEnvSetStream(INT32_MAX, INT32_MAX, stream(6), &old), 0);
  CHECK(old == NULL);
  pthread_t t;
  pthread_create(&t, NULL, other_thread, NULL);
  pthread_join(t, NULL);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 0) == stream(5));
  CHECK(TVMFFIEnvGetStream(INT32_MAX, INT32_MAX) == stream(6));
  for (int32_t i = 1; i < 100; i++) {
    CHECK(TVMFFIEnvGetStream(i, 100 - i) == stream(i));
    CHECK_EQ(TVMFFIEnvSetStream(i, 100 - i, i % 2 ? NULL : stream(-i), &old), 0);
    CHECK(old == stream(i));
  }
  for (int32_t i = 1; i < 100; i++) CHECK(TVMFFIEnvGetStream(i, 100 - i) == (i % 2 ? NULL : stream(-i)));
  old = stream(9);
  CHECK_EQ(TVMFFIEnvSetStream(-1, 0, stream(1), &old), -1);
  CHECK_RAISED("ValueError", "device_type must not be negative, got -1");
  CHECK_EQ(TVMFFIEnvSetStream(2, INT32_MIN, stream(1), &old), -1);
  CHECK_RAISED("ValueError", "device_id must not be negative");
  CHECK(old == stream(9));
  CHECK(TVMFFIEnvGetStream(-1, 0) == NULL && TVMFFIEnvGetStream(2, -1) == NULL);
}

static int freed;

static void free_made(DLManagedTensorVersioned* self) {
  free(self->dl_tensor.shape);
  free(self);
  freed++;
}

static uint32_t made_major = 1;

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                    void (*set_error)(void*, const char*, const char*)) {
  CHECK(error_ctx == NULL);
  if (prototype->ndim == 3) {
    set_error(error_ctx, "MyError", "three is too many");
    return 7;
  }
  if (prototype->ndim == 4) return -3;
  if (prototype->ndim == 5) return 0;
  DLManagedTensorVersioned* made = calloc(1, sizeof(*made));
  made->version.major = made_major;
  made->deleter = free_made;
  made->dl_tensor = *prototype;
  size_t size = (size_t)prototype->ndim * sizeof(int64_t);
  made->dl_tensor.shape = malloc(size + 1);
  memcpy(made->dl_tensor.shape, prototype->shape, size);
  *out = made;
  return 0;
}

static int other_allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                          void (*set_error)(void*, const char*, const char*)) {
  return allocate(prototype, out, error_ctx, set_error);
}

static void* of_new_thread(void* arg) {
  (void)arg;
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == other_allocate);
  return NULL;
}

static void allocators(void) {
  DLPackManagedTensorAllocator old = allocate;
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &old), 0);
  CHECK(old == NULL);
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == allocate);
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(other_allocate, 1, &old), 0);
  CHECK(old == allocate);
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, &old), 0);
  CHECK(old == other_allocate);
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == allocate);  // this thread's is preferred to the process's
  pthread_t t;
  pthread_create(&t, NULL, of_new_thread, NULL);
  pthread_join(t, NULL);
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL), 0);
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == other_allocate);
}

static void allocation(void) {
  int64_t shape[5] = {2, 3, 4, 5, 6};
  DLTensor prototype = {.device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 16, 1}, .shape = shape};
  TVMFFIObjectHandle out = NULL;
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 1, NULL), 0);
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), -1);
  CHECK_RAISED("RuntimeError",
               "TVMFFIEnvTensorAlloc: allocator is nullptr, likely because TVMFFIEnvSetDLPackManagedTensorAllocator "
               "has not been called.");
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 1, NULL), 0);
  ss_raise("KeyError", "not the allocator's");
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), 0);
  CHECK_RAISED("KeyError", "not the allocator's");
  TVMFFIObject* tensor = out;
  CHECK_EQ(tensor->combined_ref_count, ((uint64_t)1 << 32) | 1);
  CHECK_EQ(((DLTensor*)(tensor + 1))->strides[0], 3);
  TVMFFIObjectDecRef(out);
  CHECK_EQ(freed, 1);

  out = NULL;
  prototype.ndim = 3;
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), 7);
  CHECK_RAISED("MyError", "three is too many");
  prototype.ndim = 4;
  ss_raise("KeyError", "left over from before");
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), -3);
  CHECK_RAISED("RuntimeError", "the allocator failed with code -3 and no error");
  prototype.ndim = 5;
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), -1);
  CHECK_RAISED("RuntimeError",
               "Check failed: (dlpack_tensor != nullptr) is false: TVMFFIEnvTensorAlloc: failed to allocate a tensor "
               "from the allocator");
  prototype.ndim = -1;
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), -1);
  CHECK_RAISED("ValueError", "prototype->ndim must not be negative");
  prototype.ndim = 1;
  CHECK_EQ(TVMFFIEnvTensorAlloc(NULL, &out), -1);
  CHECK_RAISED("ValueError", "prototype must not be NULL");
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  made_major = 0;
  CHECK_EQ(TVMFFIEnvTensorAlloc(&prototype, &out), -1);
  CHECK_RAISED("RuntimeError", "TVMFFIEnvTensorAlloc: DLPack version 0.0 is not supported");
  CHECK_EQ(freed, 2);  // a refused tensor is returned to its deleter
  CHECK(out == NULL);
}

static int signals, held;
static int check_signals(void) {
  CHECK_EQ(held, 1);
  return signals;
}
static void* ensure(void) {
  held++;
  return &held;
}
static void release(void* state) {
  CHECK(state == &held);
  held--;
}

static void* symbol(void (*f)(void)) {
  void* p;
  memcpy(&p, &f, sizeof(p));
  return p;
}

static void host_signals(void) {
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", symbol((void (*)(void))check_signals)), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), -1);
  CHECK_RAISED("RuntimeError", "PyErr_CheckSignals is registered, but PyGILState_Ensure is not");
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyGILState_Ensure", symbol((void (*)(void))ensure)), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), -1);
  CHECK_RAISED("RuntimeError", "but PyGILState_Release is not");
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyGILState_Release", symbol((void (*)(void))release)), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
  signals = -1;
  CHECK_EQ(TVMFFIEnvCheckSignals(), -1);
  TVMFFIObjectHandle error = &error;
  TVMFFIErrorMoveFromRaised(&error);
  CHECK(error == NULL);
  CHECK_EQ(held, 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", NULL), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyErr_Print", NULL), -1);
  CHECK_RAISED("ValueError", "Unknown env API PyErr_Print");
  CHECK_EQ(TVMFFIEnvRegisterCAPI(NULL, NULL), -1);
  CHECK_RAISED("ValueError", "name must not be NULL");
}

int main(void) { return RUN(streams, allocators, allocation, host_signals); }
