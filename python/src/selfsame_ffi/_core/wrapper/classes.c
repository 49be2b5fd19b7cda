// The table from type indices to Python classes, and the rule that makes a class lean or stateful.
#include "wrapper/classes.h"

#include <pthread.h>
#include <stdlib.h>

#include "wrapper/tp_slots.h"

PyTypeObject** ss_class_table;
static uint8_t* made;  // by type index; 1: the class comes from class_maker
int32_t ss_class_table_size;
static PyObject* class_maker;

static destructor slot_tp_finalize;  // CPython's own, which it does not export

static vectorcallfunc call_function;

static PyObject* name_del;
static PyObject* name_type_index;

// Guards changes of the table and of the classes' type slots; they are read without it. A thread that holds the mutex
// runs no Python code.
#if SS_FREE_THREADED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
#else
static void lock(void) {}
static void unlock(void) {}
#endif

// ---- lean or stateful ----

static int is_lean_shape(PyTypeObject* cls) {
  PyTypeObject* base = cls;
  while (base->tp_flags & Py_TPFLAGS_HEAPTYPE) base = base->tp_base;
  return cls->tp_basicsize == base->tp_basicsize && cls->tp_itemsize == 0 && cls->tp_dictoffset == 0 &&
         cls->tp_weaklistoffset == 0 && !ss_has_managed_state(cls) && cls->tp_finalize == NULL && cls->tp_del == NULL &&
         cls->tp_dealloc == ss_subtype_dealloc && cls->tp_free == PyObject_GC_Del &&
         cls->tp_alloc == PyType_GenericAlloc;
}

static int prepare(PyTypeObject* cls) {
  if (cls->tp_dealloc == ss_dealloc_heap) {
    if (cls->tp_finalize == NULL) return 0;
    ss_class_make_stateful(cls);
    return 1;
  }
  if (cls->tp_dealloc != ss_dealloc_stateful && cls->tp_finalize != ss_finalize && is_lean_shape(cls)) {
    cls->tp_dealloc = ss_dealloc_heap;
    return 0;
  }
  ss_class_make_stateful(cls);
  return 1;
}

int ss_class_prepare(PyTypeObject* cls) {
  if (!(cls->tp_flags & Py_TPFLAGS_HEAPTYPE)) return 0;
  if (SS_LIKELY(cls->tp_dealloc == ss_dealloc_heap && cls->tp_finalize == NULL)) return 0;
  if (SS_LIKELY(cls->tp_dealloc == ss_dealloc_stateful && cls->tp_finalize == ss_finalize)) return 1;
  int stateful;
  lock();
  stateful = prepare(cls);
  unlock();
  return stateful;
}

void ss_class_make_stateful(PyTypeObject* cls) {
  cls->tp_finalize = ss_finalize;
  if (cls->tp_clear == ss_subtype_clear) cls->tp_clear = ss_clear_stateful;
  // Where a class has a dealloc of another kind, the finalizer alone decides.
  if (cls->tp_dealloc != ss_subtype_dealloc && cls->tp_dealloc != ss_dealloc_heap) return;
  cls->tp_dealloc = ss_subtype_dealloc;
  ss_class_take_dealloc(cls, ss_dealloc_stateful);
}

int ss_class_call_del(PyObject* self) {
  // _PyType_Lookup clears the error that is set when it misses CPython's cache.
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  int has_del = _PyType_Lookup(Py_TYPE(self), name_del) != NULL;
  PyErr_Restore(type, value, traceback);
  if (has_del) slot_tp_finalize(self);
  return has_del;
}

