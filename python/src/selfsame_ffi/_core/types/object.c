// CObject, the base of every wrapper class: its methods and attributes in Python.
#include "types/abstract.h"
#include "types/types.h"

#include "wrapper/classes.h"
#include "convert/function.h"
#include "convert/move.h"
#include "convert/to_python.h"
#include "wrapper/fetch.h"

// Whether the object's class, or a base, has a constructor of its own that is called with the native object made: see
// _make_object_first in _types/dunder.py. 1, 0, or -1 with an error set.
static int is_made_first(PyObject* self) {
  PyObject* marker = PyObject_GetAttrString((PyObject*)Py_TYPE(self), "__ffi_made_first__");
  if (marker == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  Py_DECREF(marker);
  return 1;
}

int ss_object_init_again(PyObject* self, int has_arguments) {
  int made_first = has_arguments ? 0 : is_made_first(self);
  if (made_first < 0) return -1;
  if (made_first) return 0;
  PyErr_Format(PyExc_TypeError, "%.100s.__init__: the object is initialised already", Py_TYPE(self)->tp_name);
  return -1;
}

static int object_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (ss_wrapper(self)->handle != NULL) {
    return ss_object_init_again(self, PyTuple_GET_SIZE(args) != 0 || (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0));
  }
  PyErr_Format(PyExc_TypeError, "%.100s: has no constructor that Python can call", Py_TYPE(self)->tp_name);
  return -1;
}

static PyObject* chandle(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromVoidPtr(ss_wrapper(self)->handle);
}

// The address as ctypes has it, for code that passes it to C by ctypes.
static PyObject* ctypes_handle(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_c_void_p_new(ss_wrapper(self)->handle);
}

static PyObject* same_as(PyObject* self, PyObject* other) {
  if (!ss_is_wrapper(other)) Py_RETURN_FALSE;
  const TVMFFIObject* native = ss_wrapper(self)->handle;
  return PyBool_FromLong(self == other || (native != NULL && native == ss_wrapper(other)->handle));
}

static PyObject* move(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_wrapper(self)->handle == NULL ? ss_no_handle(self) : ss_rvalue_ref(self);
}

// A restored object gets its state when it is made (selfsame_ffi/_copying/__init__.py); a live object keeps its own.
static PyObject* refuse_setstate(PyObject* self, PyObject* state) {
  (void)state;
  PyErr_Format(PyExc_TypeError, "%.100s.__setstate__: the state of an object cannot be replaced",
               Py_TYPE(self)->tp_name);
  return NULL;
}

static PyObject* get_class(PyObject* self, void* closure) {
  (void)closure;
  PyObject* cls = (PyObject*)Py_TYPE(self);
  return ss_new_ref(cls);
}

// Calls Python's own setter, which allows a class of the same layout.
static int call_setter(PyObject* self, PyObject* value) {
  static PyObject* setter;
  PyObject* known = __atomic_load_n(&setter, __ATOMIC_ACQUIRE);
  if (known == NULL) {
    PyObject* dict = PyObject_GetAttrString((PyObject*)&PyBaseObject_Type, "__dict__");
    PyObject* name = dict == NULL ? NULL : PyUnicode_InternFromString("__class__");
    PyObject* property = name == NULL ? NULL : PyObject_GetItem(dict, name);
    known = property == NULL ? NULL : PyObject_GetAttrString(property, "__set__");
    Py_XDECREF(dict);
    Py_XDECREF(name);
    Py_XDECREF(property);
    if (known == NULL) return -1;
    __atomic_store_n(&setter, known, __ATOMIC_RELEASE);  // for the life of the process
  }
  PyObject* done = PyObject_CallFunctionObjArgs(known, self, value, NULL);
  Py_XDECREF(done);
  return done == NULL ? -1 : 0;
}

// Python allows a change between classes that agree in the layout of their instances. The native object adds that the new
// class must be one for objects of its type.
static int set_class(PyObject* self, PyObject* value, void* closure) {
  (void)closure;
  SsWrapper* wrapper = ss_wrapper(self);
  if (value == NULL || !PyType_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%.100s: __class__ %s%.100s", Py_TYPE(self)->tp_name,
                 value == NULL ? "cannot be deleted" : "must be set to a class, got ",
                 value == NULL ? "" : Py_TYPE(value)->tp_name);
    return -1;
  }
  PyTypeObject* cls = (PyTypeObject*)value;
  TVMFFIObject* handle = ss_pin(wrapper);
  int32_t index = handle == NULL ? ss_class_index(Py_TYPE(self)) : handle->type_index;
  int rc = ss_class_check("__class__", cls, index);
  int stateful = rc == 0 && ss_class_prepare(cls);  // sets slots of the class, which Python's setter compares
  if (rc == 0) rc = call_setter(self, value);
  if (rc == 0 && stateful) ss_flags_set(wrapper, SS_STATEFUL);
  if (handle != NULL) ss_unpin(wrapper);
  return rc;
}

