// Methods, static methods and constructors of reflected types: a native Function with a name, and in the case of a
// constructor the object it fills.
#include "types/method.h"

#include <structmember.h>

#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/function.h"
#include "wrapper/fetch.h"
#include "convert/to_python.h"

typedef struct {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;  // a Function wrapper
  PyObject* name;
  PyObject* type_key;
  PyObject* doc;  // str or None
  PyObject* metadata;
  PyObject* arg_names;  // tuple of str, or None: no keyword arguments
  PyObject* keywords;   // sentinel before keyword arguments, or None
  int32_t type_index;   // Constructor: what it makes
} Method;

// ---- keyword arguments ----

// The arguments in one row. `leading` of them are in front of the named ones (the object itself).
typedef struct {
  PyObject* const* args;
  Py_ssize_t count;
  PyObject** made;  // the row, when one had to be made; its items are borrowed
} Row;

static int row_from_names(Method* method, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                          Py_ssize_t leading, Row* row) {
  Py_ssize_t names = PyTuple_GET_SIZE(method->arg_names);
  row->made = PyMem_Calloc((size_t)(leading + names) + 1, sizeof(PyObject*));
  if (row->made == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  if (count > leading + names) {
    PyErr_Format(PyExc_TypeError, "%U.%U() takes %zd arguments, got %zd", method->type_key, method->name, names,
                 count - leading);
    return -1;
  }
  if (count > 0) memcpy(row->made, args, (size_t)count * sizeof(PyObject*));
  Py_ssize_t last = count;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++) {
    PyObject* keyword = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = PySequence_Index(method->arg_names, keyword);
    if (i < 0) {
      PyErr_Format(PyExc_TypeError, "%U.%U() got an unexpected keyword argument '%U'", method->type_key, method->name,
                   keyword);
      return -1;
    }
    if (row->made[leading + i] != NULL) {
      PyErr_Format(PyExc_TypeError, "%U.%U() got multiple values for argument '%U'", method->type_key, method->name,
                   keyword);
      return -1;
    }
    row->made[leading + i] = args[count + k];
    if (leading + i + 1 > last) last = leading + i + 1;
  }
  for (Py_ssize_t i = 0; i < last; i++) {
    if (row->made[i] == NULL) {
      PyErr_Format(PyExc_TypeError, "%U.%U() is missing argument '%U'", method->type_key, method->name,
                   PyTuple_GET_ITEM(method->arg_names, i - leading));
      return -1;
    }
  }
  row->args = row->made;
  row->count = last;
  return 0;
}

// Positional arguments, the sentinel, then names and values in turn.
static int row_with_sentinel(Method* method, PyObject* const* args, Py_ssize_t count, PyObject* kwnames, Row* row) {
  Py_ssize_t keywords = PyTuple_GET_SIZE(kwnames);
  row->made = PyMem_Malloc((size_t)(count + 1 + 2 * keywords) * sizeof(PyObject*));
  if (row->made == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  if (count > 0) memcpy(row->made, args, (size_t)count * sizeof(PyObject*));
  row->made[count] = method->keywords;
  for (Py_ssize_t k = 0; k < keywords; k++) {
    row->made[count + 1 + 2 * k] = PyTuple_GET_ITEM(kwnames, k);
    row->made[count + 2 + 2 * k] = args[count + k];
  }
  row->args = row->made;
  row->count = count + 1 + 2 * keywords;
  return 0;
}

static int row_make(Method* method, PyObject* const* args, Py_ssize_t count, PyObject* kwnames, Py_ssize_t leading,
                    Row* row) {
  *row = (Row){args, count, NULL};
  if (SS_LIKELY(kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0)) return 0;
  int rc;
  if (method->keywords != Py_None) {
    rc = row_with_sentinel(method, args, count, kwnames, row);
  } else if (method->arg_names != Py_None) {
    rc = row_from_names(method, args, count, kwnames, leading, row);
  } else {
    PyErr_Format(PyExc_TypeError, "%U.%U() takes no keyword arguments", method->type_key, method->name);
    rc = -1;
  }
  if (rc != 0) PyMem_Free(row->made);
  return rc;
}

// ---- calls ----

static PyObject* call(Method* method, PyObject* const* args, Py_ssize_t count, PyObject* kwnames, Py_ssize_t leading) {
  Row row;
  if (row_make(method, args, count, kwnames, leading, &row) != 0) return NULL;
  PyObject* result = ss_call(ss_wrapper(method->function), row.args, row.count);
  if (SS_UNLIKELY(row.made != NULL)) PyMem_Free(row.made);
  return result;
}

static PyObject* method_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Method* method = (Method*)self;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (SS_UNLIKELY(count < 1 || !ss_is_wrapper(args[0]))) {
    PyErr_Format(PyExc_TypeError, "%U.%U() needs a '%U' object as its first argument", method->type_key, method->name,
                 method->type_key);
    return NULL;
  }
  return call(method, args, count, kwnames, 1);
}

