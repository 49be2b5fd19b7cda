// Setting a reflected field, by its setter.
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "types/field_internal.h"

// Whether the object has the field; 0 with an error set.
static int has_field(SsField* field, PyObject* object) {
#if SS_FREE_THREADED
  if (!ss_is_wrapper(object)) return ss_field_native(field, object) != NULL;  // sets the error
  if (ss_pin(ss_wrapper(object)) == NULL) return ss_no_handle(object) != NULL;
  int has = ss_field_native(field, object) != NULL;
  ss_unpin(ss_wrapper(object));
  return has;
#else
  return ss_field_native(field, object) != NULL;
#endif
}

// Calls the setter, without releasing the GIL: the GIL is what keeps two threads from setting one field at a time, or
// reading it while it is set. A Function setter gets the field's address as an opaque pointer. 0, or -1 with an error
// set.
static int call_setter(SsField* field, char* address, TVMFFIAny* view) {
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    return setter(address, view) == 0 ? 0 : ss_raise_native();
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *view};
  TVMFFIAny result;
  if (ss_invoke(field->setter, 0, args, 2, &result) != 0) return -1;
  ss_any_clear(&result);
  return 0;
}

// Puts the field's name in front of the error that is set, unless the message names the field already.
static void name_field_in_error(const SsField* field) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* name = PyUnicode_FromFormat("%U.%U", field->owner_key, field->name);
  PyObject* text = name == NULL || value == NULL ? NULL : PyObject_Str(value);
  int named = text != NULL && PyUnicode_Contains(text, name) == 1;
  Py_XDECREF(name);
  Py_XDECREF(text);
  PyErr_Restore(type, value, traceback);
  if (!named) ss_prefix_error("%U.%U: ", field->owner_key, field->name);
}

// Sets the field; with `frozen_too`, also one that is read-only in Python. 0, or -1 with an error set.
static int set(SsField* field, PyObject* object, PyObject* value, int frozen_too) {
  if (!has_field(field, object)) return -1;
  if ((!(field->flags & kTVMFFIFieldFlagBitMaskWritable) && !frozen_too) || field->setter == NULL) {
    PyErr_Format(PyExc_AttributeError, "%U.%U: the field is read-only", field->owner_key, field->name);
    return -1;
  }
  if (value == NULL) {
    PyErr_Format(PyExc_AttributeError, "%U.%U: the field cannot be deleted", field->owner_key, field->name);
    return -1;
  }
  SsTemp item;
  SsTemps temps = {&item, 0, 0};
  TVMFFIAny view;
  int rc = ss_to_view(value, &view, &temps);
  if (rc == 0) {
    TVMFFIObject* native = ss_pin(ss_wrapper(object));  // after the conversion, which may have run Python code
    rc = -1;
    if (native != NULL) {
      SS_BEGIN_CRITICAL_SECTION(object);
      rc = call_setter(field, (char*)native + field->offset, &view);
      SS_END_CRITICAL_SECTION();
      ss_unpin(ss_wrapper(object));
    } else {
      ss_no_handle(object);
    }
    ss_views_done(&temps, &value, 1);
  }
  if (rc != 0) name_field_in_error(field);
  return rc;
}

int ss_field_set(PyObject* self, PyObject* object, PyObject* value) { return set((SsField*)self, object, value, 0); }

int ss_field_restore(PyObject* field, PyObject* object, PyObject* value) {
  return set((SsField*)field, object, value, 1);
}
