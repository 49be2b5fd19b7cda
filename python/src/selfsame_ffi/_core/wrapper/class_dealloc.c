#include "wrapper/tp_slots.h"

#include <stddef.h>
#include <stdlib.h>
#include <structmember.h>

destructor ss_subtype_dealloc;
inquiry ss_subtype_clear;

// subtype_clear, too, clears what the classes have up to the first with another function.
int ss_class_clear(PyObject* self, inquiry own) {
  PyTypeObject* type = Py_TYPE(self);
  Py_INCREF(type);
  uint64_t owns = 0, bit = 1;  // a bit for each class of the chain
  for (PyTypeObject* cls = type; cls->tp_clear == own || cls->tp_clear == ss_subtype_clear; cls = cls->tp_base) {
    if (cls->tp_clear == own) owns |= bit;
    cls->tp_clear = ss_subtype_clear;
    bit <<= 1;
  }
  int rc = ss_subtype_clear(self);
  for (PyTypeObject* cls = type; owns != 0; cls = cls->tp_base, owns >>= 1) {
    if (owns & 1) cls->tp_clear = own;
  }
  Py_DECREF(type);
  return rc;
}

#if SS_FREE_THREADED

// Threads read tp_dealloc all the time, so it keeps its value, and this does what subtype_dealloc does.

void ss_class_take_dealloc(PyTypeObject* cls, destructor own) { cls->tp_dealloc = own; }

// The variables of a class's __slots__.
static void clear_slots(PyTypeObject* cls, PyObject* self) {
  const PyMemberDef* member = (const PyMemberDef*)((char*)cls + Py_TYPE(cls)->tp_basicsize);
  for (Py_ssize_t i = 0; i < Py_SIZE(cls); i++, member++) {
    if (member->type != Py_T_OBJECT_EX || (member->flags & Py_READONLY)) continue;
    PyObject** place = (PyObject**)((char*)self + member->offset);
    PyObject* value = *place;
    *place = NULL;
    Py_XDECREF(value);
  }
}

void ss_class_dealloc(PyObject* self, destructor own) {
  PyTypeObject* type = Py_TYPE(self);
  PyTypeObject* base = type;
  while (base->tp_dealloc == own || base->tp_dealloc == ss_subtype_dealloc) base = base->tp_base;
  PyObject_GC_UnTrack(self);
  Py_TRASHCAN_BEGIN(self, own);
  if (type->tp_weaklistoffset && !base->tp_weaklistoffset) PyObject_ClearWeakRefs(self);
  for (PyTypeObject* cls = type; cls != base; cls = cls->tp_base) {
    if (Py_SIZE(cls)) clear_slots(cls, self);
  }
  if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
    PyObject* error =
        PyErr_GetRaisedException();  // without memory this prints an error of its own, and clears this one
    PyObject_ClearManagedDict(self);
    PyErr_SetRaisedException(error);
  }
  // Not later: the base's dealloc may free the class.
  int owns_class = !(base->tp_flags & Py_TPFLAGS_HEAPTYPE);
  PyObject_GC_Track(self);
  base->tp_dealloc(self);
  if (owns_class) Py_DECREF(type);
  Py_TRASHCAN_END;
}

#else

// subtype_dealloc must find itself in each of the classes, so they get it back for the time of the call. Destructors of
// attributes may drop other objects of these classes, and let other threads do so: ours comes back when the last call has
// ended. Until then the finalizer alone decides.
static struct {
  int calls;            // of subtype_dealloc, under way
  PyTypeObject** lent;  // the classes that have it back; strong references
  size_t count, room;   // how many of them there are, and fit
} under_way;

static void lend(PyTypeObject* cls) {
  for (size_t i = under_way.count; i-- > 0;) {
    if (under_way.lent[i] == cls) return;
  }
  if (under_way.count == under_way.room) {
    size_t room = under_way.room == 0 ? 16 : 2 * under_way.room;
    PyTypeObject** lent = realloc(under_way.lent, room * sizeof(*lent));
    if (lent == NULL) return;  // the class keeps CPython's, until its next instance is made
    under_way.lent = lent;
    under_way.room = room;
  }
  Py_INCREF(cls);
  under_way.lent[under_way.count++] = cls;
}

void ss_class_take_dealloc(PyTypeObject* cls, destructor own) {
  if (under_way.calls == 0) {
    cls->tp_dealloc = own;
  } else {
    lend(cls);
  }
}

void ss_class_dealloc(PyObject* self, destructor own) {
  under_way.calls++;
  for (PyTypeObject* cls = Py_TYPE(self); cls->tp_flags & Py_TPFLAGS_HEAPTYPE; cls = cls->tp_base) {
    if (cls->tp_dealloc != own) continue;
    cls->tp_dealloc = ss_subtype_dealloc;
    lend(cls);
  }
  ss_subtype_dealloc(self);
  if (--under_way.calls != 0) return;
  size_t count = under_way.count;
  for (size_t i = 0; i < count; i++) under_way.lent[i]->tp_dealloc = own;
  while (under_way.calls == 0 && under_way.count > 0) Py_DECREF(under_way.lent[--under_way.count]);
}

#endif
