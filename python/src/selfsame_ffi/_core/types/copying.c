// Copies and pickles. CObject's methods for them call Python functions (selfsame_ffi/_copying/methods.py), which call the
// module functions here to make native objects.
#include "types/copying.h"
#include "types/field_internal.h"
#include "types/types.h"

#include "wrapper/classes.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/to_python.h"
#include "wrapper/fetch.h"

static PyObject* reduce;    // (obj, protocol, own, stateful)
static PyObject* copy;      // (obj)
static PyObject* deepcopy;  // (obj, memo)
static PyObject* atoms;     // the classes of values that have a native form
// A list, by type index, of what reduces objects: a function of (obj, protocol, stateful), or a tuple (function, class, make,
// key): objects of the class without a state are reduced to make(key, None, items). None for what was not reduced yet.
static PyObject* reducers;

static PyObject* ss_copying_set(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *new_reduce, *new_copy, *new_deepcopy, *new_atoms, *new_reducers;
  if (!PyArg_ParseTuple(args, "OOOO!O!:set_copying", &new_reduce, &new_copy, &new_deepcopy, &PyFrozenSet_Type,
                        &new_atoms, &PyList_Type, &new_reducers)) {
    return NULL;
  }
  Py_INCREF(new_reduce);
  Py_XSETREF(reduce, new_reduce);
  Py_INCREF(new_copy);
  Py_XSETREF(copy, new_copy);
  Py_INCREF(new_deepcopy);
  Py_XSETREF(deepcopy, new_deepcopy);
  Py_INCREF(new_atoms);
  Py_XSETREF(atoms, new_atoms);
  Py_INCREF(new_reducers);
  Py_XSETREF(reducers, new_reducers);
  Py_RETURN_NONE;
}

static PyObject* call_hook(PyObject* hook, PyObject* self, PyObject* argument) {
  if (hook == NULL) {
    PyErr_SetString(PyExc_RuntimeError, "CObject: objects cannot be copied before selfsame_ffi is imported completely");
    return NULL;
  }
  Py_INCREF(hook);
  PyObject* result = PyObject_CallFunctionObjArgs(hook, self, argument, NULL);
  Py_DECREF(hook);
  return result;
}

static PyObject* not_a_wrapper(const char* function, PyObject* object) {
  return PyErr_Format(PyExc_TypeError, "%s: expected a CObject, got %.100s", function, Py_TYPE(object)->tp_name);
}

static PyObject* copying_may_have_state(PyObject* module, PyObject* object) {
  (void)module;
  if (!ss_is_wrapper(object)) return not_a_wrapper("may_have_state", object);
  return PyBool_FromLong(ss_copying_may_have_state(object));
}

// Puts a value that was read from a native object into a form that another one stores unchanged: a value without a native
// form came from an opaque object, and gets one again. Takes over `value`, which may be NULL. New reference, NULL with an
// error set.
static PyObject* storable(PyObject* value) {
  if (value == NULL || PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyFloat_CheckExact(value) ||
      value == Py_None || ss_is_wrapper(value)) {
    return value;
  }
  int is_atom = atoms == NULL ? 0 : PySet_Contains(atoms, (PyObject*)Py_TYPE(value));
  if (is_atom > 0) return value;
  TVMFFIObject* object = is_atom < 0 ? NULL : ss_opaque_new(value);
  Py_DECREF(value);
  return object == NULL ? NULL : ss_fetch(object);
}

static PyObject* ss_copying_items(PyObject* module, PyObject* container) {
  (void)module;
  PyObject* items = PySequence_List(container);
  for (Py_ssize_t i = 0; items != NULL && i < PyList_GET_SIZE(items); i++) {
    PyObject* item = PyList_GET_ITEM(items, i);
    Py_INCREF(item);
    item = storable(item);
    if (item == NULL || PyList_SetItem(items, i, item) != 0) Py_CLEAR(items);
  }
  return items;
}

// What reduces objects of a type. New reference; NULL without an error when it is unknown.
static PyObject* reducer_of(Py_ssize_t index) {
  PyObject* found = NULL;
  SS_BEGIN_CRITICAL_SECTION(reducers);
  if (index < PyList_GET_SIZE(reducers)) found = ss_new_ref(PyList_GET_ITEM(reducers, index));
  SS_END_CRITICAL_SECTION();
  if (found == Py_None) Py_CLEAR(found);
  return found;
}