static PyObject* static_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  return call((Method*)self, args, PyVectorcall_NARGS(nargsf), kwnames, 0);
}

// __init__(self, ...): makes the native object and gives it to self.
static PyObject* constructor_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Method* method = (Method*)self;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (count < 1 || !ss_is_wrapper(args[0])) {
    PyErr_Format(PyExc_TypeError, "%U.__init__() needs a '%U' object as its first argument", method->type_key,
                 method->type_key);
    return NULL;
  }
  PyObject* object = args[0];
  if (ss_wrapper(object)->handle != NULL) {
    PyErr_Format(PyExc_TypeError, "%U.__init__(): the object is initialised already", method->type_key);
    return NULL;
  }
  if (ss_class_index(Py_TYPE(object)) != method->type_index) {
    PyErr_Format(PyExc_TypeError, "%U.__init__() cannot make the native object of a '%.100s'", method->type_key,
                 Py_TYPE(object)->tp_name);
    return NULL;
  }
  SsWrapper* function = ss_wrapper(method->function);
  Row row;
  if (row_make(method, args + 1, count - 1, kwnames, 0, &row) != 0) return NULL;
  TVMFFIAny result;
  TVMFFIObject* handle = ss_pin_function(function);
  int rc = -1;
  if (handle != NULL) {
    rc = ss_call_raw(handle, ss_releases_gil(function), row.args, row.count, &result);
    ss_unpin(function);
  }
  PyMem_Free(row.made);
  if (rc != 0) return NULL;
  if (result.type_index < kTVMFFIStaticObjectBegin || !ss_type_derives(result.type_index, method->type_index)) {
    PyErr_Format(PyExc_TypeError, "the constructor of '%U' returned another kind of value (type index %d)",
                 method->type_key, (int)result.type_index);
    ss_any_clear(&result);
    return NULL;
  }
  if (ss_adopt(ss_wrapper(object), result.v_obj) != 0) return NULL;
  Py_RETURN_NONE;
}

// ---- the types ----

static PyObject* method_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"function",  "name",       "type_key", "doc", "metadata",
                          "arg_names", "type_index", "keywords", NULL};
  PyObject *function, *name, *type_key, *doc = Py_None, *metadata = NULL, *arg_names = Py_None, *keywords = Py_None;
  int type_index = -1;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!UU|OUOiO", names, &SsFunction_Type, &function, &name, &type_key,
                                   &doc, &metadata, &arg_names, &type_index, &keywords)) {
    return NULL;
  }
  if (arg_names != Py_None && !PyTuple_Check(arg_names)) {
    PyErr_Format(PyExc_TypeError, "arg_names: expected a tuple or None, got %.100s", Py_TYPE(arg_names)->tp_name);
    return NULL;
  }
  Method* method = (Method*)type->tp_alloc(type, 0);
  if (method == NULL) return NULL;
  method->vectorcall = type == &SsMethod_Type         ? method_vectorcall
                       : type == &SsStaticMethod_Type ? static_vectorcall
                                                      : constructor_vectorcall;
  method->metadata = metadata == NULL ? PyUnicode_FromString("") : (Py_INCREF(metadata), metadata);
  Py_INCREF(function);
  method->function = function;
  Py_INCREF(name);
  method->name = name;
  Py_INCREF(type_key);
  method->type_key = type_key;
  Py_INCREF(doc);
  method->doc = doc;
  Py_INCREF(arg_names);
  method->arg_names = arg_names;
  Py_INCREF(keywords);
  method->keywords = keywords;
  method->type_index = type_index;
  if (method->metadata == NULL) Py_CLEAR(method);
  return (PyObject*)method;
}

static int method_traverse(PyObject* self, visitproc visit, void* arg) {
  Method* method = (Method*)self;
  Py_VISIT(method->function);
  Py_VISIT(method->keywords);
  return 0;
}

