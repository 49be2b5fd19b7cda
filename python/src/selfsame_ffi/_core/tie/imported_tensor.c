// Making and recognising Tensors over memory of a Python exporter.
#include "tie/imported_tensor.h"

#include "selfsame/internal/tensor.h"

// The deleters that the runtime gives to each Tensor that it makes from a managed tensor, by which they are known: that
// of memory that may be written, and of memory that must not.
static SelfsameObjectDeleter runtime_deleter;

static SelfsameObjectDeleter read_only_deleter(void) {
  static SelfsameObjectDeleter known;  // the same each time
  SelfsameObjectDeleter deleter = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (deleter == NULL) {
    deleter = ss_api.SelfsameReadOnlyTensorDeleter();
    __atomic_store_n(&known, deleter, __ATOMIC_RELAXED);
  }
  return deleter;
}

static SelfsameObjectDeleter own_deleter(const TVMFFIObject* object) {
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  return record == NULL ? object->deleter : record->deleter;
}

int ss_tensor_is_read_only(const TVMFFIObject* tensor) { return own_deleter(tensor) == read_only_deleter(); }

static void release_capsule(SsDeferred* link) {
  SsImportedTensor* imported = (SsImportedTensor*)((char*)link - offsetof(SsImportedTensor, link));
  PyObject* capsule = imported->managed.manager_ctx;
  free(imported);
  Py_DECREF(capsule);
}

static void delete_imported(DLManagedTensorVersioned* managed) {
  SsImportedTensor* imported = (SsImportedTensor*)managed;
  imported->link.run = release_capsule;
  ss_defer(&imported->link);
}

// The deleter of the managed tensors of another file.
static void (*known_deleter)(DLManagedTensorVersioned* managed);

void ss_imported_tensor_know(void (*deleter)(DLManagedTensorVersioned* managed)) {
  __atomic_store_n(&known_deleter, deleter, __ATOMIC_RELAXED);
}

TVMFFIObject* ss_imported_tensor_over(SsImportedTensor* imported, int32_t alignment, int contiguous) {
  TVMFFIObjectHandle made = NULL;
  if (ss_api.TVMFFITensorFromDLPackVersioned(&imported->managed, alignment, contiguous, &made) != 0) return NULL;
  TVMFFIObject* tensor = made;
  // The same each time.
  if (imported->managed.flags == 0) __atomic_store_n(&runtime_deleter, tensor->deleter, __ATOMIC_RELAXED);
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

TVMFFIObject* ss_imported_tensor_new(const DLTensor* dl, PyObject* capsule, PyObject* exporter, SsMemoryFlags memory,
                                     int32_t alignment, int contiguous, int* no_memory) {
  SsImportedTensor* imported = malloc(sizeof(*imported));
  *no_memory = imported == NULL;
  if (imported == NULL) return NULL;
  imported->managed = (DLManagedTensorVersioned){.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                                 .dl_tensor = *dl,
                                                 .manager_ctx = capsule,
                                                 .deleter = delete_imported,
                                                 .flags = memory.flags};
  imported->is_unversioned = memory.is_unversioned;
  imported->exporter = exporter;
  TVMFFIObject* tensor = ss_imported_tensor_over(imported, alignment, contiguous);
  if (tensor == NULL) free(imported);
  return tensor;
}

const SsImportedTensor* ss_imported_tensor_of(const TVMFFIObject* object) {
  if (object->type_index != kTVMFFITensor) return NULL;
  SelfsameObjectDeleter deleter = own_deleter(object);
  if (deleter == NULL) return NULL;
  if (deleter != __atomic_load_n(&runtime_deleter, __ATOMIC_RELAXED) && deleter != read_only_deleter()) return NULL;
  const DLManagedTensorVersioned* managed = ((const SsTensorObject*)object)->source;
  if (managed->deleter != delete_imported && managed->deleter != __atomic_load_n(&known_deleter, __ATOMIC_RELAXED)) {
    return NULL;
  }
  return (const SsImportedTensor*)managed;
}