static PyObject* reduced_by(PyObject* reducer, PyObject* self, int32_t index, PyObject* protocol, int stateful) {
  if (PyTuple_CheckExact(reducer) && PyTuple_GET_SIZE(reducer) == 4) {
    PyObject* cls = (PyObject*)Py_TYPE(self);
    if (!stateful && cls == PyTuple_GET_ITEM(reducer, 1) && cls == (PyObject*)ss_class_of(index)) {
      PyObject* items = ss_copying_items(NULL, self);
      if (items == NULL) return NULL;
      PyObject* arguments = PyTuple_Pack(3, PyTuple_GET_ITEM(reducer, 3), Py_None, items);
      PyObject* result = arguments == NULL ? NULL : PyTuple_Pack(2, PyTuple_GET_ITEM(reducer, 2), arguments);
      Py_XDECREF(arguments);
      Py_DECREF(items);
      return result;
    }
    reducer = PyTuple_GET_ITEM(reducer, 0);
  }
  PyObject* arguments[] = {self, protocol, stateful ? Py_True : Py_False};
  return PyObject_Vectorcall(reducer, arguments, 3, NULL);
}

// The hook's last arguments spare it look-ups.
PyObject* ss_copying_reduce_ex(PyObject* self, PyObject* protocol) {
  int own = ss_copying_is_reduced_by_class(Py_TYPE(self)), stateful = ss_copying_may_have_state(self);
  if (reduce == NULL) return call_hook(reduce, self, protocol);
  TVMFFIObject* native = own ? NULL : ss_pin(ss_wrapper(self));
  int32_t index = native == NULL ? -1 : native->type_index;
  if (native != NULL) ss_unpin(ss_wrapper(self));
  PyObject* reducer = index < 0 ? NULL : reducer_of(index);
  if (reducer != NULL) {
    PyObject* result = reduced_by(reducer, self, index, protocol, stateful);
    Py_DECREF(reducer);
    return result;
  }
  Py_INCREF(reduce);
  PyObject* hook = reduce;
  PyObject* arguments[] = {self, protocol, own ? Py_True : Py_False, stateful ? Py_True : Py_False};
  PyObject* result = PyObject_Vectorcall(hook, arguments, 4, NULL);
  Py_DECREF(hook);
  return result;
}

PyObject* ss_copying_reduce(PyObject* self, PyObject* unused) {
  (void)unused;
  PyObject* protocol = PyLong_FromLong(2);
  if (protocol == NULL) return NULL;
  PyObject* result = ss_copying_reduce_ex(self, protocol);
  Py_DECREF(protocol);
  return result;
}

PyObject* ss_copying_deepcopy(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count > 1)
    return PyErr_Format(PyExc_TypeError, "%.100s.__deepcopy__: expected at most 1 argument, got %zd",
                        Py_TYPE(self)->tp_name, count);
  PyObject* memo = count == 1 && args[0] != Py_None ? args[0] : NULL;
  if (memo != NULL && !PyDict_CheckExact(memo)) return call_hook(deepcopy, self, memo);
  PyObject* copied = ss_copying_natively(self, memo);
  if (copied != Py_None) return copied;
  Py_DECREF(copied);
  if (memo != NULL) return call_hook(deepcopy, self, memo);
  memo = PyDict_New();
  copied = memo == NULL ? NULL : call_hook(deepcopy, self, memo);
  Py_XDECREF(memo);
  return copied;
}

static PyObject* ss_copying_native_type(PyObject* module, PyObject* object) {
  (void)module;
  if (!ss_is_wrapper(object)) return not_a_wrapper("native_type", object);
  TVMFFIObject* native = ss_pin(ss_wrapper(object));
  if (native == NULL) return ss_no_handle(object);
  int32_t index = native->type_index;
  ss_unpin(ss_wrapper(object));
  return PyLong_FromLong(index);
}

static PyObject* ss_copying_fields(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *object, *fields, *name, *field;
  if (!PyArg_ParseTuple(args, "OO!:storable_fields", &object, &PyDict_Type, &fields)) return NULL;
  PyObject* values = PyDict_New();
  for (Py_ssize_t at = 0; values != NULL && PyDict_Next(fields, &at, &name, &field);) {
    if (!Py_IS_TYPE(field, &SsField_Type)) {
      PyErr_Format(PyExc_TypeError, "storable_fields: expected a Field, got %.100s", Py_TYPE(field)->tp_name);
      Py_CLEAR(values);
      break;
    }
    PyObject* value = storable(ss_field_get(field, object, NULL));
    if (value == NULL || PyDict_SetItem(values, name, value) != 0) Py_CLEAR(values);
    Py_XDECREF(value);
  }
  return values;
}

