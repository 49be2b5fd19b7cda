// The module's functions for the types and the global functions that the runtime knows by name.
#include "module.h"

#include "convert/errors.h"
#include "convert/function.h"
#include "types/types.h"
#include "wrapper/classes.h"
#include "wrapper/fetch.h"

// The text of a str argument. 0, or -1 with an error set.
static int name_view(PyObject* name, const char* function, TVMFFIByteArray* view) {
  Py_ssize_t size;
  if (!PyUnicode_Check(name)) {
    PyErr_Format(PyExc_TypeError, "%s: expected the name as a str, got %.100s", function, Py_TYPE(name)->tp_name);
    return -1;
  }
  view->data = PyUnicode_AsUTF8AndSize(name, &size);
  view->size = (size_t)size;
  return view->data == NULL ? -1 : 0;
}

// The type index that an int argument is, -1 for a number that none can be. 0, or -1 with an error set.
static int type_index_of(PyObject* number, int32_t* index) {
  long n = PyLong_AsLong(number);
  *index = n < 0 || n > INT32_MAX ? -1 : (int32_t)n;
  return n == -1 && PyErr_Occurred() ? -1 : 0;
}

// ---- types ----

static PyObject* ss_registry_type_key_to_index(PyObject* module, PyObject* key) {
  (void)module;
  TVMFFIByteArray view;
  int32_t index = -1;
  if (name_view(key, "type_key", &view) != 0) return NULL;
  if (ss_api.TVMFFITypeKeyToIndex(&view, &index) == 0) return PyLong_FromLong(index);
  ss_forget_raised();
  Py_RETURN_NONE;
}

