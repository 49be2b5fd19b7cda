// Methods, static methods and constructors of reflected types: a native Function with a name.
#include "types/types.h"

#include <structmember.h>

#include "convert/convert.h"
#include "convert/function.h"
#include "convert/to_python.h"
#include "convert/arguments.h"
#include "types/go_memory.h"
#include "wrapper/classes.h"
#include "wrapper/fetch.h"

typedef struct {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;     // a Function wrapper
  SsSignature signature;  // its references are owned
  PyObject* doc;          // str or None
  PyObject* metadata;     // str: JSON text
  int32_t type_index;     // of the objects that a Constructor makes
  PyObject* shown;        // an inspect.Signature given by Python code, or NULL
  PyObject* otherwise;    // called instead when the first argument does not fit; NULL: every argument fits
  PyObject* fits;         // the class that the first argument must have exactly to fit; NULL: int
  char from_start;        // whether only ints from 0 on fit
  PyObject* refused;      // asked for the result when the native function has failed; NULL: nobody is asked
  SsGoAccess memory;      // what the method does in Go's memory
  PyObject* references;   // the list of weak references: weakref.WeakMethod makes one
} Method;

// ---- calls ----

static PyObject* call(Method* method, PyObject* const* args, Py_ssize_t count, PyObject* kwnames, Py_ssize_t leading) {
  SsArguments arguments;
  if (ss_arguments_make(&method->signature, args, count, kwnames, leading, &arguments) != 0) return NULL;
  PyObject* result =
      ss_call(ss_wrapper(method->function), arguments.values, arguments.count, &method->signature, leading);
  ss_arguments_release(&arguments);
  return result;
}

static PyObject* needs_object(Method* method, PyObject* got) {
  return PyErr_Format(PyExc_TypeError, "%U.%U: argument 'self': expected a '%U' object, got %.100s",
                      method->signature.type_key, method->signature.name, method->signature.type_key,
                      got == NULL ? "nothing" : Py_TYPE(got)->tp_name);
}

// Whether a method with `otherwise` takes its arguments itself.
static inline int fits(const Method* method, PyObject* const* args, Py_ssize_t count) {
  if (SS_UNLIKELY(count < 2)) return 0;
  if (method->fits != NULL && method->fits != (PyObject*)&PyLong_Type) {
    return (PyObject*)Py_TYPE(args[1]) == method->fits;
  }
  if (!PyLong_CheckExact(args[1])) return 0;
  int overflow;
  return !method->from_start || PyLong_AsLongAndOverflow(args[1], &overflow) >= 0;
}

// The result of a call that has failed, with the exception still set: what `refused` returns for the object, the
// argument and the exception. None leaves the exception.
static __attribute__((noinline)) PyObject* after_failure(const Method* method, PyObject* const* args) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyObject* result = PyObject_CallFunctionObjArgs(method->refused, args[0], args[1], error, NULL);
  if (result == Py_None) {
    Py_DECREF(result);
    PyErr_Restore(type, error, traceback);
    return NULL;
  }
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return result;
}

static PyObject* method_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Method* method = (Method*)self;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (SS_UNLIKELY(count < 1 || !ss_is_wrapper(args[0]))) {
    return needs_object(method, count < 1 ? NULL : args[0]);
  }
  if (SS_UNLIKELY(method->otherwise != NULL && !fits(method, args, count))) {
    return PyObject_Vectorcall(method->otherwise, args, (size_t)count, kwnames);
  }
  if (method->memory.use != 0 && kwnames == NULL) {
    PyObject* result = ss_go_access_use(&method->memory, args, count);
    if (SS_LIKELY(result != NULL)) return result;
  }
  PyObject* result = call(method, args, count, kwnames, 1);
  if (SS_UNLIKELY(result == NULL && method->refused != NULL && count == 2)) return after_failure(method, args);
  return result;
}

static PyObject* static_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  return call((Method*)self, args, PyVectorcall_NARGS(nargsf), kwnames, 0);
}

