#include "wrapper/weak_references.h"

#include "wrapper/classes.h"

PyObject* ss_weakly_counted(PyObject* reference) {
  if (reference == NULL || !PyWeakref_Check(reference)) return NULL;
  PyObject* referent = NULL;
#if PY_VERSION_HEX >= 0x030D0000
  (void)PyWeakref_GetRef(reference, &referent);
#else
  referent = PyWeakref_GET_OBJECT(reference);
  Py_INCREF(referent);
#endif
  if (referent == NULL) return NULL;
  if (ss_is_wrapper(referent) && (ss_flags(ss_wrapper(referent)) & SS_HELD) && ss_pin(ss_wrapper(referent)) != NULL) {
    ss_unpin_as_is(ss_wrapper(referent));
    return referent;
  }
  Py_DECREF(referent);
  return NULL;
}

// CPython's functions for the operations of weak references that use the object, and those that call them.

static hashfunc hash_reference;
static reprfunc repr_reference;
static richcmpfunc compare_references;

static Py_hash_t hash_watched(PyObject* self) {
  PyObject* kept = ss_weakly_counted(self);
  Py_hash_t hash = hash_reference(self);
  Py_XDECREF(kept);
  return hash;
}

static PyObject* repr_watched(PyObject* self) {
  PyObject* kept = ss_weakly_counted(self);
  PyObject* text = repr_reference(self);
  Py_XDECREF(kept);
  return text;
}

static PyObject* compare_watched(PyObject* self, PyObject* other, int operator) {
  PyObject *kept = ss_weakly_counted(self), *other_kept = ss_weakly_counted(other);
  PyObject* result = compare_references(self, other, operator);
  Py_XDECREF(kept);
  Py_XDECREF(other_kept);
  return result;
}

// Puts `own` behind the method that weakref.ref has for a slot with the function `before`, for subclasses that call it.
static int watch_method(const char* name, void* before, void* own) {
  PyObject* method = PyObject_GetAttrString((PyObject*)&_PyWeakref_RefType, name);
  if (method == NULL) return -1;
  if (Py_TYPE(method) == &PyWrapperDescr_Type && ((PyWrapperDescrObject*)method)->d_wrapped == before) {
    ((PyWrapperDescrObject*)method)->d_wrapped = own;
  }
  Py_DECREF(method);  // its class owns it
  return 0;
}

static int watch_methods(void) {
  static const char* const comparisons[] = {"__eq__", "__ne__"};
  if (hash_reference != NULL) return 0;
  hash_reference = _PyWeakref_RefType.tp_hash;
  repr_reference = _PyWeakref_RefType.tp_repr;
  compare_references = _PyWeakref_RefType.tp_richcompare;
  for (int i = 0; i < 2; i++) {
    if (watch_method(comparisons[i], (void*)compare_references, (void*)compare_watched) != 0) return -1;
  }
  if (watch_method("__repr__", (void*)repr_reference, (void*)repr_watched) != 0) return -1;
  return watch_method("__hash__", (void*)hash_reference, (void*)hash_watched);
}

// The class of a weak reference, which has its own pointers to the functions.
static void watch_class(PyTypeObject* type) {
  if (type->tp_hash == hash_reference) __atomic_store_n(&type->tp_hash, hash_watched, __ATOMIC_RELEASE);
  if (type->tp_repr == repr_reference) __atomic_store_n(&type->tp_repr, repr_watched, __ATOMIC_RELEASE);
  if (type->tp_richcompare == compare_references) {
    __atomic_store_n(&type->tp_richcompare, compare_watched, __ATOMIC_RELEASE);
  }
}

// The result of a call of a weak reference. No reference changes hands.
static PyObject* used(PyObject* referent) {
  if (referent == NULL || referent == Py_None || !ss_is_wrapper(referent)) return referent;
  SsWrapper* wrapper = ss_wrapper(referent);
  if (SS_UNLIKELY(ss_flags(wrapper) & SS_HELD) && ss_pin(wrapper) != NULL) ss_unpin_as_is(wrapper);
  return referent;
}

#if PY_VERSION_HEX >= 0x030B0000

// Each weak reference has its own pointer to the function.
static vectorcallfunc call_reference;

static PyObject* call_watched(PyObject* self, PyObject* const* args, size_t count, PyObject* names) {
  return used(call_reference(self, args, count, names));
}

static void watch(PyObject* reference) {
  if (PyWeakref_CheckProxy(reference)) ss_weak_proxies_watch();
  watch_class(Py_TYPE(reference));
  PyWeakReference* it = (PyWeakReference*)reference;
  if (it->vectorcall == call_reference) it->vectorcall = call_watched;
}

int ss_weak_references_init(void) {
  PyObject* any = PyWeakref_NewRef((PyObject*)&SsObject_Type, NULL);
  if (any == NULL) return -1;
  call_reference = ((PyWeakReference*)any)->vectorcall;
  Py_DECREF(any);
  return watch_methods();
}

#else

// All weak references have the function of their type.
static ternaryfunc call_reference;

static PyObject* call_watched(PyObject* self, PyObject* args, PyObject* names) {
  return used(call_reference(self, args, names));
}

static void watch(PyObject* reference) {
  if (PyWeakref_CheckProxy(reference)) {
    ss_weak_proxies_watch();
    return;
  }
  PyTypeObject* type = Py_TYPE(reference);
  watch_class(type);
  if (type->tp_call == call_reference) type->tp_call = call_watched;
}

int ss_weak_references_init(void) {
  if (call_reference == NULL) call_reference = _PyWeakref_RefType.tp_call;
  if (watch_method("__call__", (void*)call_reference, (void*)call_watched) != 0) return -1;
  return watch_methods();
}

#endif

#if SS_FREE_THREADED

// Other threads make and drop weak references to the wrapper, under a lock that CPython does not export.
void ss_weak_references_watch_slow(PyObject* wrapper) {
  static PyObject* getweakrefs;
  PyObject* error = PyErr_GetRaisedException();
  PyObject* function = __atomic_load_n(&getweakrefs, __ATOMIC_ACQUIRE);
  if (function == NULL) {
    PyObject* module = PyImport_ImportModule("_weakref");
    function = module == NULL ? NULL : PyObject_GetAttrString(module, "getweakrefs");
    Py_XDECREF(module);
    __atomic_store_n(&getweakrefs, function, __ATOMIC_RELEASE);
  }
  PyObject* list = function == NULL ? NULL : PyObject_CallOneArg(function, wrapper);
  for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(list); i++) watch(PyList_GET_ITEM(list, i));
  Py_XDECREF(list);
  PyErr_Clear();  // without memory a strong reference counts from its first use
  PyErr_SetRaisedException(error);
}

#else

void ss_weak_references_watch_slow(PyObject* wrapper) {
  PyObject* first = *PyObject_GET_WEAKREFS_LISTPTR(wrapper);
  for (PyObject* it = first; it != NULL; it = (PyObject*)((PyWeakReference*)it)->wr_next) watch(it);
}

#endif
