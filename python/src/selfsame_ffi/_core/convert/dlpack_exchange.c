// The DLPack C exchange; see dlpack_exchange.h.
#include "convert/dlpack_exchange.h"

#include <stdlib.h>

#include "convert/dlpack.h"
#include "convert/errors.h"
#include "convert/lazy_tensors.h"
#include "convert/protocols.h"
#include "gc/read_memory.h"
#include "selfsame/internal/process.h"
#include "tie/imported_tensor.h"

static const char capsule_name[] = "dlpack_exchange_api";

static int is_off(void) {
  char buffer[8];
  const char* skip = ss_variable("TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API", buffer, sizeof(buffer));
  return skip != NULL && strcmp(skip, "1") == 0;
}

// Whether a table can lie at an address that another package gives. True where the system copies no memory at all.
static int may_be_table(const void* at) {
  SsExchangeHeader copy;
  if ((uintptr_t)at % _Alignof(SsExchangeHeader) != 0) return 0;
  return ss_copy_memory(at, &copy, sizeof(copy)) == 0 || ss_copy_memory(capsule_name, &copy, 1) != 0;
}

// The address in the attribute: a capsule, or an int in earlier releases of other packages. NULL with an error set.
static void* address_in(PyTypeObject* cls, PyObject* attribute) {
  if (PyLong_Check(attribute)) {
    void* at = PyLong_AsVoidPtr(attribute);
    if (at == NULL || may_be_table(at)) return at;
    PyErr_Format(PyExc_TypeError, "%.100s.__dlpack_c_exchange_api__: expected the address of a table, got %R",
                 cls->tp_name, attribute);
    return NULL;
  }
  if (PyCapsule_IsValid(attribute, capsule_name)) return PyCapsule_GetPointer(attribute, capsule_name);
  const char* name = PyCapsule_CheckExact(attribute) ? PyCapsule_GetName(attribute) : NULL;
  PyErr_Format(PyExc_TypeError,
               "%.100s.__dlpack_c_exchange_api__: expected a capsule named \"dlpack_exchange_api\", got %.100s%s%.100s",
               cls->tp_name, Py_TYPE(attribute)->tp_name, name == NULL ? "" : " ", name == NULL ? "" : name);
  return NULL;
}

// The newest table of the known version behind `table`. NULL with BufferError set.
static const SsExchange* usable(PyTypeObject* cls, const SsExchangeHeader* table) {
  enum { MOST_VERSIONS = 100 };  // more are a cycle
  uint32_t newest = table->version.major;
  for (int i = 0; table != NULL && table->version.major != DLPACK_MAJOR_VERSION; i++) {
    table = i < MOST_VERSIONS && may_be_table(table->previous) ? table->previous : NULL;
  }
  if (table == NULL) {
    PyErr_Format(PyExc_BufferError, "%.100s.__dlpack_c_exchange_api__: expected DLPack version %d, got %u",
                 cls->tp_name, DLPACK_MAJOR_VERSION, (unsigned)newest);
    return NULL;
  }
  const SsExchange* exchange = (const SsExchange*)table;
  if (exchange->from_python != NULL) return exchange;
  PyErr_Format(
      PyExc_BufferError,
      "%.100s.__dlpack_c_exchange_api__: expected a table with managed_tensor_from_py_object_no_sync, got NULL",
      cls->tp_name);
  return NULL;
}

__thread SsExchangeClass ss_exchange_classes[SS_EXCHANGE_CLASSES] SS_STATIC_TLS;

