// Arguments through which a Go function writes; see lent_values.h.
#include "convert/lent_values.h"

#include "convert/dlpack_exchange.h"
#include "convert/internal.h"
#include "convert/protocols.h"
#include "wrapper/classes.h"

// Containers of the ABI are changed in Python, as lists and dicts are. Other objects are shared with Go as they are.
static int is_container(PyObject* wrapper) {
  static const int32_t containers[] = {kTVMFFIArray, kTVMFFIMap, kTVMFFIList, kTVMFFIDict};
  for (size_t i = 0; i < sizeof(containers) / sizeof(*containers); i++) {
    PyTypeObject* cls = ss_class_registered(containers[i]);
    if (cls != NULL && PyObject_TypeCheck(wrapper, cls)) return 1;
  }
  return 0;
}

// Whether a value is a tensor without the buffer protocol, as PyTorch's: it is lent as a tensor, and written where it lies.
static int is_tensor(PyObject* value) {
  return ss_exchange_class(Py_TYPE(value)) != NULL || ss_has_protocol(value, SS_PROTOCOL_DLPACK);
}

int ss_lend_written(PyObject* value, SsLentMask mask, TVMFFIAny* out, SsLent** all, SsTemps* temps) {
  if (value == Py_None || (ss_is_wrapper(value) && !is_container(value))) return 0;
  if (mask.any & 1) {
    if (!PyList_Check(value) && !PyDict_Check(value)) return 0;
  } else if (!ss_is_wrapper(value)) {
    SsLent* lent = NULL;
    if (ss_has_buffer_of_c(value)) {
      if ((mask.numbers | mask.bytes) & 1) lent = ss_lend_numbers(value, 1, out);
    } else if (!PyObject_CheckBuffer(value) && is_tensor(value)) {
      return 0;
    }
    if (lent != NULL) {
      lent->next = *all;
      *all = lent;
      return 1;
    }
  }
  return ss_set_temporary(out, ss_opaque_new(value), temps) == 0 ? 1 : -1;
}
