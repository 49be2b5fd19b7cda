// The DLPack C exchange as classes of this package offer it; see convert.h.
#include "convert/convert.h"

#include "convert/errors.h"
#include "wrapper/fetch.h"

int ss_exchange_offer(PyTypeObject* cls, const SsExchange* exchange) {
  PyObject* capsule = PyCapsule_New((void*)exchange, "dlpack_exchange_api", NULL);
  if (capsule == NULL) return -1;
  int rc = PyDict_SetItemString(cls->tp_dict, "__dlpack_c_exchange_api__", capsule);
  Py_DECREF(capsule);
  PyType_Modified(cls);
  return rc;
}

PyObject* ss_exchange_take(DLManagedTensorVersioned* managed) {
  TVMFFIObjectHandle native;
  if (ss_api.TVMFFITensorFromDLPackVersioned(managed, 0, 0, &native) != 0) {
    if (managed->deleter != NULL) managed->deleter(managed);
    ss_raise_native();
    return NULL;
  }
  return ss_fetch(native);
}

int ss_exchange_stream(int32_t device_type, int32_t device_id, void** out) {
  *out = ss_api.TVMFFIEnvGetStream(device_type, device_id);
  return 0;
}