int ss_exchange_of(PyTypeObject* cls, const SsExchange** out) {
  static PyObject* name;
  if (name == NULL) name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  if (name == NULL) return -1;
  PyObject* found = _PyType_Lookup(cls, name);  // borrowed, only compared
  if (SS_LIKELY(found == NULL) || is_off()) return 0;
  unsigned int version = ss_version_of(cls);
  PyObject* attribute = PyObject_GetAttr((PyObject*)cls, name);
  if (attribute == NULL) return -1;
  const SsExchangeHeader* table = address_in(cls, attribute);
  int is_plain = attribute == found;  // otherwise code decides, and may decide otherwise the next time
  Py_DECREF(attribute);
  if (table == NULL) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_TypeError, "%.100s.__dlpack_c_exchange_api__: expected an address, got 0", cls->tp_name);
    }
    return -1;
  }
  *out = usable(cls, table);
  if (*out == NULL) return -1;
  if (is_plain && version != 0 && version == ss_version_of(cls) && !ss_class_has_protocol(cls, SS_PROTOCOL_OBJECT)) {
    *ss_exchange_place(cls) = (SsExchangeClass){cls, version, *out};
  }
  return 1;
}

TVMFFIObject* ss_exchange_import(const SsExchange* exchange, PyObject* value, int32_t alignment, int contiguous) {
  DLManagedTensorVersioned* managed = NULL;
  if (exchange->from_python(value, &managed) != 0 || managed == NULL) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the tensor's package did not export it");
    return NULL;
  }
  if (ss_check_import(value, &managed->dl_tensor) != 0) {
    ss_release_managed(managed);
    return NULL;
  }
  return ss_tensor_from_managed(managed, alignment, contiguous);
}

static void release_exported(DLManagedTensorVersioned* managed) {
  ss_decref(managed->manager_ctx);
  free(managed);
}

// Takes over the reference to `tensor`, which TVMFFITensorToDLPackVersioned would add one to. NULL with an error set, and
// then the reference is still the caller's.
static DLManagedTensorVersioned* managed_of(TVMFFIObject* tensor) {
  DLManagedTensorVersioned* managed = malloc(sizeof(*managed));
  if (managed == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  *managed = (DLManagedTensorVersioned){.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                        .manager_ctx = tensor,
                                        .deleter = release_exported,
                                        .flags = ss_tensor_is_read_only(tensor) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0,
                                        .dl_tensor = *SS_CELL(DLTensor, tensor)};
  return managed;
}

PyObject* ss_exchange_export(const SsExchange* exchange, TVMFFIObject* tensor) {
  if (exchange->to_python == NULL) {
    ss_decref(tensor);
    PyErr_SetString(PyExc_BufferError,
                    "the tensor's package imports no tensors: its table has no "
                    "managed_tensor_to_py_object_no_sync");
    return NULL;
  }
  DLManagedTensorVersioned* managed = managed_of(tensor);
  if (managed == NULL) {
    ss_decref(tensor);
    return NULL;
  }
  void* made = NULL;
  if (exchange->to_python(managed, &made) == 0 && made != NULL) return made;
  // The other package has taken the tensor over, whether it failed or not.
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the tensor's package did not import a tensor");
  return NULL;
}

int ss_exchange_begin(const SsExchangeUse* use, SsExchangeScope* scope) {
  *scope = (SsExchangeScope){.has_allocator = 0};
  int32_t type = (int32_t)use->device.device_type, id = use->device.device_id;
  void* stream = NULL;
  int has_stream = use->streams != NULL && use->streams->current_stream != NULL;
  if (has_stream && use->streams->current_stream(type, id, &stream) != 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the tensor's package did not tell its stream");
    return -1;
  }
  if (has_stream) {
    if (ss_api.TVMFFIEnvSetStream(type, id, stream, &scope->stream) != 0) return ss_raise_native();
    scope->has_stream = 1;
  }
  DLPackManagedTensorAllocator allocator = use->results->allocator;
  if (allocator != NULL && ss_api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 0, &scope->allocator) == 0) {
    scope->has_allocator = scope->allocator != allocator;
  }
  return 0;
}

void ss_exchange_end(const SsExchangeUse* use, const SsExchangeScope* scope) {
  if (scope->has_stream) {
    ss_api.TVMFFIEnvSetStream((int32_t)use->device.device_type, use->device.device_id, scope->stream, NULL);
  }
  if (scope->has_allocator) ss_api.TVMFFIEnvSetDLPackManagedTensorAllocator(scope->allocator, 0, NULL);
}