static PyObject* get_id(PyObject* self, void* closure) {
  (void)closure;
  return chandle(self, NULL);
}

static PyGetSetDef getset[] = {{"__class__", get_class, set_class, "The object's class.", NULL},
                               {"id_", get_id, NULL, "A number that names the native object while it lives.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyObject* repr(PyObject* self) {
  const void* native = ss_wrapper(self)->handle;
  if (native == NULL) return ss_repr_without_handle(self);
  return PyUnicode_FromFormat("<%.100s object at %p>", Py_TYPE(self)->tp_name, native);
}

// __init_subclass__ of a class derived in Python: how it is called, then what object.__init_subclass__ does.
static PyObject* init_subclass(PyObject* cls, PyObject* args, PyObject* kwargs) {
  if (ss_note_abstract((PyTypeObject*)cls) != 0 || ss_record_call_class((PyTypeObject*)cls) != 0) return NULL;
  PyObject* next = PyObject_CallFunctionObjArgs((PyObject*)&PySuper_Type, (PyObject*)&SsObject_Type, cls, NULL);
  PyObject* method = next == NULL ? NULL : PyObject_GetAttrString(next, "__init_subclass__");
  PyObject* result = method == NULL ? NULL : PyObject_Call(method, args, kwargs);
  Py_XDECREF(method);
  Py_XDECREF(next);
  return result;
}

static PyMethodDef methods[] = {
    {"__init_subclass__", (PyCFunction)(void (*)(void))init_subclass, METH_CLASS | METH_VARARGS | METH_KEYWORDS,
     "__init_subclass__($cls, /)\n--\n\nPrepare a class derived from this one. A class that defines this method must "
     "call its\nparent's."},
    {"__chandle__", chandle, METH_NOARGS, "__chandle__($self, /)\n--\n\nAddress of the native object, 0 without one."},
    {"__ctypes_handle__", ctypes_handle, METH_NOARGS,
     "__ctypes_handle__($self, /)\n--\n\nAddress of the native object as a ctypes.c_void_p."},
    {"same_as", same_as, METH_O, "same_as($self, other, /)\n--\n\nWhether other is the same native object."},
    {"is_", same_as, METH_O, "is_($self, other, /)\n--\n\nWhether other is the same native object."},
    {"_move", move, METH_NOARGS,
     "_move($self, /)\n--\n\nAn argument that hands the native object over to the function it is passed to.\n\n"
     "When nothing else owns the native object and no call is using it, the function gets this object's own reference. "
     "Once the function has taken it, every use of this object raises RuntimeError, whether the function succeeded or "
     "not; a function that does not take it leaves everything as it was. Otherwise the function gets a reference of "
     "its own, and this object stays as it is."},
    {"__init_handle_by_constructor__", (PyCFunction)(void (*)(void))ss_init_handle_by_constructor, METH_FASTCALL,
     "__init_handle_by_constructor__($self, function, /, *args)\n--\n\nMake the native object by a call of function."},
    {"__move_handle_from__", ss_move_handle_from, METH_O,
     "__move_handle_from__($self, other, /)\n--\n\nMove the native object of other to this object."},
    {"__reduce__", ss_copying_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nHow to make the object again: see copy and pickle."},
    {"__reduce_ex__", ss_copying_reduce_ex, METH_O,
     "__reduce_ex__($self, protocol, /)\n--\n\nHow to make the object again: see copy and pickle."},
    {"__copy__", ss_copying_copy, METH_NOARGS, "__copy__($self, /)\n--\n\nA shallow copy."},
    {"__deepcopy__", (PyCFunction)(void (*)(void))ss_copying_deepcopy, METH_FASTCALL,
     "__deepcopy__($self, memo=None, /)\n--\n\nA deep copy."},
    {"_native_repr", ss_native_repr, METH_NOARGS, "_native_repr($self, /)\n--\n\nHow native code prints the object."},
    {"__setstate__", refuse_setstate, METH_O, "__setstate__($self, state, /)\n--\n\nRefused: TypeError."},
    {NULL, NULL, 0, NULL}};

void ss_object_type_init(void) {
  SsObject_Type.tp_init = object_init;
  SsObject_Type.tp_repr = repr;
  SsObject_Type.tp_methods = methods;
  SsObject_Type.tp_getset = getset;
}