// The Function registered as a type attribute. Borrowed from the type table; NULL when there is none.
static TVMFFIObject* type_function(int32_t index, const char* name) {
  TVMFFIByteArray key = ss_bytes(name);
  const TVMFFITypeAttrColumn* column = ss_api.TVMFFIGetTypeAttrColumn(&key);
  int64_t i = column == NULL ? -1 : (int64_t)index - column->begin_index;
  if (i < 0 || i >= column->size || column->data[i].type_index != kTVMFFIFunction) return NULL;
  return column->data[i].v_obj;
}

static PyObject* ss_copying_has_type_function(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  const char* name;
  if (!PyArg_ParseTuple(args, "is:has_type_function", &index, &name)) return NULL;
  return PyBool_FromLong(type_function(index, name) != NULL);
}

static TVMFFIObjectCreator creator_of(int32_t index) {
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  return info == NULL || info->metadata == NULL ? NULL : info->metadata->creator;
}

static PyObject* ss_copying_can_make_blank(PyObject* module, PyObject* index) {
  (void)module;
  long number = PyLong_AsLong(index);
  if (number == -1 && PyErr_Occurred()) return NULL;
  if (number < 0 || number > INT32_MAX) Py_RETURN_FALSE;
  return PyBool_FromLong(creator_of((int32_t)number) != NULL || type_function((int32_t)number, "__ffi_new__") != NULL);
}

// Checks that a function of the type table returned an object of the type; `name` is that function's. Takes over
// `result`. New reference, NULL with TypeError set.
static TVMFFIObject* made_object(TVMFFIAny* result, int32_t index, const char* name) {
  if (result->type_index == index && result->v_obj != NULL) return result->v_obj;
  PyErr_Format(PyExc_TypeError, "%s: expected an object of type index %d, got a value of type index %d", name,
               (int)index, (int)result->type_index);
  ss_any_clear(result);
  return NULL;
}

// A native object with default fields. New reference, NULL with an error set.
static TVMFFIObject* make_blank(int32_t index) {
  TVMFFIObjectCreator creator = creator_of(index);
  if (creator != NULL) {
    TVMFFIObjectHandle object = NULL;
    if (creator(&object) != 0) return ss_raise_native_null();
    TVMFFIAny made = {.type_index = object == NULL ? kTVMFFINone : ((TVMFFIObject*)object)->type_index,
                      .v_obj = object};
    return made_object(&made, index, "the creator");
  }
  TVMFFIObject* maker = type_function(index, "__ffi_new__");
  if (maker == NULL) {
    PyErr_Format(PyExc_TypeError, "blank: objects of type index %d cannot be made without their constructor",
                 (int)index);
    return NULL;
  }
  TVMFFIAny made;
  if (ss_invoke(maker, 0, NULL, 0, &made) != 0) return NULL;
  return made_object(&made, index, "__ffi_new__");
}

// A new wrapper of the class for a native object that has none. Takes over the caller's reference to `object`, which is
// the only one. New reference, NULL with an error set.
static PyObject* wrap_in(PyTypeObject* cls, TVMFFIObject* object) {
  PyObject* wrapper = ss_class_new_wrapper(cls);
  if (wrapper == NULL) {
    ss_decref(object);
    return NULL;
  }
  if (ss_construct(ss_wrapper(wrapper), object) != 0) Py_CLEAR(wrapper);
  return wrapper;
}

static PyObject* ss_copying_blank(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  PyTypeObject* cls;
  if (!PyArg_ParseTuple(args, "iO!:blank", &index, &PyType_Type, &cls)) return NULL;
  if (ss_class_check("blank", cls, index) != 0) return NULL;
  TVMFFIObject* object = make_blank(index);
  return object == NULL ? NULL : wrap_in(cls, object);
}

// The copy of a wrapper's native object, pinned, by the type's own function; None when it has none. Unpins the object.
static PyObject* clone_pinned(PyObject* object, TVMFFIObject* native) {
  int32_t index = native->type_index;
  TVMFFIObject* copier = type_function(index, "__ffi_shallow_copy__");
  if (copier == NULL) {
    ss_unpin(ss_wrapper(object));
    Py_RETURN_NONE;
  }
  TVMFFIAny view = {.type_index = index, .v_obj = native};
  TVMFFIAny made;
  int rc;
  SS_BEGIN_CRITICAL_SECTION(object);  // no other thread sets a field while it is being copied
  rc = ss_invoke(copier, 0, &view, 1, &made);
  SS_END_CRITICAL_SECTION();
  ss_unpin(ss_wrapper(object));
  if (rc != 0) return NULL;
  TVMFFIObject* copied = made_object(&made, index, "__ffi_shallow_copy__");
  if (copied == NULL) return NULL;
  if (copied != native) return wrap_in(Py_TYPE(object), copied);
  return ss_fetch(copied);  // objects of this type are their own copies
}