static void method_dealloc(PyObject* self) {
  Method* method = (Method*)self;
  PyObject_GC_UnTrack(self);
  Py_XDECREF(method->function);
  Py_XDECREF(method->name);
  Py_XDECREF(method->type_key);
  Py_XDECREF(method->doc);
  Py_XDECREF(method->metadata);
  Py_XDECREF(method->arg_names);
  Py_XDECREF(method->keywords);
  Py_TYPE(self)->tp_free(self);
}

static PyObject* method_bind(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  if (object == NULL) {
    Py_INCREF(self);
    return self;
  }
  return PyMethod_New(self, object);
}

// A static method is itself on every object. It is a descriptor all the same: that is how inspect and help know
// routines.
static PyObject* static_bind(PyObject* self, PyObject* object, PyObject* type) {
  (void)object;
  (void)type;
  Py_INCREF(self);
  return self;
}

static PyObject* method_repr(PyObject* self) {
  Method* method = (Method*)self;
  return PyUnicode_FromFormat("<native %s '%U' of '%U'>",
                              Py_TYPE(self) == &SsStaticMethod_Type ? "static method" : "method", method->name,
                              method->type_key);
}

static PyObject* get_qualname(PyObject* self, void* closure) {
  (void)closure;
  Method* method = (Method*)self;
  return PyUnicode_FromFormat("%U.%U", method->type_key, method->name);
}

static PyObject* get_signature(PyObject* self, void* closure) {
  (void)closure;
  Method* method = (Method*)self;
  if (method->arg_names == Py_None) {
    return PyUnicode_FromString(Py_TYPE(self) == &SsStaticMethod_Type ? "(*args)" : "($self, /, *args)");
  }
  PyObject* comma = PyUnicode_FromString(", ");
  PyObject* list = comma == NULL ? NULL : PyUnicode_Join(comma, method->arg_names);
  PyObject* text = NULL;
  if (list != NULL) {
    int has_self = Py_TYPE(self) != &SsStaticMethod_Type;
    const char* between = has_self && PyUnicode_GET_LENGTH(list) > 0 ? ", " : "";
    text = PyUnicode_FromFormat("(%s%s%U)", has_self ? "$self" : "", between, list);
  }
  Py_XDECREF(comma);
  Py_XDECREF(list);
  return text;
}

static PyMemberDef members[] = {
    {"__name__", T_OBJECT, offsetof(Method, name), READONLY, NULL},
    {"__doc__", T_OBJECT, offsetof(Method, doc), READONLY, NULL},
    {"function", T_OBJECT, offsetof(Method, function), READONLY, "The native Function."},
    {"metadata", T_OBJECT, offsetof(Method, metadata), READONLY, "JSON text with the type schema."},
    {"type_key", T_OBJECT, offsetof(Method, type_key), READONLY, "Key of the type it was registered for."},
    {"arg_names", T_OBJECT, offsetof(Method, arg_names), READONLY, "Argument names, or None when not known."},
    {NULL, 0, 0, 0, NULL}};

static PyGetSetDef getset[] = {{"__qualname__", get_qualname, NULL, NULL, NULL},
                               {"__text_signature__", get_signature, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

#define METHOD_TYPE(NAME, FLAGS, BIND)                                                            \
  {                                                                                               \
      PyVarObject_HEAD_INIT(NULL, 0).tp_name = "selfsame_ffi._core." NAME,                        \
      .tp_basicsize = sizeof(Method),                                                             \
      .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | (FLAGS), \
      .tp_new = method_new,                                                                       \
      .tp_dealloc = method_dealloc,                                                               \
      .tp_traverse = method_traverse,                                                             \
      .tp_repr = method_repr,                                                                     \
      .tp_call = PyVectorcall_Call,                                                               \
      .tp_vectorcall_offset = offsetof(Method, vectorcall),                                       \
      .tp_descr_get = (BIND),                                                                     \
      .tp_members = members,                                                                      \
      .tp_getset = getset,                                                                        \
      .tp_free = PyObject_GC_Del,                                                                 \
  }

PyTypeObject SsMethod_Type = METHOD_TYPE("Method", Py_TPFLAGS_METHOD_DESCRIPTOR, method_bind);
PyTypeObject SsConstructor_Type = METHOD_TYPE("Constructor", Py_TPFLAGS_METHOD_DESCRIPTOR, method_bind);
PyTypeObject SsStaticMethod_Type = METHOD_TYPE("StaticMethod", 0, static_bind);
