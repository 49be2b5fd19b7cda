#include "wrapper/weak_references.h"

#include "wrapper/classes.h"

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
  PyWeakReference* it = (PyWeakReference*)reference;
  if (it->vectorcall == call_reference) it->vectorcall = call_watched;
}

int ss_weak_references_init(void) {
  PyObject* any = PyWeakref_NewRef((PyObject*)&SsObject_Type, NULL);
  if (any == NULL) return -1;
  call_reference = ((PyWeakReference*)any)->vectorcall;
  Py_DECREF(any);
  return 0;
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
  if (type->tp_call == call_reference) type->tp_call = call_watched;
}

int ss_weak_references_init(void) {
  if (call_reference == NULL) call_reference = _PyWeakref_RefType.tp_call;
  return 0;
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