static PyObject* ss_copying_clone(PyObject* module, PyObject* object) {
  (void)module;
  if (!ss_is_wrapper(object)) return not_a_wrapper("clone", object);
  TVMFFIObject* native = ss_pin(ss_wrapper(object));
  return native == NULL ? (PyObject*)ss_no_handle(object) : clone_pinned(object, native);
}

PyObject* ss_copying_copy(PyObject* self, PyObject* unused) {
  (void)unused;
  static PyObject* name_reduce_ex;
  PyTypeObject* cls = Py_TYPE(self);
  TVMFFIObject* native = ss_pin(ss_wrapper(self));
  if (native == NULL) return ss_no_handle(self);
  if (ss_copying_is_cloned(native->type_index) && !ss_copying_has_state(self) && !ss_copying_is_reduced_by_class(cls) &&
      !ss_copying_has_other(cls, &SsObject_Type, "__reduce_ex__", &name_reduce_ex)) {
    return clone_pinned(self, native);
  }
  ss_unpin(ss_wrapper(self));
  return call_hook(copy, self, NULL);
}

static PyObject* ss_copying_rewrap(PyObject* module, PyObject* args) {
  (void)module;
  PyTypeObject* cls;
  PyObject* object;
  if (!PyArg_ParseTuple(args, "O!O!:rewrap", &PyType_Type, &cls, &SsObject_Type, &object)) return NULL;
  SsWrapper* wrapper = ss_wrapper(object);
  TVMFFIObject* handle = ss_pin(wrapper);
  if (handle == NULL) return ss_no_handle(object);
  PyObject* other = ss_class_check("rewrap", cls, handle->type_index) == 0 ? ss_class_new_wrapper(cls) : NULL;
  if (other == NULL) {
    ss_unpin(wrapper);
  } else if (ss_strong(handle) != ss_owned(wrapper) || !ss_claim(wrapper)) {
    ss_unpin(wrapper);
    PyErr_Format(PyExc_ValueError, "rewrap: this %.100s object has other owners", Py_TYPE(object)->tp_name);
    Py_CLEAR(other);
  } else if (ss_construct(ss_wrapper(other), ss_unbind(wrapper)) != 0) {
    Py_CLEAR(other);
  }
  return other;
}

static PyObject* ss_copying_restore_field(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *field, *object, *value;
  if (!PyArg_ParseTuple(args, "O!OO:restore_field", &SsField_Type, &field, &object, &value)) return NULL;
  if (ss_field_restore(field, object, value) != 0) return NULL;
  Py_RETURN_NONE;
}

PyMethodDef ss_copying_functions[] = {
    {"set_copying", ss_copying_set, METH_VARARGS,
     "set_copying(reduce, copy, deepcopy, atoms, reducers): what CObject's methods call, the classes of values with a native "
     "form, and a list, by type index, of what reduces objects without asking their class."},
    {"native_type", ss_copying_native_type, METH_O,
     "The type index of a wrapper's native object. An error when it has none."},
    {"storable_items", ss_copying_items, METH_O,
     "A list of a container's items. One without a native form came from an opaque object, and gets a new one."},
    {"storable_fields", ss_copying_fields, METH_VARARGS,
     "storable_fields(obj, {name: field}): the fields' values by name, as storable_items."},
    {"note_cloned", ss_copying_note_cloned, METH_VARARGS,
     "note_cloned(type_index, deeply): notes that objects of the type, which has __ffi_shallow_copy__, are copied by that "
     "alone, and deeply by their fields."},
    {"may_have_state", copying_may_have_state, METH_O, "False for a wrapper that can have no state of Python's own."},
    {"has_type_function", ss_copying_has_type_function, METH_VARARGS,
     "has_type_function(type_index, name): whether a type attribute is a function; makes no wrapper for it."},
    {"can_make_blank", ss_copying_can_make_blank, METH_O,
     "Whether objects of a type index can be made without arguments."},
    {"blank", ss_copying_blank, METH_VARARGS, "blank(type_index, cls): an object of the class with default fields."},
    {"clone", ss_copying_clone, METH_O,
     "A shallow copy of the same class, by the type's own function; None when it has none."},
    {"rewrap", ss_copying_rewrap, METH_VARARGS,
     "rewrap(cls, obj): a wrapper of the class that takes obj's native object over and is its only owner."},
    {"restore_field", ss_copying_restore_field, METH_VARARGS,
     "restore_field(field, obj, value): sets a field, even a read-only one."},
    {NULL, NULL, 0, NULL}};