PyObject* ss_class_new_wrapper(PyTypeObject* cls) {
  int stateful = ss_class_prepare(cls);
  PyObject* self = ss_class_spare_wrapper(cls);
  if (SS_LIKELY(self != NULL)) return self;
  self = cls->tp_alloc(cls, 0);
  if (self == NULL) return NULL;
  ss_wrapper(self)->flags = stateful ? SS_STATEFUL : 0;
  // Wrappers that can be called have the same vectorcall function in every instance.
  if (cls->tp_vectorcall_offset > 0) {
    *(vectorcallfunc*)((char*)self + cls->tp_vectorcall_offset) = call_function;
  }
  ss_count(SS_COUNT_LIVE, 1);
  ss_count(SS_COUNT_BLOCKS, 1);
  return self;
}

static PyObject* make_probe(PyObject* dict) {
  return PyObject_CallFunction((PyObject*)&PyType_Type, "s(O)O", "probe", (PyObject*)&SsObject_Type, dict);
}

int ss_classes_init(vectorcallfunc call) {
  call_function = call;
  ss_spare_blocks_init();
  if (ss_subtype_dealloc != NULL) return 0;
  name_del = PyUnicode_InternFromString("__del__");
  name_type_index = PyUnicode_InternFromString("__tvm_ffi_type_index__");
  PyObject* dict = Py_BuildValue("{s:()}", "__slots__");
  if (name_del == NULL || name_type_index == NULL || dict == NULL) return -1;
  PyObject* plain = make_probe(dict);
  PyObject* with_del = NULL;
  // Any callable will do as __del__: it is never called.
  if (plain != NULL && PyDict_SetItem(dict, name_del, (PyObject*)&PyType_Type) == 0) with_del = make_probe(dict);
  Py_DECREF(dict);
  if (with_del != NULL) {
    ss_subtype_dealloc = ((PyTypeObject*)plain)->tp_dealloc;
    ss_subtype_clear = ((PyTypeObject*)plain)->tp_clear;
    slot_tp_finalize = ((PyTypeObject*)with_del)->tp_finalize;
  }
  Py_XDECREF(plain);
  Py_XDECREF(with_del);
  return with_del == NULL ? -1 : 0;
}

// ---- type index -> class ----

void ss_class_set_maker(PyObject* maker) {
  Py_INCREF(maker);
  Py_XSETREF(class_maker, maker);
}

// The caller must hold the mutex. Without the GIL the outgrown table is retired, because other threads may be reading
// it. 0, or -1 without memory.
static int grow(int32_t index) {
  if (index < ss_class_table_size) return 0;
  int32_t size = ss_class_table_size == 0 ? 256 : ss_class_table_size;
  while (size <= index) size *= 2;
  PyTypeObject** classes = calloc((size_t)size, sizeof(*ss_class_table));
  uint8_t* flags = calloc((size_t)size, 1);
  if (classes == NULL || flags == NULL) {
    free(classes);
    free(flags);
    return -1;
  }
  if (ss_class_table != NULL) memcpy(classes, ss_class_table, sizeof(*ss_class_table) * (size_t)ss_class_table_size);
  if (made != NULL) memcpy(flags, made, (size_t)ss_class_table_size);
  PyTypeObject** before = ss_class_table;
  free(made);
  made = flags;
  __atomic_store_n(&ss_class_table, classes, __ATOMIC_RELEASE);
  __atomic_store_n(&ss_class_table_size, size, __ATOMIC_RELEASE);
  if (!SS_FREE_THREADED) free(before);
  return 0;
}

// The value of an attribute __tvm_ffi_type_index__, which may be NULL; -1 when it is no type index. Sets no error.
static int32_t index_in(PyObject* number) {
  if (number == NULL || !PyLong_CheckExact(number)) return -1;
  int overflow = 0;
  long index = PyLong_AsLongAndOverflow(number, &overflow);
  return overflow == 0 && index >= 0 && index <= INT32_MAX ? (int32_t)index : -1;
}

// The dict of a class. New reference, or NULL with an error set.
static PyObject* namespace_of(PyTypeObject* cls) {
#if PY_VERSION_HEX >= 0x030C0000
  return PyType_GetDict(cls);
#else
  Py_XINCREF(cls->tp_dict);
  return cls->tp_dict;
#endif
}

