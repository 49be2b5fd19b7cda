// The DLPack C exchange; see dlpack_exchange.h.
#include "convert/dlpack_exchange.h"

#include <stdlib.h>

#include "convert/dlpack.h"
#include "convert/errors.h"

static const char capsule_name[] = "dlpack_exchange_api";

static int is_off(void) {
  const char* skip = getenv("TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API");
  return skip != NULL && strcmp(skip, "1") == 0;
}

// The address in the attribute: a capsule, or an int in earlier releases of other packages. NULL with an error set.
static void* address_in(PyTypeObject* cls, PyObject* attribute) {
  if (PyLong_Check(attribute)) return PyLong_AsVoidPtr(attribute);
  if (PyCapsule_IsValid(attribute, capsule_name)) return PyCapsule_GetPointer(attribute, capsule_name);
  PyErr_Format(PyExc_TypeError,
               "%.100s.__dlpack_c_exchange_api__: expected a capsule named \"dlpack_exchange_api\", got %.100s",
               cls->tp_name, Py_TYPE(attribute)->tp_name);
  return NULL;
}

int ss_exchange_of(PyTypeObject* cls, const SsExchange** out) {
  static PyObject* name;
  if (name == NULL) name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  if (name == NULL) return -1;
  if (SS_LIKELY(_PyType_Lookup(cls, name) == NULL) || is_off()) return 0;
  PyObject* attribute = PyObject_GetAttr((PyObject*)cls, name);
  if (attribute == NULL) return -1;
  const SsExchangeHeader* table = address_in(cls, attribute);
  Py_DECREF(attribute);
  if (table == NULL) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_TypeError, "%.100s.__dlpack_c_exchange_api__: expected an address, got 0", cls->tp_name);
    }
    return -1;
  }
  uint32_t newest = table->version.major;
  while (table != NULL && table->version.major != DLPACK_MAJOR_VERSION) table = table->previous;
  if (table == NULL) {
    PyErr_Format(PyExc_BufferError, "%.100s.__dlpack_c_exchange_api__: expected DLPack version %d, got %u",
                 cls->tp_name, DLPACK_MAJOR_VERSION, (unsigned)newest);
    return -1;
  }
  *out = (const SsExchange*)table;
  return 1;
}

TVMFFIObject* ss_exchange_import(const SsExchange* exchange, PyObject* value, int32_t alignment, int contiguous) {
  DLManagedTensorVersioned* managed = NULL;
  if (exchange->from_python(value, &managed) != 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the tensor's package did not export it");
    return NULL;
  }
  return ss_tensor_from_managed(managed, alignment, contiguous);
}

PyObject* ss_exchange_export(const SsExchange* exchange, TVMFFIObject* tensor) {
  DLManagedTensorVersioned* managed = NULL;
  if (ss_api.TVMFFITensorToDLPackVersioned(tensor, &managed) != 0) {
    ss_raise_native();
    return NULL;
  }
  void* made = NULL;
  if (exchange->to_python(managed, &made) == 0) return made;
  // The other package has taken the tensor over, whether it failed or not.
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the tensor's package did not import a tensor");
  return NULL;
}

int ss_exchange_begin(const SsExchange* exchange, DLDevice device, SsExchangeScope* scope) {
  *scope = (SsExchangeScope){.has_allocator = 0};
  void* stream = NULL;
  int has_stream = device.device_type != 0 && device.device_type != kDLCPU && exchange->current_stream != NULL;
  if (has_stream && exchange->current_stream(device.device_type, device.device_id, &stream) != 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the tensor's package did not tell its stream");
    return -1;
  }
  if (has_stream) {
    if (ss_api.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, &scope->stream) != 0) {
      return ss_raise_native();
    }
    scope->has_stream = 1;
  }
  if (exchange->allocator != NULL &&
      ss_api.TVMFFIEnvSetDLPackManagedTensorAllocator(exchange->allocator, 0, &scope->allocator) == 0) {
    scope->has_allocator = 1;
  }
  return 0;
}

void ss_exchange_end(DLDevice device, const SsExchangeScope* scope) {
  if (scope->has_stream) ss_api.TVMFFIEnvSetStream(device.device_type, device.device_id, scope->stream, NULL);
  if (scope->has_allocator) ss_api.TVMFFIEnvSetDLPackManagedTensorAllocator(scope->allocator, 0, NULL);
}
