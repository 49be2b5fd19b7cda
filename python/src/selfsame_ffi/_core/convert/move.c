// ObjectRValueRef: an argument that moves its object to the called function.
#include "convert/move.h"

#include "wrapper/fetch.h"

#include <stddef.h>
#include <structmember.h>

// Whether code that fetched the object by itself may have the wrapper: it was fetched while it lived, and so has shares.
// And it has more references than that of the caller of ss_take_handle and that of one name. A name may be borrowed by the
// interpreter's stack, but its own reference counts. Other threads' names are known as far as they have been counted.
static int may_have_two_owners(const SsWrapper* wrapper) {
  enum { KNOWN = 2 };
  return ss_shares(wrapper) != 0 && Py_REFCNT((PyObject*)wrapper) > KNOWN;
}

int ss_take_handle(SsWrapper* wrapper, TVMFFIObject* handle) {
  // Another thread may promote a weak reference after this check. That does no harm: it owns another reference.
  if (ss_strong(handle) != ss_owned(wrapper) || may_have_two_owners(wrapper) || !ss_claim(wrapper)) return 0;
  ss_unbind(wrapper);
  return 1;
}

PyObject* ss_rvalue_ref(PyObject* wrapper) {
  SsRValueRef* ref = PyObject_GC_New(SsRValueRef, &SsRValueRef_Type);
  if (ref == NULL) return NULL;
  Py_INCREF(wrapper);
  ref->wrapper = ss_wrapper(wrapper);
  PyObject_GC_Track(ref);
  return (PyObject*)ref;
}

SsWrapper* ss_rvalue_take(PyObject* rvalue) {
  SsWrapper* wrapper = __atomic_exchange_n(&((SsRValueRef*)rvalue)->wrapper, NULL, __ATOMIC_ACQ_REL);
  if (wrapper == NULL) {
    PyErr_SetString(PyExc_RuntimeError,
                    "ObjectRValueRef: the object was moved away; an rvalue reference is an argument once");
  }
  return wrapper;
}

static void rvalue_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF((PyObject*)((SsRValueRef*)self)->wrapper);
  PyObject_GC_Del(self);
}

static int rvalue_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT((PyObject*)((SsRValueRef*)self)->wrapper);
  return 0;
}

static PyMemberDef members[] = {
    {"obj", T_OBJECT, offsetof(SsRValueRef, wrapper), READONLY, "The object to move. None once it was an argument."},
    {NULL, 0, 0, 0, NULL}};

static PyObject* refuse_pickle(PyObject* self, PyObject* protocol) {
  (void)protocol;
  PyErr_Format(PyExc_TypeError, "%.100s: the object cannot be pickled or copied; it moves an object once",
               Py_TYPE(self)->tp_name);
  return NULL;
}

static PyMethodDef methods[] = {{"__reduce_ex__", refuse_pickle, METH_O, NULL}, {NULL, NULL, 0, NULL}};

PyTypeObject SsRValueRef_Type = {
    SS_TYPE("selfsame_ffi._core.ObjectRValueRef",
            "An argument that moves its object to the called function. Made by object._move().", sizeof(SsRValueRef),
            Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = rvalue_dealloc,
    .tp_traverse = rvalue_traverse,
    .tp_members = members,
    .tp_methods = methods,
};