static int note_index(PyTypeObject* cls, int32_t index) {
  PyObject* number = PyLong_FromLong(index);
  if (number == NULL) return -1;
  int rc;
  if (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) {
    rc = PyObject_SetAttr((PyObject*)cls, name_type_index, number);
  } else {
    rc = PyDict_SetItem(cls->tp_dict, name_type_index, number);
    PyType_Modified(cls);
  }
  Py_DECREF(number);
  return rc;
}

// Whether instances of both classes have the same kinds of state at the same offsets, so that one class can replace the
// other.
static int same_layout(PyTypeObject* a, PyTypeObject* b) {
  return a->tp_basicsize == b->tp_basicsize && a->tp_dictoffset == b->tp_dictoffset &&
         a->tp_weaklistoffset == b->tp_weaklistoffset && ss_has_managed_state(a) == ss_has_managed_state(b) &&
         ss_class_prepare(a) == ss_class_prepare(b);
}

// Puts a class into the table. A class that class_maker made does not replace
// one that another thread has registered.
static int put(int32_t index, PyTypeObject* cls, int was_made) {
  if (note_index(cls, index) != 0) return -1;
  ss_class_prepare(cls);
  PyTypeObject* old = NULL;
  lock();
  int rc = grow(index);
  if (rc == 0 && !(was_made && ss_class_table[index] != NULL)) {
    Py_INCREF(cls);
    old = ss_class_table[index];
    __atomic_store_n(&ss_class_table[index], cls, __ATOMIC_RELEASE);
    made[index] = (uint8_t)was_made;
    ss_class_lasts(cls);  // without the GIL the table never drops one
  }
  unlock();
  if (rc != 0) PyErr_NoMemory();
  // Without the GIL another thread may be about to use the old class: it is retired.
  if (!SS_FREE_THREADED) Py_XDECREF(old);
  return rc;
}

// The type index in a class's own dict, its bases' not included; -1 without one. Sets no error.
static int32_t own_index(PyTypeObject* cls) {
  PyObject* dict = namespace_of(cls);
  PyObject* number = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name_type_index);
  int32_t index = index_in(number);
  Py_XDECREF(dict);
  PyErr_Clear();
  return index;
}

int ss_type_derives(int32_t index, int32_t base) {
  if (index == base) return 1;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  const TVMFFITypeInfo* above = ss_api.SelfsameFindTypeInfo(base);
  return info != NULL && above != NULL && info->type_depth > above->type_depth &&
         info->type_ancestors[above->type_depth]->type_index == base;
}

// The code of a static base (MapBase, for example) reads the object's cell as that of its own type, which is the
// builtin type that its first class was registered for. So it must not wrap objects of another type. NumbersBase reads
// none and has no family. Of two static bases in a class, only the derived one is checked (DictBase, which derives from
// MapBase). 0, or -1 with TypeError set.
static int check_families(int32_t index, PyTypeObject* cls) {
  PyObject* mro = cls->tp_mro;
  PyTypeObject* derived = NULL;
  for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
    PyTypeObject* base = (PyTypeObject*)PyTuple_GET_ITEM(mro, i);
    if (base->tp_flags & Py_TPFLAGS_HEAPTYPE || base == &SsObject_Type || !PyType_IsSubtype(base, &SsObject_Type)) {
      continue;
    }
    if (derived != NULL && PyType_IsSubtype(derived, base)) continue;
    derived = base;
    int32_t family = own_index(base);
    if (family < 0 && index < kTVMFFIDynObjectBegin) {
      if (note_index(base, index) != 0) return -1;
    } else if (family >= 0 && !ss_type_derives(index, family)) {
      const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
      PyObject* key = info == NULL ? NULL : ss_text(&info->type_key);
      if (key == NULL && PyErr_Occurred()) return -1;
      PyErr_Format(PyExc_TypeError, "register_object: %.100s derives from %.100s, which cannot wrap objects of '%V'",
                   cls->tp_name, base->tp_name, key, "an unknown type");
      Py_XDECREF(key);
      return -1;
    }
  }
  return 0;
}