// __init__(self, ...): calls the Function and gives self the native object that it returns.
static PyObject* constructor_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Method* method = (Method*)self;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (count < 1 || !ss_is_wrapper(args[0])) {
    return needs_object(method, count < 1 ? NULL : args[0]);
  }
  PyObject* object = args[0];
  if (ss_wrapper(object)->handle != NULL) {
    PyErr_Format(PyExc_TypeError, "%U.__init__: the object is initialised already", method->signature.type_key);
    return NULL;
  }
  if (ss_class_index(Py_TYPE(object)) != method->type_index) {
    PyErr_Format(PyExc_TypeError, "%U.__init__: cannot make the native object of a %.100s", method->signature.type_key,
                 Py_TYPE(object)->tp_name);
    return NULL;
  }
  SsWrapper* function = ss_wrapper(method->function);
  SsArguments arguments;
  if (ss_arguments_make(&method->signature, args + 1, count - 1, kwnames, 0, &arguments) != 0) return NULL;
  TVMFFIAny result;
  TVMFFIObject* handle = ss_pin_function(function);
  int rc = -1;
  if (handle != NULL) {
    SsLentMask lent = ((SsFunction*)function)->lent;
    rc = ss_call_raw(handle, ss_releases_gil(function), lent, arguments.values, arguments.count, &result,
                     &method->signature);
    ss_unpin(function);
  }
  ss_arguments_release(&arguments);
  if (rc != 0) return NULL;
  if (result.type_index < kTVMFFIStaticObjectBegin || !ss_type_derives(result.type_index, method->type_index)) {
    PyErr_Format(PyExc_TypeError,
                 "%U.__init__: expected a '%U' object from the constructor, got a value of type index %d",
                 method->signature.type_key, method->signature.type_key, (int)result.type_index);
    ss_any_clear(&result);
    return NULL;
  }
  if (ss_construct(ss_wrapper(object), result.v_obj) != 0) return NULL;
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
    PyErr_Format(PyExc_TypeError, "%.100s: argument 'arg_names': expected a tuple or None, got %.100s", type->tp_name,
                 Py_TYPE(arg_names)->tp_name);
    return NULL;
  }
  Method* method = (Method*)type->tp_alloc(type, 0);
  if (method == NULL) return NULL;
  method->vectorcall = type == &SsMethod_Type         ? method_vectorcall
                       : type == &SsStaticMethod_Type ? static_vectorcall
                                                      : constructor_vectorcall;
  method->metadata = metadata == NULL ? PyUnicode_FromString("") : ss_new_ref(metadata);
  method->function = ss_new_ref(function);
  method->signature.name = ss_new_ref(name);
  method->signature.type_key = ss_new_ref(type_key);
  method->doc = ss_new_ref(doc);
  method->signature.arg_names = ss_new_ref(arg_names);
  method->signature.sentinel = ss_new_ref(keywords);
  method->type_index = type_index;
  if (method->metadata == NULL) Py_CLEAR(method);
  if (method != NULL) {
    ss_share_count((PyObject*)method);
    ss_function_lasts(function);
  }
  return (PyObject*)method;
}

static int method_traverse(PyObject* self, visitproc visit, void* arg) {
  Method* method = (Method*)self;
  Py_VISIT(method->function);
  Py_VISIT(method->signature.sentinel);
  Py_VISIT(method->otherwise);
  Py_VISIT(method->fits);
  Py_VISIT(method->refused);
  return 0;
}

static void method_dealloc(PyObject* self) {
  Method* method = (Method*)self;
  PyObject_GC_UnTrack(self);
  if (method->references != NULL) PyObject_ClearWeakRefs(self);
  Py_XDECREF(method->function);
  Py_XDECREF(method->signature.name);
  Py_XDECREF(method->signature.type_key);
  Py_XDECREF(method->doc);
  Py_XDECREF(method->metadata);
  Py_XDECREF(method->signature.arg_names);
  Py_XDECREF(method->signature.sentinel);
  Py_XDECREF(method->shown);
  Py_XDECREF(method->otherwise);
  Py_XDECREF(method->fits);
  Py_XDECREF(method->refused);
  Py_TYPE(self)->tp_free(self);
}

static PyObject* method_bind(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  if (object == NULL) return ss_new_ref(self);
  return Py_IS_TYPE(self, &SsMethod_Type) ? ss_bind_method(self, object) : PyMethod_New(self, object);
}

