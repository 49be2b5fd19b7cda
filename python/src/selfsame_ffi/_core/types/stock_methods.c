// Methods for Python code written for the stock tvm_ffi package; see types.h.
#include "types/types.h"

#include "wrapper/classes.h"
#include "convert/function.h"
#include "wrapper/fetch.h"

enum { OBJECT_INDEX = 64 };

// Whether a native object of the type may belong to a wrapper of self's class. 0, or -1 with TypeError set.
static int check_fits(const char* method, PyObject* self, int32_t index) {
  int32_t wanted = ss_class_index(Py_TYPE(self));
  if (ss_type_derives(index, wanted < 0 ? OBJECT_INDEX : wanted)) return 0;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  PyObject* key = info == NULL ? NULL : ss_text(&info->type_key);
  if (key == NULL && PyErr_Occurred()) return -1;
  PyErr_Format(PyExc_TypeError, "%s: a %.100s object cannot have a native object of type '%V'", method,
               Py_TYPE(self)->tp_name, key, "unknown");
  Py_XDECREF(key);
  return -1;
}

static int check_empty(const char* method, PyObject* self) {
  if (ss_wrapper(self)->handle == NULL) return 0;
  PyErr_Format(PyExc_TypeError, "%s: the %.100s object is initialised already", method, Py_TYPE(self)->tp_name);
  return -1;
}

PyObject* ss_init_handle_by_constructor(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  static const char name[] = "__init_handle_by_constructor__";
  if (count < 1 || !PyObject_TypeCheck(args[0], &SsFunction_Type)) {
    return PyErr_Format(PyExc_TypeError, "%s: argument 'function': expected a Function, got %.100s", name,
                        count < 1 ? "nothing" : Py_TYPE(args[0])->tp_name);
  }
  if (check_empty(name, self) != 0) return NULL;
  SsWrapper* function = ss_wrapper(args[0]);
  TVMFFIObject* handle = ss_pin_function(function);
  if (handle == NULL) return NULL;
  TVMFFIAny made;
  int rc =
      ss_call_raw(handle, ss_releases_gil(function), ((SsFunction*)function)->lent, args + 1, count - 1, &made, NULL);
  ss_unpin(function);
  if (rc != 0) return NULL;
  if (made.type_index < kTVMFFIStaticObjectBegin || made.v_obj == NULL) {
    PyErr_Format(PyExc_TypeError, "%s: expected an object from the function, got a value of type index %d", name,
                 (int)made.type_index);
    ss_any_clear(&made);
    return NULL;
  }
  if (check_fits(name, self, made.type_index) != 0) {
    ss_any_clear(&made);
    return NULL;
  }
  if (ss_construct(ss_wrapper(self), made.v_obj) != 0) return NULL;
  Py_RETURN_NONE;
}

PyObject* ss_move_handle_from(PyObject* self, PyObject* other) {
  static const char name[] = "__move_handle_from__";
  if (!ss_is_wrapper(other)) {
    return PyErr_Format(PyExc_TypeError, "%s: argument 'other': expected a CObject, got %.100s", name,
                        Py_TYPE(other)->tp_name);
  }
  if (check_empty(name, self) != 0) return NULL;
  TVMFFIObject* handle = ss_pin(ss_wrapper(other));
  if (handle == NULL) return ss_no_handle(other);
  if (check_fits(name, self, handle->type_index) != 0) {
    ss_unpin(ss_wrapper(other));
    return NULL;
  }
  if (ss_strong(handle) != ss_owned(ss_wrapper(other)) || !ss_claim(ss_wrapper(other))) {
    ss_unpin(ss_wrapper(other));
    return PyErr_Format(PyExc_RuntimeError, "%s: the %.100s object has other owners, or a call uses it", name,
                        Py_TYPE(other)->tp_name);
  }
  if (ss_construct(ss_wrapper(self), ss_unbind(ss_wrapper(other))) != 0) return NULL;
  Py_RETURN_NONE;
}
