// Replacing functions; see replaced_function.h.
#include "tie/replaced_function.h"

int ss_replace_function(const char* module, const char* name, int flags, PyCFunction own, PyCFunction* original) {
  PyObject* home = PyImport_ImportModule(module);
  PyObject* function = home == NULL ? NULL : PyObject_GetAttrString(home, name);
  Py_XDECREF(home);
  if (function == NULL) return -1;
  if (PyCFunction_CheckExact(function) && *original == NULL) {
    PyMethodDef* method = ((PyCFunctionObject*)function)->m_ml;
    if (method->ml_flags == flags) {
      *original = method->ml_meth;
      __atomic_store_n(&method->ml_meth, own, __ATOMIC_RELEASE);
    }
  }
  Py_DECREF(function);
  return 0;
}