static PyObject* method_repr(PyObject* self) {
  Method* method = (Method*)self;
  return PyUnicode_FromFormat("<native %s '%U' of '%U'>",
                              Py_TYPE(self) == &SsStaticMethod_Type ? "static method" : "method",
                              method->signature.name, method->signature.type_key);
}

static PyObject* get_qualname(PyObject* self, void* closure) {
  (void)closure;
  Method* method = (Method*)self;
  return PyUnicode_FromFormat("%U.%U", method->signature.type_key, method->signature.name);
}

static PyObject* get_signature(PyObject* self, void* closure) {
  (void)closure;
  Method* method = (Method*)self;
  if (method->signature.arg_names == Py_None) {
    return PyUnicode_FromString(Py_TYPE(self) == &SsStaticMethod_Type ? "(*args)" : "($self, /, *args)");
  }
  PyObject* comma = PyUnicode_FromString(", ");
  PyObject* list = comma == NULL ? NULL : PyUnicode_Join(comma, method->signature.arg_names);
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

static PyObject* set_go_memory(PyObject* self, PyObject* args) {
  PyObject* said;
  int type_index;
  if (!PyArg_ParseTuple(args, "Oi:in_go_memory", &said, &type_index) ||
      ss_go_access_read(said, type_index, &((Method*)self)->memory) != 0) {
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"in_go_memory", set_go_memory, METH_VARARGS,
     "in_go_memory($self, said, type_index, /)\n--\n\nLet calls do in Go's memory what the metadata say, where they can."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"given_signature", T_OBJECT_EX, offsetof(Method, shown), 0, "The signature for inspect that Python code gave."},
    {"otherwise", T_OBJECT_EX, offsetof(Method, otherwise), 0, "Called instead when an argument does not fit."},
    {"fits", T_OBJECT_EX, offsetof(Method, fits), 0, "The class of arguments that fit; int without."},
    {"from_start", T_BOOL, offsetof(Method, from_start), 0, "Whether of ints only those from 0 on fit."},
    {"refused", T_OBJECT_EX, offsetof(Method, refused), 0,
     "Asked for the result of a failed call, with object, argument and exception. None: the exception."},
    {"__name__", T_OBJECT, offsetof(Method, signature.name), READONLY, NULL},
    {"__doc__", T_OBJECT, offsetof(Method, doc), READONLY, NULL},
    {"function", T_OBJECT, offsetof(Method, function), READONLY, "The native Function."},
    {"metadata", T_OBJECT, offsetof(Method, metadata), READONLY, "JSON text with the type schema."},
    {"type_key", T_OBJECT, offsetof(Method, signature.type_key), READONLY, "Key of the type it was registered for."},
    {"arg_names", T_OBJECT, offsetof(Method, signature.arg_names), READONLY, "Argument names, or None when not known."},
    {NULL, 0, 0, 0, NULL}};

static PyGetSetDef getset[] = {{"__qualname__", get_qualname, NULL, NULL, NULL},
                               {"__text_signature__", get_signature, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

#define METHOD_TYPE(NAME, FLAGS, BIND)                                    \
  {                                                                       \
      SS_TYPE("selfsame_ffi._core." NAME, NULL, sizeof(Method),           \
              Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | (FLAGS)), \
      .tp_new = method_new,                                               \
      .tp_dealloc = method_dealloc,                                       \
      .tp_traverse = method_traverse,                                     \
      .tp_repr = method_repr,                                             \
      .tp_call = PyVectorcall_Call,                                       \
      .tp_vectorcall_offset = offsetof(Method, vectorcall),               \
      .tp_weaklistoffset = offsetof(Method, references),                  \
      .tp_descr_get = (BIND),                                             \
      .tp_members = members,                                              \
      .tp_methods = methods,                                              \
      .tp_getset = getset,                                                \
      .tp_free = PyObject_GC_Del,                                         \
  }

PyTypeObject SsMethod_Type = METHOD_TYPE("Method", Py_TPFLAGS_METHOD_DESCRIPTOR, method_bind);
PyTypeObject SsConstructor_Type = METHOD_TYPE("Constructor", Py_TPFLAGS_METHOD_DESCRIPTOR, method_bind);
PyTypeObject SsStaticMethod_Type = METHOD_TYPE("StaticMethod", 0, ss_bind_to_itself);
