// CPython's own bound methods pass every attribute on to the function, which does not know the object then: the `map` of
// `point.scale` would be that of the class. So a Method binds to an object of this type, which has `map`, `imap` and `aio` of its
// own. For Python code that asks isinstance it is a types.MethodType, and it behaves as one.
#include "types/types.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "convert/function.h"

typedef struct {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* method;      // owned
  PyObject* object;      // owned
  PyObject* references;  // the list of weak references
} BoundMethod;

enum { FEW = 8 };  // arguments for which a call needs no memory

// ---- calls ----

static PyObject* bound_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  BoundMethod* bound = (BoundMethod*)self;
  size_t count = (size_t)PyVectorcall_NARGS(nargsf);
  if (nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET) {  // the caller lends the place before the arguments
    PyObject** before = (PyObject**)args - 1;
    PyObject* there = *before;
    *before = bound->object;
    PyObject* result = PyObject_Vectorcall(bound->method, before, count + 1, kwnames);
    *before = there;
    return result;
  }
  size_t all = count + (kwnames == NULL ? 0 : (size_t)PyTuple_GET_SIZE(kwnames));
  PyObject* few[FEW + 1];
  PyObject** values = all <= FEW ? few : PyMem_New(PyObject*, all + 1);
  if (values == NULL) return PyErr_NoMemory();
  values[0] = bound->object;
  if (all > 0) memcpy(values + 1, args, all * sizeof(PyObject*));
  PyObject* result = PyObject_Vectorcall(bound->method, values, count + 1, kwnames);
  if (values != few) PyMem_Free(values);
  return result;
}

// ---- making and releasing ----

PyObject* ss_bind_method(PyObject* method, PyObject* object) {
  BoundMethod* bound = PyObject_GC_New(BoundMethod, &SsBoundMethod_Type);
  if (bound == NULL) return NULL;
  bound->vectorcall = bound_vectorcall;
  Py_INCREF(method);
  bound->method = method;
  Py_INCREF(object);
  bound->object = object;
  bound->references = NULL;
  PyObject_GC_Track(bound);
  return (PyObject*)bound;
}

// What code calls that makes a bound method of the type of another, such as weakref.WeakMethod.
static PyObject* bound_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  (void)type;
  PyObject *function, *object;
  if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
    PyErr_SetString(PyExc_TypeError, "BoundMethod: expected no keyword arguments");
    return NULL;
  }
  if (!PyArg_UnpackTuple(args, "BoundMethod", 2, 2, &function, &object)) return NULL;
  if (!Py_IS_TYPE(function, &SsMethod_Type)) {
    return PyObject_CallFunctionObjArgs((PyObject*)&PyMethod_Type, function, object, NULL);
  }
  if (object == Py_None) {
    PyErr_SetString(PyExc_TypeError, "BoundMethod: argument 2: expected an object to bind to, got None");
    return NULL;
  }
  return ss_bind_method(function, object);
}

static int bound_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((BoundMethod*)self)->method);
  Py_VISIT(((BoundMethod*)self)->object);
  return 0;
}

static void bound_dealloc(PyObject* self) {
  BoundMethod* bound = (BoundMethod*)self;
  PyObject_GC_UnTrack(self);
  if (bound->references != NULL) PyObject_ClearWeakRefs(self);
  Py_DECREF(bound->method);
  Py_DECREF(bound->object);
  PyObject_GC_Del(self);
}

// ---- as a types.MethodType ----

// The attributes of this type are its own; all others are the Method's.
static PyObject* bound_getattro(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  return PyObject_GetAttr(((BoundMethod*)self)->method, name);
}

static PyObject* bound_repr(PyObject* self) {
  BoundMethod* bound = (BoundMethod*)self;
  PyObject* name = PyObject_GetAttrString(bound->method, "__qualname__");
  if (name == NULL) return NULL;
  PyObject* text = PyUnicode_FromFormat("<bound method %U of %R>", name, bound->object);
  Py_DECREF(name);
  return text;
}

static Py_hash_t bound_hash(PyObject* self) {
  BoundMethod* bound = (BoundMethod*)self;
  Py_hash_t of_object = PyBaseObject_Type.tp_hash(bound->object);  // its identity, as for CPython's own
  Py_hash_t hash = of_object == -1 ? -1 : PyObject_Hash(bound->method);
  if (hash == -1) return -1;
  hash ^= of_object;
  return hash == -1 ? -2 : hash;
}

static PyObject* bound_compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !Py_IS_TYPE(other, &SsBoundMethod_Type)) Py_RETURN_NOTIMPLEMENTED;
  BoundMethod *a = (BoundMethod*)self, *b = (BoundMethod*)other;
  int equal = a->object == b->object && a->method == b->method;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

static PyObject* get_class(PyObject* self, void* closure) {
  (void)self;
  (void)closure;
  Py_INCREF(&PyMethod_Type);
  return (PyObject*)&PyMethod_Type;
}

static PyObject* get_doc(PyObject* self, void* closure) {
  (void)closure;
  return PyObject_GetAttrString(((BoundMethod*)self)->method, "__doc__");
}

static PyMemberDef members[] = {{"__func__", T_OBJECT, offsetof(BoundMethod, method), READONLY, "The Method."},
                                {"__self__", T_OBJECT, offsetof(BoundMethod, object), READONLY, "The object."},
                                {NULL, 0, 0, 0, NULL}};

static PyGetSetDef getset[] = {
    {"__class__", get_class, NULL, NULL, NULL}, {"__doc__", get_doc, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsBoundMethod_Type = {
    SS_TYPE("selfsame_ffi._core.BoundMethod", NULL, sizeof(BoundMethod),
            Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL),
    .tp_new = bound_new,
    .tp_dealloc = bound_dealloc,
    .tp_traverse = bound_traverse,
    .tp_repr = bound_repr,
    .tp_hash = bound_hash,
    .tp_richcompare = bound_compare,
    .tp_getattro = bound_getattro,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(BoundMethod, vectorcall),
    .tp_weaklistoffset = offsetof(BoundMethod, references),
    .tp_descr_get = ss_bind_to_itself,
    .tp_members = members,
    .tp_getset = getset,
};
