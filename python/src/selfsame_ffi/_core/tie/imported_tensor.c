// Making and recognising Tensors over memory of a Python exporter.
#include "tie/imported_tensor.h"

#include "selfsame/internal/tensor.h"

// The deleter that the runtime gives to each Tensor that it makes from a managed tensor, by which they are known.
static void (*runtime_deleter)(void* self, int flags);

static void release_capsule(SsDeferred* link) {
  SsImportedTensor* imported = (SsImportedTensor*)((char*)link - offsetof(SsImportedTensor, link));
  PyObject* capsule = imported->managed.manager_ctx;
  free(imported);
  Py_DECREF(capsule);
}

static void delete_imported(DLManagedTensor* managed) {
  SsImportedTensor* imported = (SsImportedTensor*)managed;
  imported->link.run = release_capsule;
  ss_defer(&imported->link);
}

// The deleter of the managed tensors of another file.
static void (*known_deleter)(DLManagedTensor* managed);

void ss_imported_tensor_know(void (*deleter)(DLManagedTensor* managed)) {
  __atomic_store_n(&known_deleter, deleter, __ATOMIC_RELAXED);
}

TVMFFIObject* ss_imported_tensor_over(SsImportedTensor* imported, int32_t alignment, int contiguous) {
  TVMFFIObjectHandle made = NULL;
  if (ss_api.TVMFFITensorFromDLPack(&imported->managed, alignment, contiguous, &made) != 0) return NULL;
  TVMFFIObject* tensor = made;
  __atomic_store_n(&runtime_deleter, tensor->deleter, __ATOMIC_RELAXED);  // the same each time
  return tensor;
}

int ss_imported_tensor_is_untied(const TVMFFIObject* object) {
  return object->deleter == __atomic_load_n(&runtime_deleter, __ATOMIC_RELAXED);
}

int ss_imported_tensor_has_no_handle(const TVMFFIObject* object) {
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  return record != NULL && __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED) == 0 &&
         __atomic_load_n(&record->go, __ATOMIC_RELAXED) == 0;
}

TVMFFIObject* ss_imported_tensor_new(const DLTensor* dl, PyObject* capsule, PyObject* exporter, int32_t alignment,
                                     int contiguous, int* no_memory) {
  SsImportedTensor* imported = malloc(sizeof(*imported));
  *no_memory = imported == NULL;
  if (imported == NULL) return NULL;
  imported->managed = (DLManagedTensor){.dl_tensor = *dl, .manager_ctx = capsule, .deleter = delete_imported};
  imported->exporter = exporter;
  TVMFFIObject* tensor = ss_imported_tensor_over(imported, alignment, contiguous);
  if (tensor == NULL) free(imported);
  return tensor;
}

const SsImportedTensor* ss_imported_tensor_of(const TVMFFIObject* object) {
  if (object->type_index != kTVMFFITensor) return NULL;
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  void (*deleter)(void*, int) = record == NULL ? object->deleter : record->deleter;
  if (deleter == NULL || deleter != __atomic_load_n(&runtime_deleter, __ATOMIC_RELAXED)) return NULL;
  const DLManagedTensor* managed = ((const SsTensorObject*)object)->source;
  if (managed->deleter != delete_imported && managed->deleter != __atomic_load_n(&known_deleter, __ATOMIC_RELAXED)) {
    return NULL;
  }
  return (const SsImportedTensor*)managed;
}
