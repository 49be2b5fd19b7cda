// Setting a reflected field, by its setter.
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "types/field_internal.h"
#include "types/field_store.h"
#include "types/types.h"
#include "wrapper/tp_slots.h"

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
static inline __attribute__((always_inline)) int call_setter(SsField* field, char* address, TVMFFIAny* view) {
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    // An object that only the field owns dies outside of the setter, which would release a long chain by recursion.
    TVMFFIAny old = {.type_index = kTVMFFINone};
    if (field->access.if_plain >= SS_PLAIN_OBJECT) old = ss_field_storage_value(field->access.if_plain, address);
    int is_last = old.type_index >= kTVMFFIStaticObjectEnd && old.v_obj->combined_ref_count == SS_BOTH_ONE;
    if (SS_UNLIKELY(is_last)) ss_incref(old.v_obj);
    int rc = setter(address, view);
    if (SS_UNLIKELY(is_last)) ss_let_go(&old);
    return rc == 0 ? 0 : ss_raise_native();
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *view};
  TVMFFIAny result;
  if (ss_invoke(field->setter, 0, args, 2, &result) != 0) return -1;
  ss_any_clear(&result);
  return 0;
}

// Puts the field's name in front of the error that is set, unless the message names the field already. A setter's
// message about a wrong type is translated into the words of Python.
static void name_field_in_error(const SsField* field) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* name = PyUnicode_FromFormat("%U.%U", field->owner_key, field->name);
  PyObject* text = name == NULL || value == NULL ? NULL : PyObject_Str(value);
  int named = text != NULL && PyUnicode_Contains(text, name) == 1;
  if (named && PyErr_GivenExceptionMatches(type, PyExc_TypeError)) {
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject* made = ss_field_error_in_words(text, name);
    PyObject* args = made == NULL || made == Py_None ? NULL : PyTuple_Pack(1, made);
    if (args != NULL) PyObject_SetAttrString(value, "args", args);
    PyErr_Clear();  // the message stays as it is where there is no memory for another
    Py_XDECREF(made);
    Py_XDECREF(args);
  }
  Py_XDECREF(name);
  Py_XDECREF(text);
  PyErr_Restore(type, value, traceback);
  if (!named) ss_prefix_error("%U.%U: ", field->owner_key, field->name);
}

int ss_field_set_native(SsField* field, char* address, PyObject* value) {
  if (field->setter == NULL) {
    PyErr_Format(PyExc_AttributeError, "%U.%U: the field is read-only", field->owner_key, field->name);
    return -1;
  }
  SsTemp item;
  SsTemps temps = {.items = &item};
  TVMFFIAny view;
  if (ss_to_view(value, &view, &temps) != 0) return -1;
  int rc = call_setter(field, address, &view);
  ss_views_done(&temps, &value, 1);
  return rc;
}

// A field declared in Python: the schema converts the value, and it is stored without a call.
static __attribute__((noinline)) int set_by_schema(SsField* field, PyObject* object, PyObject* value) {
  TVMFFIAny owned;
  if (ss_schema_to_owned(field->schema, value, &owned) != 0) return -1;
  TVMFFIObject* native = ss_pin(ss_wrapper(object));  // after the conversion, which may have run Python code
  if (native == NULL) {
    ss_any_clear(&owned);
    ss_no_handle(object);
    return -1;
  }
  TVMFFIAny old;
  SS_BEGIN_CRITICAL_SECTION(object);
  old = ss_field_store(field->storage_index, (char*)native + field->offset, &owned);
  SS_END_CRITICAL_SECTION();
  ss_unpin(ss_wrapper(object));
  ss_let_go(&old);
  return 0;
}

// A field of a native class whose values a schema converts before its setter gets them.
static int set_converted(SsField* field, PyObject* object, PyObject* value) {
  TVMFFIAny owned;
  if (ss_schema_to_owned(field->schema, value, &owned) != 0) return -1;
  TVMFFIObject* native = ss_pin(ss_wrapper(object));  // after the conversion, which may have run Python code
  int rc = -1;
  if (native == NULL) {
    ss_no_handle(object);
  } else {
    SS_BEGIN_CRITICAL_SECTION(object);
    rc = call_setter(field, (char*)native + field->offset, &owned);
    SS_END_CRITICAL_SECTION();
    ss_unpin(ss_wrapper(object));
  }
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  ss_any_clear(&owned);
  PyErr_Restore(type, error, traceback);
  return rc;
}

static int set(SsField* field, PyObject* object, PyObject* value, int frozen_too);

// Sets a field that refused a memoryview as such to its bytes. The refusal is set; it stays when the bytes are refused
// too.
static __attribute__((noinline)) int set_copied(SsField* field, PyObject* object, PyObject* memory, int frozen_too) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* copy = PyBytes_FromObject(memory);
  int rc = copy == NULL ? -1 : set(field, object, copy, frozen_too);
  Py_XDECREF(copy);
  if (rc != 0) {
    PyErr_Restore(type, value, traceback);  // replaces the error of the second attempt
  } else {
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
  }
  return rc;
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
  if (field->schema != NULL) {
    int is_plain = (field->flags & SELFSAME_FIELD_PLAIN) != 0;
    int stored = is_plain ? set_by_schema(field, object, value) : set_converted(field, object, value);
    if (stored != 0) name_field_in_error(field);
    return stored;
  }
  SsTemp item;
  SsTemps temps = {.items = &item};
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
  if (SS_UNLIKELY(rc != 0) && PyMemoryView_Check(value) && PyErr_ExceptionMatches(PyExc_TypeError)) {
    return set_copied(field, object, value, frozen_too);
  }
  return rc;
}

int ss_field_set(PyObject* self, PyObject* object, PyObject* value) { return set((SsField*)self, object, value, 0); }

int ss_field_restore(PyObject* field, PyObject* object, PyObject* value) {
  return set((SsField*)field, object, value, 1);
}