static PyObject* ss_registry_register_class(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  PyTypeObject* cls;
  if (!PyArg_ParseTuple(args, "iO!:register_class", &index, &PyType_Type, &cls)) return NULL;
  if (ss_api.SelfsameFindTypeInfo(index) == NULL) {
    return PyErr_Format(PyExc_ValueError, "register_class: no type has the index %d", index);
  }
  if (ss_class_register(index, cls) != 0 || ss_record_call_class(cls) != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* ss_registry_registered_class(PyObject* module, PyObject* number) {
  (void)module;
  int32_t index;
  if (type_index_of(number, &index) != 0) return NULL;
  PyObject* cls = (PyObject*)ss_class_registered(index);
  if (cls == NULL) cls = Py_None;
  return ss_new_ref(cls);
}

static PyObject* ss_registry_class_of(PyObject* module, PyObject* number) {
  (void)module;
  int32_t index;
  if (type_index_of(number, &index) != 0) return NULL;
  PyObject* cls = (PyObject*)ss_class_of(index);
  Py_XINCREF(cls);
  return cls;
}

static PyObject* ss_registry_set_class_maker(PyObject* module, PyObject* maker) {
  (void)module;
  ss_class_set_maker(maker);
  Py_RETURN_NONE;
}

static PyObject* ss_registry_type_info(PyObject* module, PyObject* number) {
  (void)module;
  int32_t index;
  return type_index_of(number, &index) != 0 ? NULL : ss_reflect_type(index);
}

static PyObject* ss_registry_type_attr(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  const char* name;
  if (!PyArg_ParseTuple(args, "is:type_attr", &index, &name)) return NULL;
  return ss_reflect_attr(index, name);
}

// For the attributes of classes that are static types: they cannot be assigned in Python.
static PyObject* ss_registry_set_static_attribute(PyObject* module, PyObject* args) {
  (void)module;
  PyTypeObject* cls;
  PyObject *name, *value;
  if (!PyArg_ParseTuple(args, "O!UO:set_static_attribute", &PyType_Type, &cls, &name, &value)) return NULL;
  if (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) return PyErr_Format(PyExc_TypeError, "%s: no static type", cls->tp_name);
  if (PyDict_SetItem(cls->tp_dict, name, value) != 0) return NULL;
  PyType_Modified(cls);
  Py_RETURN_NONE;
}

// CPython asks of each call of a method whether the object is of the class that has it, which takes as long as a short
// method unless it is exactly that class.
static PyObject* ss_registry_own_descriptors(PyObject* module, PyObject* argument) {
  (void)module;
  if (!PyType_Check(argument) || ((PyTypeObject*)argument)->tp_base == NULL) {
    return PyErr_Format(PyExc_TypeError, "own_descriptors: expected a derived class");
  }
  PyTypeObject* cls = (PyTypeObject*)argument;
  PyObject *name, *value, *names = PyObject_GetAttrString((PyObject*)cls->tp_base, "__dict__");
  PyObject* all = names == NULL ? NULL : PyDict_New();
  if (all != NULL && PyDict_Update(all, names) != 0) Py_CLEAR(all);
  Py_XDECREF(names);
  for (Py_ssize_t at = 0; all != NULL && PyDict_Next(all, &at, &name, &value);) {
    PyObject* own =
        Py_IS_TYPE(value, &PyMethodDescr_Type)   ? PyDescr_NewMethod(cls, ((PyMethodDescrObject*)value)->d_method)
        : Py_IS_TYPE(value, &PyGetSetDescr_Type) ? PyDescr_NewGetSet(cls, ((PyGetSetDescrObject*)value)->d_getset)
        : Py_IS_TYPE(value, &PyMemberDescr_Type) ? PyDescr_NewMember(cls, ((PyMemberDescrObject*)value)->d_member)
                                                 : NULL;
    if (own == NULL && !PyErr_Occurred()) continue;
    PyObject* defined = own == NULL ? NULL : PyObject_GetAttr(argument, name);
    if (own == NULL || defined == NULL || (defined == value && PyObject_SetAttr(argument, name, own) != 0)) {
      Py_CLEAR(all);
    }
    Py_XDECREF(defined);
    Py_XDECREF(own);
  }
  if (all == NULL) return NULL;
  Py_DECREF(all);
  Py_RETURN_NONE;
}

static PyObject* ss_registry_type_key_of(PyObject* module, PyObject* number) {
  (void)module;
  int32_t index;
  if (type_index_of(number, &index) != 0) return NULL;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  if (info == NULL) Py_RETURN_NONE;
  return ss_text(&info->type_key);
}

static PyObject* ss_registry_set_error_tables(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *kinds, *classes, *wrap, *combined;
  if (!PyArg_ParseTuple(args, "OOOO:set_error_tables", &kinds, &classes, &wrap, &combined)) return NULL;
  if (ss_errors_set_tables(kinds, classes, wrap, combined) != 0) return NULL;
  Py_RETURN_NONE;
}

// ---- functions ----

static PyObject* ss_registry_get_global(PyObject* module, PyObject* name) {
  (void)module;
  TVMFFIByteArray view;
  TVMFFIObjectHandle function = NULL;
  if (name_view(name, "get_global_func", &view) != 0) return NULL;
  if (ss_api.TVMFFIFunctionGetGlobal(&view, &function) != 0) return ss_raise_native_null();
  if (function == NULL) Py_RETURN_NONE;
  PyObject* made = ss_fetch(function);
  if (made != NULL) ss_function_lasts(made);
  return made;
}

static PyObject* ss_registry_set_global(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *name, *function;
  int override;
  TVMFFIByteArray view;
  if (!PyArg_ParseTuple(args, "OO!p:set_global_func", &name, &SsFunction_Type, &function, &override)) return NULL;
  if (name_view(name, "register_global_func", &view) != 0) return NULL;
  TVMFFIObject* handle = ss_pin_function(ss_wrapper(function));
  if (handle == NULL) return NULL;
  int rc = ss_api.TVMFFIFunctionSetGlobal(&view, handle, override);
  ss_unpin(ss_wrapper(function));
  if (rc != 0) return ss_raise_native_null();
  Py_RETURN_NONE;
}

static PyObject* ss_registry_global_name(PyObject* module, PyObject* function) {
  (void)module;
  if (!PyObject_TypeCheck(function, &SsFunction_Type)) {
    return PyErr_Format(PyExc_TypeError, "global_name: expected a Function, got %.100s", Py_TYPE(function)->tp_name);
  }
  TVMFFIObject* handle = ss_pin_function(ss_wrapper(function));
  if (handle == NULL) return NULL;
  const TVMFFIByteArray* name = ss_api.SelfsameGlobalName(handle);
  ss_unpin(ss_wrapper(function));
  if (name == NULL) Py_RETURN_NONE;
  return ss_text(name);
}

PyMethodDef ss_registry_functions[] = {
    {"type_key_to_index", ss_registry_type_key_to_index, METH_O, "The type index of a key, or None."},
    {"type_info", ss_registry_type_info, METH_O, "The reflection data of a type index as a dict, or None."},
    {"type_attr", ss_registry_type_attr, METH_VARARGS, "type_attr(type_index, name): a type attribute, or None."},
    {"set_static_attribute", ss_registry_set_static_attribute, METH_VARARGS,
     "set_static_attribute(cls, name, value): for classes that are static types, which Python cannot give attributes."},
    {"own_descriptors", ss_registry_own_descriptors, METH_O,
     "own_descriptors(cls): gives a class methods and properties of its own in place of those in C of its base."},
    {"type_key_of", ss_registry_type_key_of, METH_O, "The key of a type index, or None."},
    {"register_class", ss_registry_register_class, METH_VARARGS,
     "register_class(type_index, cls): the class is kept for the life of the process. ValueError: there is no such type."},
    {"registered_class", ss_registry_registered_class, METH_O, "The class registered for a type index, or None."},
    {"class_of", ss_registry_class_of, METH_O, "The class of a type index, made when none is registered."},
    {"set_class_maker", ss_registry_set_class_maker, METH_O, "Set the callable that makes a class for a type index."},
    {"set_error_tables", ss_registry_set_error_tables, METH_VARARGS,
     "set_error_tables(kind_to_class, class_to_kind, wrap, combined): keep both dicts, the function that makes an exception of the "
     "class of another one with another message, or None, and the one that makes the class of a kind that is several."},
    {"get_global_func", ss_registry_get_global, METH_O, "The global function of a name, or None."},
    {"set_global_func", ss_registry_set_global, METH_VARARGS,
     "set_global_func(name, function, override): the runtime takes a reference to the function."},
    {"global_name", ss_registry_global_name, METH_O, "The name under which a function is a global one, or None."},
    {NULL, NULL, 0, NULL}};