int ss_class_register(int32_t index, PyTypeObject* cls) {
  if (!PyType_IsSubtype(cls, &SsObject_Type)) {
    PyErr_Format(PyExc_TypeError, "register_object: %.100s is not a subclass of selfsame_ffi.Object", cls->tp_name);
    return -1;
  }
  PyTypeObject* old = ss_class_registered(index);
  if (old == cls) return 0;
  int32_t other = own_index(cls);
  if (other >= 0 && other != index && ss_class_registered(other) == cls) {
    PyErr_Format(PyExc_ValueError, "register_object: %.100s is registered for another type already (type index %d)",
                 cls->tp_name, (int)other);
    return -1;
  }
  if (check_families(index, cls) != 0) return -1;
  // The package registers the classes of the ABI's own types, and others derive from those, with attributes or without.
  // The wrappers that live keep their class.
  int derived =
      old != NULL && index < kTVMFFIDynObjectBegin && (PyType_IsSubtype(cls, old) || PyType_IsSubtype(old, cls));
  if (old != NULL && !made[index] && !derived && !same_layout(old, cls)) {
    PyErr_Format(PyExc_ValueError,
                 "register_object: type index %d is registered as %.100s already, whose instances have another layout",
                 (int)index, old->tp_name);
    return -1;
  }
  return put(index, cls, 0);
}

int32_t ss_class_index(PyTypeObject* cls) { return index_in(_PyType_Lookup(cls, name_type_index)); }

PyTypeObject* ss_class_of(int32_t index) {
  PyTypeObject* cls = ss_class_registered(index);
  if (SS_LIKELY(cls != NULL)) return cls;
  if (index < 0 || ss_api.SelfsameFindTypeInfo(index) == NULL) {
    PyErr_Format(PyExc_TypeError, "no type is registered for type index %d", (int)index);
    return NULL;
  }
  if (class_maker == NULL) return &SsObject_Type;
  PyObject* result = PyObject_CallFunction(class_maker, "i", (int)index);
  if (result == NULL) return NULL;
  cls = ss_class_registered(index);  // Python code in class_maker may have registered a class
  if (cls == NULL) {
    if (!PyType_Check(result) || !PyType_IsSubtype((PyTypeObject*)result, &SsObject_Type)) {
      PyErr_SetString(PyExc_TypeError, "the class maker did not return a class of objects");
    } else if (put(index, (PyTypeObject*)result, 1) == 0) {
      cls = ss_class_registered(index);
    }
  }
  Py_DECREF(result);
  return cls;
}

int ss_class_check(const char* function, PyTypeObject* cls, int32_t index) {
  PyTypeObject* registered = ss_class_of(index);
  if (registered == NULL) return -1;
  if (PyType_IsSubtype(cls, registered) && ss_class_index(cls) == index) return 0;
  PyErr_Format(PyExc_TypeError, "%s: %.100s does not derive from %.100s, the class of the native object", function,
               cls->tp_name, registered->tp_name);
  return -1;
}

// ---- the end of the interpreter ----

static int is_of_python(const PyTypeObject* cls) { return cls != NULL && (cls->tp_flags & Py_TPFLAGS_HEAPTYPE); }

int ss_classes_traverse(visitproc visit, void* arg) {
  for (int32_t i = 0; i < ss_class_table_size; i++) {
    if (is_of_python(ss_class_table[i])) Py_VISIT(ss_class_table[i]);
  }
  Py_VISIT(class_maker);
  return 0;
}

void ss_classes_clear(void) {
  Py_CLEAR(class_maker);
  for (int32_t i = 0; i < ss_class_table_size; i++) {
    if (is_of_python(ss_class_table[i])) Py_CLEAR(ss_class_table[i]);
  }
}
